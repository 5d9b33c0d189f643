"""Which strings are the same to search: every trap and rule of the Korean and English tokenizer."""

from __future__ import annotations

import unicodedata

import pytest

from cases.document import read_case
from cases.search.index import ANYWHERE, MOST_CHARACTERS, MOST_IN_ORDER, stored, within
from cases.search.josa import JOSA, parted
from cases.search.terms import NO_GLOSSARY, Glossary, Term, terms
from cases.search.tokens import BREAK, DocumentTokens, document_tokens, tokenized
from tests.cases.making import make_document, make_raw

from .library import holds


def said(text: str) -> str:
    tokens = tokenized(text)
    return " ".join([*tokens.flow, *tokens.loose])


def fits(query: str, text: str, glossary: Glossary = NO_GLOSSARY) -> bool:
    """Tell whether a text has every term of a query, as the databases would."""
    tokens = stored(DocumentTokens(tokenized(""), tokenized(""), tokenized(text)))
    asked = terms(query, glossary)
    return bool(asked) and all(holds(tokens, within(term, ANYWHERE)) for term in asked)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # Latin words: lower case, stems, no stop words, no possessive, no accents
        ("Certificates expired", "certif expir 끝"),
        ("the Routing of PubNub's messages", "rout pubnub messag 끝"),
        ("café Zürich", "cafe zurich 끝"),
        # compounds: their parts in a row, and as one word
        ("service-discovery", "servic discoveri 끝 servicediscoveri"),
        ("Pub/Sub v1.2", "pub sub v1 2 끝 pubsub v12"),
        ("1.2 Tbps", "1 2 tbps 끝"),
        ("status.example.com", "status exampl com 끝 statusexamplecom"),
        # a sentence ends a phrase
        ("cache, load", "cach 끝 load 끝"),
        # Hangul: two and three syllables in a row over single blanks, and short nouns as whole words
        ("장애 조치", "장애 애조 조치 장애조 애조치 w장애 w조치"),
        ("장애조치", "장애 애조 조치 장애조 애조치"),
        ("장애\n조치", "장애 조치 w장애 w조치"),
        ("락을 잡은", "락을 잡은 w락 w잡"),
        # script borders, and the particle after a Latin word
        ("PubNub은", "pubnub 끝"),
        ("PubNub 은 내부", "pubnub 끝 내부 w내부"),
        ("UTC에", "utc 끝"),
        ("한국abc", "abc 끝 한국 w한국"),
        # case numbers, however they are written; nothing else is one
        ("IL-0560 il0560 IL 0560의", "il560 il560 il560 끝"),
        ("mail 5", "mail 5 끝"),
        # half syllables and other scripts
        ("ㄱ 라우팅 ㅇ", "라우 우팅 라우팅"),
        ("日本 сбой", "u65e5672c 끝 u44143143e439 끝"),
        ("ＡＰＩ ①", "api 1 끝"),
        ("!? … \N{ZERO WIDTH SPACE}", ""),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert said(text) == tokens


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("certificate", "Certificates expired"),
        ("misrouted messages", "a message was misrouted"),
        ("캐시를", "낡은 캐시가 남았다"),
        ("캐시도", "캐시는 비었다"),
        ("샤드에서", "샤드 하나가"),
        ("장애조치", "장애 조치가 늦었다"),
        ("장애 조치", "장애조치 절차"),
        ("커넥션 풀", "커넥션풀이 고갈됐다"),
        ("커넥션풀", "커넥션 풀을 늘렸다"),
        ("락", "락을 잡았다"),
        ("락을", "테이블 락 때문에"),
        ("재시도", "재시도가 몰렸다"),
        ("PubNub 은", "PubNub은 알렸다"),
        ("PubNub은", "at PubNub"),
        ("Kafka를", "반복된 Kafka 파티션"),
        ("service-discovery", "stale service discovery entries"),
        ("servicediscovery", "service-discovery"),
        ("on-call", "the on-call engineer"),
        ("il0560", "see IL-0560"),
        ("IL 0560", "IL-0560 의"),
        ("IL-560", "il 0560"),
        (unicodedata.normalize("NFD", "라우팅 장애"), "라우팅 장애"),
        ("라우팅 장애", unicodedata.normalize("NFD", "라우팅 장애")),
        ("라우팅ㅇ", "라우팅"),
    ],
)
def test_a_query_fits_what_says_the_same(query: str, text: str) -> None:
    assert fits(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        # one syllable is a whole word: not part of another
        ("락", "누락된 연락"),
        ("존", "의존 관계의 존재"),
        ("키", "아키텍처"),
        # 재시도 is no 재시 with a josa, 추이 no 추
        ("재시도", "롤링 재시작"),
        ("추가", "사용 추이"),
        # no compound goes on after a josa, a sentence or a line
        ("서버", "샤드에서 버그가"),
        ("장애조치", "장애. 조치"),
        ("il0561", "IL-0560"),
        ("on-call", "the call failed"),
        ("the", "the"),
        ("ㅋㅋ", "ㅋㅋ"),
    ],
)
def test_a_query_does_not_fit_what_only_looks_like_it(query: str, text: str) -> None:
    assert not fits(query, text)


def test_there_are_enough_josa_and_the_longest_goes() -> None:
    assert len(JOSA) >= 54
    assert parted("서버에서도").noun == "서버"


@pytest.mark.parametrize(
    ("word", "noun", "is_sure"),
    [
        ("인증서가", "인증서", True),
        ("백업으로", "백업", True),
        ("경로", "경로", False),
        ("차이", "차이", False),
        ("결과", "결", True),
        ("난이도", "난이", False),
        ("서버을", "서버", False),
        ("서울로", "서울", True),
    ],
)
def test_a_josa_fits_the_sound_before_it(word: str, noun: str, is_sure: bool) -> None:  # noqa: FBT001  (a table)
    assert parted(word)[1:] == (noun, is_sure)


# The glossary


@pytest.fixture
def glossary() -> Glossary:
    return Glossary.of(
        [
            (["load balancer", "로드 밸런서"], ["부하 분산기"]),
            (["load", "부하"], []),
            (["lock", "락", "잠금"], []),
            (["on-call", "당직"], []),
            (["ID 공급자", "identity provider"], []),
        ]
    )


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("로드밸런서", "every load balancer"),
        ("로드 밸런서를", "load-balancers"),
        ("load-balancer", "로드밸런서가"),
        ("load balancers", "로드 밸런서"),
        ("loadbalancer", "the load balancer"),
        ("부하 분산기", "로드 밸런서"),
        ("부하", "a heavy load"),
        ("잠금", "a lock was held"),
        ("lock", "배타 락을"),
        ("oncall", "당직 엔지니어"),
        ("당직", "on-call"),
        ("ID 공급자", "the identity provider"),
    ],
)
def test_the_glossary_works_in_both_directions(glossary: Glossary, query: str, text: str) -> None:
    assert fits(query, text, glossary)


def test_the_glossary_takes_the_whole_phrase_first(glossary: Glossary) -> None:
    assert not fits("load balancer", "부하가 늘었다", glossary)
    assert [term.text for term in terms("the load balancer lock", glossary)] == ["load balancer", "lock"]
    assert not fits("call", "당직", glossary)


def test_a_form_without_a_word_means_nothing() -> None:
    assert Glossary.of([(["!"], ["?"])]) == NO_GLOSSARY


def test_what_is_asked_twice_is_one_term(glossary: Glossary) -> None:
    assert len(terms("lock lock locks", glossary)) == 1
    assert terms("  ", glossary) == ()


# Documents


def test_a_document_gives_its_tokens_by_weight_in_both_languages() -> None:
    title = {"en": "Certificates expired", "ko": "인증서가 만료됐다"}
    summary = {"en": "Nobody renewed them.", "ko": None}
    document = make_document(id="IL-0560", org="Hanbit Ticket", title=title, summary=summary, components=["dns-zone"])
    tokens = document_tokens(document)
    assert tokens.title.flow[:6] == ["il560", BREAK, "hanbit", "ticket", BREAK, "certif"]
    assert {"인증", "인증서", "w인증서"} <= set(tokens.title.loose)
    assert tokens.summary.flow == ["nobodi", "renew", "them", BREAK]
    assert "dnszone" in tokens.rest.loose
    assert {"certificates", "인증서"} <= tokens.title.words
    assert "nobody" in tokens.summary.words


def test_a_check_without_a_way_to_answer_it_is_read() -> None:
    check = {"question": {"en": "Any etcd alarms?", "ko": None}, "how": None, "command": "etcdctl alarm list"}
    tokens = document_tokens(read_case(make_raw(checks=[check])).document)
    assert {"etcd", "etcdctl"} <= set(tokens.rest.flow)


def test_stored_tokens_tell_their_part_and_keep_to_what_postgresql_can_hold() -> None:
    few = stored(DocumentTokens(tokenized("one 장애"), tokenized("장애"), tokenized("three one")))
    assert few == "a장애 aw장애 a끝 aone a끝 b장애 bw장애 b끝 c장애 cw장애 c끝 cone c끝 cthree cone c끝"
    many = stored(DocumentTokens(tokenized(""), tokenized(""), tokenized("load balancers " * MOST_IN_ORDER))).split()
    assert many[MOST_IN_ORDER:] == ["c" + BREAK, "cbalanc", "c" + BREAK, "cload"]
    words = " ".join(f"word{number}" for number in range(60_000)) + " 장애"
    huge = stored(DocumentTokens(tokenized(""), tokenized(""), tokenized(words)))
    assert huge.startswith("a끝 b끝 c장애 ")
    assert len(huge) <= MOST_CHARACTERS
    assert huge.endswith("c" + huge.rsplit(" c", 1)[1])


def test_a_term_keeps_how_it_was_spelled_unless_the_glossary_knows_it(glossary: Glossary) -> None:
    assert [term.spelled for term in terms("lock certficate 밸런셔를 403 abc", glossary)] == [
        "", "certficate", "밸런셔", "", "",
    ]  # fmt: skip
    assert terms("락", NO_GLOSSARY) == (Term("락", (("w락",),)),)
