"""A case as the page shows it in one language: everything worked out, so that the template only writes it down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language, Pair, case_id
from cases.document.shape import ActionItem, Remediation, Source
from cases.formatting import date_words, instant_code
from cases.labels import Labels
from cases.standing import Standing
from cases.telling import Shown, Told, tell

from .addresses import address
from .citation import Citation, citation
from .exposure import Question, Questions
from .quotes import Evidence, Quotes
from .strip import Strip, strip
from .templates import render
from .times import Chronicle, Chronicler, DurationRow, When, dated
from .trust import TrustLine, language_names, trust_lines

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Tag(Shown):
    """A term with the page that explains it; ``url`` is "" where there is none, ``meaning`` what it stands for."""

    name: Told
    url: str = ""
    meaning: Told | None = None


@dataclass(frozen=True)
class Statement(Shown):
    """What is told of one thing, or that nothing is told, and the quotations behind it."""

    told: Told | None
    evidence: Evidence

    @property
    def prose(self) -> SafeString:
        return self.told.prose if self.told else format_html('<p class="untold">{}</p>', untold())

    @property
    def line(self) -> SafeString:
        return self.told.line if self.told else format_html('<span class="untold">{}</span>', untold())


@dataclass(frozen=True)
class Fact(Shown):
    """One row of the facts: a statement, a term or a duration."""

    name: str
    slug: str
    evidence: Evidence
    statement: Statement | None = None
    tag: Tag | None = None
    duration: DurationRow | None = None


@dataclass(frozen=True)
class Step(Shown):
    """Something done or promised; ``mark`` is its kind or state."""

    uid: str
    told: Told | None
    mark: Told | None
    tone: str
    evidence: Evidence


@dataclass(frozen=True)
class SourceRow(Shown):
    number: int
    uid: str
    url: str
    name: str
    has_title: bool
    lang: str
    host: str
    publisher: str
    kind: Told
    language: str
    published: When | None
    fetched: When | None
    archived: str
    state: str
    machine_translated: bool


@dataclass(frozen=True)
class Article(Shown):
    """All that ``cases/_case.html`` shows."""

    id: str
    org: Tag
    date: When
    date_kind: Told | None
    domain: SafeString
    title: Told
    is_example: bool
    missing_language: str
    other_url: str
    recurrence_of: str
    recurrence_url: str
    aliases: list[str]
    trust: list[TrustLine]
    summary: Statement
    facts: list[Fact]
    symptoms: SafeString
    symptoms_text: Statement
    root_cause: Tag | None
    trigger: Statement
    contributing: SafeString
    components: SafeString
    cause_evidence: Evidence
    detection_method: Tag | None
    detection: Statement
    remediation: list[Step]
    action_items: list[Step]
    lessons: Statement
    chronicle: Chronicle
    strip: Strip | None
    sources: list[SourceRow]
    docs: list[str]
    rest: Evidence
    questions: list[Question]
    cite: Citation


def untold() -> str:
    return _("Not told by the source")


class Writer:
    """Works out the article of one case for one language. The language must be the active one."""

    def __init__(self, document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> None:
        self.document = document
        self.standing = standing
        self.labels = labels
        self.language: Language = language
        self.quotes = Quotes(document, labels, language)

    def article(self) -> Article:
        """Collect the parts in the order of the page; ``rest`` comes last, since it is what no other part took."""
        parts = {**self._head(), **self._what_happened(), **self._why(), **self._when_and_where_from()}
        return Article(**parts, rest=self.quotes.rest(), cite=citation(self.document, self.standing, self.language))

    def _head(self) -> dict[str, Any]:
        document, language = self.document, self.language
        recurrence = document.recurrence_of or ""
        return {
            "id": document.id,
            "org": self._org(),
            "date": dated(document.date, document.date_precision, language),
            "date_kind": self._term("date_kind", document.date_kind).name if document.date_kind != "incident" else None,
            "domain": self._tags("domain", document.domain),
            "title": tell(document.title, language) or Told(document.id),
            "is_example": document.example,
            "missing_language": "" if language in document.languages else language_names()[language],
            "other_url": address("case", "ko" if language == "en" else "en", id=document.id),
            "recurrence_of": recurrence,
            "recurrence_url": address("case", language, id=recurrence) if recurrence else "",
            "aliases": [case_id(number) for number in self.standing.aliases],
            "trust": trust_lines(self.standing, language),
        }

    def _what_happened(self) -> dict[str, Any]:
        document = self.document
        chronicler = Chronicler(document, self.labels, self.quotes, self.language)
        chronicle = chronicler.chronicle()
        return {
            "summary": self._statement(document.summary, "summary", "title", "date", "date_precision"),
            "facts": self._facts(chronicle),
            "symptoms": self._tags("symptom", document.symptoms),
            "symptoms_text": self._statement(document.symptoms_text, "symptoms_text", "symptoms"),
            "chronicle": chronicle,
            "strip": strip(document.timeline, self.labels, self.language),
        }

    def _why(self) -> dict[str, Any]:
        document, cause = self.document, self.document.root_cause
        return {
            "root_cause": topic(self.labels, "root_cause", cause, self.language) if cause else None,
            "trigger": self._statement(document.trigger, "trigger"),
            "contributing": self._tags("contributing", document.contributing),
            "components": self._tags("component", document.components),
            "cause_evidence": self.quotes.behind("root_cause", "contributing", "components"),
            "detection_method": self._detection_method(),
            "detection": self._statement(document.detection, "detection", "detection_method"),
            "remediation": list(map(self._remediation, document.remediation)),
            "action_items": list(map(self._action_item, document.action_items)),
            "lessons": self._statement(document.lessons, "lessons"),
        }

    def _when_and_where_from(self) -> dict[str, Any]:
        document = self.document
        return {
            "sources": [self._source(number, source) for number, source in enumerate(document.sources, 1)],
            "docs": [url for url in document.docs if is_web(url)],
            "questions": Questions(document, self.labels, self.language).all(),
        }

    # The parts

    def _statement(self, pair: Pair | None, *paths: str) -> Statement:
        return Statement(tell(pair, self.language), self.quotes.behind(*paths))

    def _org(self) -> Tag:
        org = self.labels.org(self.document.org)
        return Tag(org.name(self.language), address("org", self.language, slug=org.slug) if org.slug else "")

    def _term(self, list_name: str, slug: str) -> Tag:
        """Return a term without a link: its list has no pages of its own."""
        label = self.labels.term(list_name, slug)
        return Tag(label.name(self.language), meaning=label.meaning(self.language))

    def _tags(self, list_name: str, slugs: Sequence[str]) -> SafeString:
        """Return the items of a list of tags, or nothing."""
        return SafeString("".join(tag_item(self.labels, list_name, slug, self.language) for slug in slugs))

    def _facts(self, chronicle: Chronicle) -> list[Fact]:
        impact = self.document.impact_text
        severity = self._term("severity", self.document.severity)
        names = {"scope": _("Scope"), "users": _("Users"), "region": _("Region")}
        facts = [Fact(_("Severity"), "severity", self.quotes.behind("severity"), tag=severity)]
        for key, name in names.items():
            statement = self._statement(getattr(impact, key), f"impact_text.{key}")
            facts.append(Fact(name, key, statement.evidence, statement=statement))
        times = (("detect", _("Time to detect"), "detected_after"), ("resolve", _("Time to repair"), "resolved_after"))
        for key, name, field in times:
            evidence = self.quotes.behind(f"timeline.{field}")
            facts.append(Fact(name, key, evidence, duration=chronicle.durations.get(key)))
        return facts

    def _detection_method(self) -> Tag | None:
        slug = self.document.detection_method
        return self._term("detection_method", slug) if slug else None

    def _remediation(self, item: Remediation) -> Step:
        kind = self._term("remediation_kind", item.kind).name if item.kind else None
        evidence = self.quotes.behind(f"remediation[{item.uid}]")
        return Step(item.uid, tell(item.text, self.language), kind, "", evidence)

    def _action_item(self, item: ActionItem) -> Step:
        evidence = self.quotes.behind(f"action_items[{item.uid}]")
        mark = Told(status_words(item.status))
        return Step(item.uid, tell(item.text, self.language), mark, item.status or "untold", evidence)

    def _source(self, number: int, source: Source) -> SourceRow:
        url = source.url if is_web(source.url) else ""
        return SourceRow(
            number=number,
            uid=source.uid,
            url=url,
            name=source.title or source.url,
            has_title=bool(source.title),
            lang=source.language if source.title and source.language else "",
            host=urlsplit(source.url).hostname or "",
            publisher=source.publisher or "",
            kind=self._term("source_kind", source.kind).name,
            language=source_language(source.language) if source.language else "",
            published=self._day(source.published_at),
            fetched=self._day(source.fetched_at),
            archived=source.archived if source.archived and is_web(source.archived) else "",
            state=source.state or "",
            machine_translated=source.machine_translated,
        )

    def _day(self, instant: Any) -> When | None:
        if instant is None:
            return None
        return When(date_words(instant.date(), "day", self.language), instant_code(instant, "minute"))


def topic(labels: Labels, list_name: str, slug: str, language: Language) -> Tag:
    label = labels.term(list_name, slug)
    url = address("topic", language, list=list_name, slug=label.slug)
    return Tag(label.name(language), url, label.meaning(language))


@lru_cache(maxsize=4096)
def tag_item(labels: Labels, list_name: str, slug: str, language: Language) -> SafeString:
    """Return a term as an item of a list of tags; the same few terms stand on many pages."""
    return render("_tag", language, {"tag": topic(labels, list_name, slug, language)})


def source_language(code: str) -> str:
    """Name a language that readers of the library read; another one keeps its code."""
    words = {"en": _("In English"), "ko": _("In Korean")}
    return words.get(code) or _("In another language ({code})").format(code=code)


def status_words(status: str | None) -> str:
    words = {"planned": _("Planned"), "underway": _("Under way"), "done": _("Done"), "dropped": _("Dropped")}
    return words[status] if status else _("State not told")


def is_web(url: str) -> bool:
    """Tell whether a link is safe to follow, once more after the document checked it."""
    return url.startswith(("https://", "http://"))
