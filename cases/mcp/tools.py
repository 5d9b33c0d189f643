"""The tools: what each is for, in words for the agent that chooses, and what it does. They only read.

A refusal (``cases.queries.Refused``) says what was wrong and what was probably meant. No SDK here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cases import catalog, stored
from cases.answers import FORGIVEN
from cases.catalog import Catalog, Selection
from cases.document import Language, case_id, splice, write_json
from cases.filters import CaseFilter
from cases.labels import Label
from cases.lists import SUMMARY, case_list, texts
from cases.models import Case
from cases.queries import Query, Refused, Wrong, asked
from cases.rendering.addresses import full_address
from cases.search import snippet
from cases.standing import standings
from cases.statistics import cases_of, profile
from cases.stored import FetchedCase
from cases.vocab import vocab as all_words

from .arguments import (
    ORG,
    IncidentArguments,
    ListArguments,
    Paged,
    SearchArguments,
    TopicArguments,
    VocabArguments,
    read_arguments,
)
from .shapes import Answer, Incident, Incidents, Line, Topic, Vocabulary, Withdrawal, Word, WordList
from .writing import counted, incident, line, name_of, text_of, times

MOST_COMPANIONS = 8
NEWEST = 5
LARGEST = 256 * 1024


@dataclass(frozen=True)
class Tool:
    """One tool as agents see it. ``run`` takes arguments of its type."""

    name: str
    title: str
    description: str
    arguments: type[Query]
    answer: type[Answer]
    run: Callable[[Any], Answer]

    def call(self, given: dict[str, Any]) -> dict[str, Any]:
        """Answer as plain JSON values, at most 256 kB. Raises Refused."""
        told = self.run(read_arguments(self.arguments, given)).told()
        if len(write_json(told).encode()) > LARGEST:
            raise Refused([Wrong("detail", "The answer is larger than 256 kB; fetch it from /api/cases instead.")])
        return told


# Lists


def search_incidents(told: SearchArguments) -> Incidents:
    return _page(told)


def list_incidents(told: ListArguments) -> Incidents:
    return _page(told)


def _page(told: Paged) -> Incidents:
    present = catalog.current()
    case_filter = asked(told.model_dump(), present.labels)
    page = case_list(case_filter, present, limit=told.limit, cursor=told.cursor)
    found = [json.loads(text) for text in page.cases]
    passages = _passages(found, case_filter, told.language)
    return Incidents(
        total=page.total,
        next_cursor=page.next,
        corrected=page.corrected,
        incidents=[line(case, told.language, passages.get(case["id"])) for case in found],
    )


def _passages(found: list[dict[str, Any]], case_filter: CaseFilter, language: Language) -> dict[str, str]:
    """Return the passage of each case in which the words were found."""
    if case_filter.found is None:
        return {}
    documents = stored.documents([int(case["id"].removeprefix("IL-")) for case in found])
    shown = {
        case_id(number): snippet(document, case_filter.found.terms, language) for number, document in documents.items()
    }
    return {
        id_text: text_of({"en": None, "ko": None, one.language: "".join(piece.text for piece in one.pieces)}, language)
        or ""
        for id_text, one in shown.items()
    }


# One incident


def get_incident(told: IncidentArguments) -> Incident:
    number = _number(told.id)
    found = _fetched(number)
    merged_from = None
    if found.merged_into is not None:
        merged_from = found.id
        found = _fetched(found.catalog.index.standing_for(number))
    if found.status != Case.Status.PUBLISHED:
        return _withdrawn(found, told.language, merged_from)
    case, similar = json.loads(found.text or "{}"), json.loads(found.beside[0])
    changes: dict[str, Any] = {"merged_from": merged_from}
    if told.detail == "full":
        changes["record"] = json.loads(splice(found.text or "{}", *found.beside))
    return incident(case, similar, told.language).model_copy(update=changes)


def _number(id_text: str) -> int:
    given = FORGIVEN.fullmatch(id_text.strip())
    if given is None:
        raise Refused(
            [Wrong("id", "Is no number of an incident; those look like IL-0560. search_incidents finds them.")]
        )
    return int(given[1])


def _fetched(number: int) -> FetchedCase:
    found = stored.fetch(number, "json")
    if found is None:
        raise Refused([Wrong("id", f"There is no incident {case_id(number)}. search_incidents finds those there are.")])
    return found


def _withdrawn(found: FetchedCase, language: Language, merged_from: str | None) -> Incident:
    record = standings([Case.objects.get(number=found.number)])[found.number].as_json()["withdrawn"]
    return Incident(
        id=found.id,
        status="withdrawn",
        url=full_address("case", language, id=found.id),
        merged_from=merged_from,
        withdrawn=Withdrawal(at=record["at"], reason=text_of(record["reason"], language)),
    )


# Topics and words


def get_topic(told: TopicArguments) -> Topic:
    present = catalog.current()
    word = asked({told.list: [told.slug]}, present.labels).applied[told.list][0]
    cases = cases_of(present, told.list, word)
    figures, labels = profile(present, cases), present.labels
    top = {
        name: counted(
            name,
            [one for one in found if (name, one.word) != (told.list, word)][:MOST_COMPANIONS],
            labels,
            told.language,
        )
        for name, found in figures.companions.items()
    }
    return Topic(
        list=told.list,
        slug=word,
        **_named(present, told.list, word, told.language),
        incidents=figures.total,
        by_year=[{"year": one.word, "incidents": one.cases} for one in figures.years if one.cases],
        root_causes=top["root_cause"],
        components=top["component"],
        symptoms=top["symptom"],
        time_to_detect=times(figures.detection),
        time_to_repair=times(figures.repair),
        action_items=sum(figures.follow_ups.values()),
        action_items_open=figures.unfinished,
        newest=_newest(Selection(present, {told.list: cases}), told.language),
    )


def _named(present: Catalog, list_name: str, word: str, language: Language) -> dict[str, Any]:
    if list_name == ORG:
        name = present.labels.orgs_by_slug[word].name(language).text
        return {"name": name, "definition": None, "url": full_address("org", language, slug=word)}
    term = present.labels.term(list_name, word)
    meaning = term.meaning(language)
    url = full_address("topic", language, list=list_name, slug=word)
    return {"name": name_of(term, language), "definition": meaning.text if meaning else None, "url": url}


def _newest(selection: Selection, language: Language) -> list[Line]:
    found = texts(selection.catalog, selection.numbers[:NEWEST], SUMMARY)[1]
    return [line(json.loads(text), language) for text in found]


def vocab(told: VocabArguments) -> Vocabulary:
    present = catalog.current()
    words = all_words(present)
    lists = [_list(one, present, told) for one in words["lists"] if told.list in {None, one["name"]}]
    if told.list in {None, ORG}:
        lists.append(_orgs(words["orgs"], told))
    return Vocabulary(lists=lists)


def _list(one: dict[str, Any], present: Catalog, told: VocabArguments) -> WordList:
    in_force = [present.labels.term(one["name"], term["slug"]) for term in one["terms"] if not term["replaced_by"]]
    counts = {term["slug"]: term["cases"] for term in one["terms"]}
    return WordList(
        name=one["name"],
        label=one["label"][told.language],
        size=len(in_force),
        argument=one["parameter"] is not None,
        words=[_word(term, counts[term.slug], told.language) for term in in_force] if told.list else None,
    )


def _word(term: Label, incidents: int, language: Language) -> Word:
    meaning = term.meaning(language)
    definition = meaning.text if meaning else None
    return Word(slug=term.slug, name=name_of(term, language), definition=definition, incidents=incidents)


def _orgs(orgs: list[dict[str, Any]], told: VocabArguments) -> WordList:
    label = "Organisation" if told.language == "en" else "조직"
    words = [
        Word(slug=one["slug"], name=one["label"][told.language] or one["name"], incidents=one["cases"]) for one in orgs
    ]
    return WordList(name=ORG, label=label, size=len(orgs), argument=True, words=words if told.list else None)


# How agents are told of them

TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "search_incidents",
            "Search incidents by words",
            "Find real production incidents (outages, data loss, latency) of cloud and internet services by free words "
            "in English or Korean: symptoms, causes, products, error messages. Best match first, each with the passage "
            "that was found. Use it when you have a description of trouble; narrow it with the other arguments. "
            "To go through incidents by time, organisation or category without words use list_incidents; for one whose "
            "number you know, get_incident.",
            SearchArguments,
            Incidents,
            search_incidents,
        ),
        Tool(
            "get_incident",
            "Read one incident",
            "Read one incident by its number, such as IL-0560: what broke, for whom and how long, root cause, trigger, "
            "how it was detected and repaired, timeline, lessons, promised action items, checks whether the same could "
            "happen to you, sources, and similar incidents with the reason. Says so when the incident was withdrawn or "
            "merged into another one.",
            IncidentArguments,
            Incident,
            get_incident,
        ),
        Tool(
            "list_incidents",
            "List incidents by category, organisation or time",
            "List incidents by exact criteria, newest first: organisation, component, root cause, symptom, severity, "
            "period, time to repair, review, in any combination; with the total and a cursor for the next page. "
            "Several values of one argument mean or, different arguments mean and; without arguments it lists "
            "everything. It knows only the words of vocab; to look for words in the texts use search_incidents.",
            ListArguments,
            Incidents,
            list_incidents,
        ),
        Tool(
            "get_topic",
            "Statistics of one topic or organisation",
            "What is known of one component, root cause, symptom, domain, contributing factor or organisation as a "
            "whole: how many incidents by year, what most often goes along with it, typical times to detect and "
            "repair, kept and open promises, and the newest incidents. Use it for questions such as “how long do DNS "
            "outages take?” or “what usually makes load balancers fail?”; for the incidents themselves list_incidents.",
            TopicArguments,
            Topic,
            get_topic,
        ),
        Tool(
            "vocab",
            "The words that arguments take",
            "The controlled words (slugs) that the arguments of the other tools take, with their names, definitions "
            "and how many incidents have each. Call it first without a list to see which lists there are, then with "
            "the list you need, such as component or root_cause, to find the exact word.",
            VocabArguments,
            Vocabulary,
            vocab,
        ),
    )
}
