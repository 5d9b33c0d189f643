"""The addresses for programs that write, below /api/desk/. All ask for a token (door.py)."""

from django.urls import path

from .door import door
from .drafts import create, revise, show, submit, whoami

app_name = "desk-api"

urlpatterns = [
    path("", door(get=whoami), name="whoami"),
    path("cases", door(post=create), name="create"),
    path("cases/<str:id>", door(get=show), name="case"),
    path("cases/<str:id>/revisions", door(post=revise), name="revise"),
    path("cases/<str:id>/submissions", door(post=submit), name="submit"),
]
