"""A case as Markdown in one language: what its page tells, in the same order, for programs that read text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language
from cases.labels import Labels
from cases.standing import Standing

from .addresses import full_address
from .article import Article, Fact, SourceRow, Statement, Step, Writer, untold
from .exposure import Question
from .marking import (
    blocks,
    bracketed,
    bullets,
    command,
    dots,
    escaped,
    heading,
    line,
    link,
    named,
    numbered,
    prose,
    quotation,
)
from .quotes import Conflict, Evidence, Quote
from .related import related_case
from .times import Day, DurationRow, EventRow, WindowRow

if TYPE_CHECKING:
    from cases.similarity import Neighbour


def render_markdown(
    document: CaseDocument,
    standing: Standing,
    labels: Labels,
    language: Language,
    near: Sequence[Neighbour] = (),
) -> str:
    """Return the case and those near it, best first, as one Markdown document."""
    with translation.override(language):
        return blocks(Pages(document, standing, labels, language).parts(near)) + "\n"


class Pages:
    """Writes the Markdown of one case for one language. The language must be the active one."""

    def __init__(self, document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> None:
        self.document = document
        self.labels = labels
        self.language: Language = language
        self.case: Article = Writer(document, standing, labels, language).article()

    def parts(self, near: Sequence[Neighbour]) -> Iterator[str]:
        """Give the parts in the order of the page."""
        yield from self._head()
        yield from self._what_happened()
        yield from self._why()
        yield from self._what_was_done()
        yield from self._timeline()
        yield from self._sources()
        yield section(_("Related cases"), self._near(near))
        yield from self._questions()
        yield from self._citation()

    def _head(self) -> Iterator[str]:
        case = self.case
        date = dots([named(case.date_kind) if case.date_kind else "", case.date.words])
        yield heading(1, case.title)
        yield dots([case.id, named(case.org.name), date, *self._terms("domain", self.document.domain)])
        if case.is_example:
            words = _("This organisation and this incident are made up, to show what a case looks like.")
            yield f"**{_('Example')}** {words}"
        if case.missing_language:
            yield self._missing()
        if case.recurrence_of:
            url = full_address("case", self.language, id=case.recurrence_of)
            yield f"{_('This happened before.')} {link(case.recurrence_of, url)}"
        if case.aliases:
            yield f"{_('Cases merged into this one:')} {', '.join(case.aliases)}"
        yield bullets(dots([f"**{row.name}:** {escaped(row.state)}", *map(escaped, row.remarks)]) for row in case.trust)

    def _missing(self) -> str:
        if self.language == "ko":
            return _("This case is not told in Korean yet. What follows is the English text, marked as such.")
        return _("This case is not told in English yet. What follows is the Korean text, marked as such.")

    def _what_happened(self) -> Iterator[str]:
        case = self.case
        yield section(_("Summary"), told(case.summary))
        yield section(_("At a glance"), bullets(map(fact, case.facts)))
        terms = bullets(self._terms("symptom", self.document.symptoms))
        yield section(_("Symptoms"), terms, told(case.symptoms_text))

    def _why(self) -> Iterator[str]:
        case, document = self.case, self.document
        contributing = self._terms("contributing", document.contributing)
        components = self._terms("component", document.components)
        cause = case.root_cause
        rows = [
            row(_("Root cause"), dots([named(cause.name), line(cause.meaning) if cause.meaning else ""]))
            if cause
            else row(_("Root cause"), nothing()),
            row(_("Trigger"), told(case.trigger)),
            row(_("Contributing factors"), ", ".join(contributing) or nothing()),
        ]
        if components:
            rows.append(row(_("Components"), ", ".join(components)))
        yield section(_("Cause"), bullets(rows), evidence(case.cause_evidence))
        method = f"**{named(case.detection_method.name)}**" if case.detection_method else ""
        yield section(_("Detection"), method, told(case.detection))

    def _what_was_done(self) -> Iterator[str]:
        case = self.case
        yield section(_("Remediation"), numbered(map(step, case.remediation)) or nothing())
        yield section(_("Action items"), bullets(map(step, case.action_items)) or nothing())
        yield section(_("Lessons"), told(case.lessons))

    def _timeline(self) -> Iterator[str]:
        chronicle = self.case.chronicle
        yield section(_("Timeline"), _("All times are UTC.") if chronicle else nothing())
        yield bullets(map(measured, chronicle.durations.values()))
        if chronicle.windows:
            yield f"### {_('Windows of impact')}"
            yield bullets(map(window, chronicle.windows))
        if chronicle.days:
            yield f"### {_('Events')}"
            yield from map(day, chronicle.days)

    def _sources(self) -> Iterator[str]:
        case = self.case
        yield section(_("Sources"), numbered(map(source, case.sources)) or _("No source is named."))
        if case.docs:
            yield f"### {_('Documentation')}"
            yield bullets(link(escaped(url), url) for url in case.docs)
        if case.rest:
            yield f"### {_('Further quotations')}"
            yield evidence(case.rest)

    def _near(self, near: Sequence[Neighbour]) -> str:
        rows = [related_case(one, self.labels, self.language) for one in near]
        lines = (
            dots(
                [
                    link(row.id, full_address("case", self.language, id=row.id)),
                    named(row.org),
                    row.date.words,
                    line(row.title),
                    escaped(row.reasons),
                ]
            )
            for row in rows
        )
        return bullets(lines) or _("No similar case is known yet.")

    def _questions(self) -> Iterator[str]:
        questions = self.case.questions
        if not questions:
            yield section(_("Is it in my cluster too?"), _("No check is known yet for what this case is about."))
            return
        words = _("Questions to put to your own systems. Read a command before you run it.")
        yield section(_("Is it in my cluster too?"), words)
        yield from map(question, questions)

    def _citation(self) -> Iterator[str]:
        cite = self.case.cite
        sentence = _("“{title}”. IncidentLib, case {id}, edition {edition}, {date}.").format(
            title=named(cite.title), id=cite.id, edition=cite.edition, date=cite.date.words if cite.date else ""
        )
        url = full_address("case", self.language, id=cite.id)
        license_line = f"{_('Texts:')} {link(escaped(cite.license), cite.license_url)}" if cite.license else ""
        yield section(_("Cite this case"), f"{sentence} <{cite.url}>", license_line)
        addresses = {
            _("The page of this case"): url,
            _("This case as JSON"): cite.json,
            _("The most similar cases"): cite.similar,
        }
        yield section(
            _("For tools and scripts"), bullets(f"{name}: <{address}>" for name, address in addresses.items())
        )

    def _terms(self, list_name: str, slugs: Sequence[str]) -> list[str]:
        return [named(self.labels.term(list_name, slug).name(self.language)) for slug in slugs]


# Parts


def section(heading: str, *parts: str) -> str:
    return blocks([f"## {heading}", *parts])


def row(name: str, text: str) -> str:
    return f"**{name}:** {text}"


def nothing() -> str:
    return f"*{untold()}*"


def told(statement: Statement) -> str:
    return blocks([prose(statement.told) if statement.told else nothing(), evidence(statement.evidence)])


def fact(found: Fact) -> str:
    return blocks([row(found.name, _value(found)), evidence(found.evidence)])


def _value(found: Fact) -> str:
    if found.tag:
        meaning = found.tag.meaning
        return dots([named(found.tag.name), line(meaning) if meaning else ""])
    if found.statement and found.statement.told:
        return line(found.statement.told)
    if found.duration:
        return dots([escaped(found.duration.when.words), escaped(found.duration.sum)])
    return nothing()


def step(found: Step) -> str:
    words = [line(found.told) if found.told else "", f"({named(found.mark)})" if found.mark else ""]
    return blocks([" ".join(filter(None, words)), evidence(found.evidence)])


def measured(duration: DurationRow) -> str:
    return row(duration.name, dots([escaped(duration.when.words), escaped(duration.sum)]))


def window(found: WindowRow) -> str:
    end = found.end.words if found.end else _("end not told")
    length = found.length.words if found.length else ""
    words = dots([f"{found.start.words}–{end}", length, line(found.region) if found.region else ""])
    return blocks([words, evidence(found.evidence)])


def day(found: Day) -> str:
    return blocks([f"#### {found.when.words}", bullets(map(event, found.events))])


def event(found: EventRow) -> str:
    head = f"{found.when.words} **{named(found.kind)}**"
    number = bracketed(str(found.source)) if found.source else ""
    text = line(found.told) if found.told else ""
    return blocks([" ".join(filter(None, (head, number, text))), evidence(found.evidence)])


def source(found: SourceRow) -> str:
    name = link(escaped(found.name), found.url) if found.url else escaped(found.name)
    states = {"gone": _("No longer online"), "changed": _("Changed since it was read")}
    particulars = [
        escaped(found.publisher),
        named(found.kind),
        found.language,
        _("Machine translation") if found.machine_translated else "",
        f"{_('Published on')} {found.published.words}" if found.published else "",
        f"{_('Read on')} {found.fetched.words}" if found.fetched else "",
        states.get(found.state, ""),
        link(_("Archived copy"), found.archived) if found.archived else _("No archived copy"),
    ]
    return dots([name, *particulars])


def question(found: Question) -> str:
    shared = f"{_('Shares with this case:')} {escaped(found.shared)}" if found.shared else _("Written for this case")
    return blocks(
        [
            heading(3, found.question) if found.question else "",
            prose(found.why) if found.why else "",
            f"**{_('How to find out')}**" if found.how else "",
            prose(found.how) if found.how else "",
            command(found.command) if found.command else "",
            f"**{_('A bad answer')}**" if found.bad_answer else "",
            prose(found.bad_answer) if found.bad_answer else "",
            dots([found.risk, shared]),
        ]
    )


# Quotations


def evidence(found: Evidence) -> str:
    return blocks([*map(conflict, found.conflicts), *map(quote, found.quotes)])


def conflict(found: Conflict) -> str:
    follows = row(_("This case follows"), escaped(found.value))
    others = [blocks([row(_("Also stated"), escaped(one.value)), quote(one, "")]) for one in found.others]
    note = row(_("Why"), line(found.note)) if found.note else ""
    chosen = [quote(one, "") for one in found.chosen]
    return blocks([f"**{_('The sources disagree')}**", follows, *chosen, *others, note])


def quote(found: Quote, value: str | None = None) -> str:
    """Write one quotation; ``value`` is given where it stands elsewhere already."""
    words = " ".join(filter(None, (found.before, found.text, found.after)))
    behind = dots(
        [
            _("Source {number}").format(number=found.source),
            escaped(found.value if value is None else value),
            f"{_('Supports:')} {named(found.anchor)}" if found.anchor else "",
            named(found.basis) if found.basis else "",
        ]
    )
    return quotation(blocks([*map(escaped, words.split("\n\n")), f"({behind})"]))
