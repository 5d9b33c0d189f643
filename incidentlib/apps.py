from django.apps import AppConfig


class IncidentLibConfig(AppConfig):
    """The project itself: an application only for its management commands."""

    name = "incidentlib"
