"""Korean particles (josa): which there are, and a word without the one at its end. Nothing here knows verbs."""

from __future__ import annotations

from typing import NamedTuple


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


JOSA = words(
    # subject, object, topic, possession, place, receiver
    "이 가 께서 을 를 은 는 의 에 에서 에게 에게서 께 한테 한테서"
    # means, direction, standing, start and end
    " 로 으로 로서 으로서 로써 으로써 로부터 으로부터 부터 에서부터 까지"
    # company, alternative, addition, limit, comparison
    " 와 과 랑 이랑 하고 나 이나 도 만 마다 마저 조차 밖에 보다 처럼 만큼 대로 라 이라 라도 이라도 란 이란"
    # one on another
    " 에는 에도 에만 에서는 에서도 에서의 로는 으로는 로도 으로도 와의 과의 까지는 까지도 부터는 만은 만을"
)
# Syllables that end nouns as well (재시도, 차이, 인프라): a word that ends in one may be whole as it stands.
ALSO_OF_NOUNS = words("이 도 만 나 라 란")
AFTER_CONSONANT = words("이 을 은 과 과의 으로 으로서 으로써 으로부터 으로는 으로도 이랑 이나 이라 이라도 이란")
AFTER_VOWEL = words("가 를 는 와 와의 랑 나 라 라도 란")
# These follow a vowel or ㄹ.
AFTER_RIEUL = words("로 로서 로써 로부터 로는 로도")
LONGEST = max(map(len, JOSA))

FIRST_SYLLABLE, FINALS, RIEUL = 0xAC00, 28, 8


class Word(NamedTuple):
    """A Hangul word, the noun in it if its end may be a josa, and whether that is beyond doubt."""

    whole: str
    noun: str
    is_sure: bool

    @property
    def core(self) -> str:
        """What the word is about: the noun where that is sure, else the word as it stands."""
        return self.noun if self.is_sure else self.whole


def parted(word: str) -> Word:
    """Take the longest josa off a word of Hangul syllables.

    One syllable remains only if the josa is the one that its last sound asks for: 락을 but not 추이.
    """
    for length in range(min(LONGEST, len(word) - 1), 0, -1):
        josa = word[-length:]
        if josa in JOSA:
            noun = word[:-length]
            if (fits := _fits(noun, josa)) or len(noun) > 1:
                return Word(word, noun, fits and josa not in ALSO_OF_NOUNS)
    return Word(word, word, is_sure=False)


def _fits(noun: str, josa: str) -> bool:
    final = (ord(noun[-1]) - FIRST_SYLLABLE) % FINALS
    if josa in AFTER_CONSONANT:
        return final != 0 and not (final == RIEUL and josa.startswith("으로"))
    if josa in AFTER_VOWEL:
        return final == 0
    if josa in AFTER_RIEUL:
        return final in {0, RIEUL}
    return True
