"""The public addresses: pages below /en/ and /ko/, the machine interfaces below /api/, and what leads to them."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils.functional import lazy
from django.utils.translation import get_language

from cases import api, checks, citing, editions, feeds, follow_ups, sitemaps, suggestions, topics, trends, views
from cases.mcp.door import mcp

app_name = "cases"

pages = [
    path("", views.home, name="home"),
    path("cases/", views.case_list, name="list"),
    path("suggest/", suggestions.suggestions, name="suggest"),
    path("cases/<str:id>.md", citing.markdown, name="markdown"),
    path("cases/<str:id>/", views.case, name="case"),
    path("cases/<str:id>/cite.<str:form>", citing.cite, name="cite"),
    path("cases/<str:id>/history/", editions.history, name="history"),
    path("cases/<str:id>/history/<int:number>/", editions.edition, name="edition"),
    path("topics/", topics.topics, name="topics"),
    path("topics/<str:list>/<str:slug>/", topics.topic, name="topic"),
    path("orgs/", topics.orgs, name="orgs"),
    path("orgs/<str:slug>/", topics.org, name="org"),
    path("trends/", trends.trends, name="trends"),
    path("trends/<str:table>.csv", trends.trends_csv, name="trends-csv"),
    path("follow-ups/", follow_ups.follow_ups, name="follow-ups"),
    path("checks/", checks.checks, name="checks"),
    path("checks.md", checks.checks_markdown, name="checks-markdown"),
    path("checks.json", checks.checks_json, name="checks-json"),
    path("about/", views.about, name="about"),
    path("api/", api.page, name="api"),
    path("feeds/new.atom", feeds.new, name="feed-new"),
    path("feeds/changed.atom", feeds.changed, name="feed-changed"),
    re_path(r"^(?P<path>.*[^/])$", views.forgive),
]


def _language() -> str:
    return f"{get_language() or 'en'}/"


urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include(api.urls())),
    # The language of an address is active when it is resolved or reversed (incidentlib/middleware.py).
    path(lazy(_language, str)(), include(pages)),
    path("", views.choose_language),
    re_path(r"^(?:en|ko)$", views.home),
    re_path(r"^(?P<path>(?:cases|topics|orgs|trends|follow-ups|checks|about|feeds)(?:/.*)?)$", views.choose_language),
    re_path(r"^(?P<path>api/)$", views.choose_language),
    re_path(r"^language/(?P<language>en|ko)/$", views.switch_language, name="language"),
    path("robots.txt", sitemaps.robots, name="robots"),
    path("llms.txt", sitemaps.llms, name="llms"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemap-pages.xml", sitemaps.pages, name="sitemap-pages"),
    path("sitemap-cases-<int:number>.xml", sitemaps.cases, name="sitemap-cases"),
    path("mcp", mcp, name="mcp"),
]
