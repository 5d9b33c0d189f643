"""The address space of the whole site; each application shows its own in its urls.py."""

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path


def health(_request: HttpRequest) -> HttpResponse:
    """Say that the process answers. It asks no database: a proxy must not drop the site while that restarts."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health, name="health"),
    path("admin/", admin.site.urls),
    path("", include("cases.urls")),
]
if apps.is_installed("review"):
    urlpatterns += [
        path("api/desk/", include("review.api.urls")),
        path("desk/", include("review.urls")),
        path("accounts/", include("review.accounts_urls")),
    ]

handler400 = "cases.errors.bad_request"
handler403 = "cases.errors.forbidden"
handler404 = "cases.errors.not_found"
handler500 = "cases.errors.server_error"
