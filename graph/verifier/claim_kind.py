"""Whether a claim reports words of somebody or asserts something itself, found by its form, without understanding it.

A verified claim that "the bridge is safe" means one thing if these are a speaker's words, and another if they are the
author's: of the first the verdicts establish that it was said, of the second that it holds. A claim reports if:

1. It attributes. A quotation and nothing else, or with a subject and a plain verb of saying ("The Mayor said: “…”",
   "“…”, said the Mayor", "According to the Mayor, “…”"); or, in one sentence without a quotation, "The Mayor said
   that …", "The Mayor told the council that …", "The Mayor said …", "According to the Mayor, …", "…, the Mayor said".
2. It consists of whole sentences, one after the other, of the quotes in its evidence, but for case, punctuation, and
   the cuts that `whole_sentences` allows. The ends of a quote count as ends of a sentence, and a speaker's label may
   be left out. A question is not the same as a statement.

Every other claim asserts. A subject with a negation, a modal verb, "is", or a word that opens a clause attributes
nothing ("The Mayor never said: “…”", "It is false that he said …"); neither does a verb that may be a plural noun
before "that" ("the reports that …"). A part of a sentence may say what nobody said, and so may a sum of several quotes.

Both mistakes are possible. An assertion taken for a report promises too little: the words were said all the same. A
report in other words than the quotes' promises as much as its verifiers did, who were asked whether the evidence
suffices for the claim.

For time, evidence of more than `MOST_COMPARED` characters is not cut into sentences: a claim whose words stand in it in
one piece reports, so that much evidence makes no report an assertion. A claim of more than `LONGEST_READ` characters is
only compared with its evidence.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from graph.scoring.standing import ClaimKind
from graph.transcripts.captions import Cue
from graph.transcripts.payloads import LABEL, TURN
from graph.transcripts.sentences import read_sentences
from graph.verifier.claim_form import SAYING, ClaimForm, read_form
from graph.verifier.whole_sentences import is_allowed_cut
from graph.verifier.words import exact_text, is_negation, words_of

MOST_COMPARED = 50_000
"""The maximum number of characters of evidence that are cut into sentences."""
LONGEST_READ = 10_000
"""The maximum number of characters of a claim that is read for an attribution."""

# The characters of sentences that are compared with one claim: several times those of any evidence of prose.
_MOST_WORK = 4 * MOST_COMPARED
# A row that is compared letter by letter takes as long as so many that only have their words counted.
_COMPARISON = 10
_MODAL_WORDS = "can could may might must shall should will would"
_CLAUSE_WORDS = """
am are as be because been if is it once so that there though although unless until was were what when where whether
which while who whom whose why
"""
_OPEN_ENDS = """
a all an and any as at but by each every few for from her his in its many most my of on or our several some than that
the their these this those to with your
"""
_DETERMINER_WORDS = "a an her his its my our the their these this those your"
# The words that `is_allowed_cut` may leave out.
_CUT_WORDS = """
uh um a an the and my our your their we they he she i mr mister madam madame chair chairman chairwoman chairperson
president speaker mayor
"""
_MODALS = frozenset(_MODAL_WORDS.split())
_NO_SUBJECT = _MODALS | frozenset(_CLAUSE_WORDS.split())
_NO_END_OF_SUBJECT = frozenset(_OPEN_ENDS.split())
_DETERMINERS = frozenset(_DETERMINER_WORDS.split())
_MAY_BE_LEFT_OUT = frozenset(_CUT_WORDS.split())
_OTHER_VERBS = (
    "acknowledged|admitted|announced|answered|argued|argues|asserted|asserts|claimed|complained|conceded|declared"
    "|declares|denied|insisted|insists|maintained|mentioned|predicted|promised|replied|responded|suggested|suggests"
    "|testifies|warned|wrote|writes"
)
_PLURAL_NOUNS = frozenset({"states", "reports", "notes"})
_BEFORE_THAT = "|".join((*(verb for verb in SAYING.split("|") if verb not in _PLURAL_NOUNS), _OTHER_VERBS))
_SUBJECT = r"(?P<subject>[^“”\":;!?]+?)"
_INDIRECT = (
    re.compile(rf"^{_SUBJECT}\s+(?:{_BEFORE_THAT})\s+that\s+\w"),
    re.compile(rf"^{_SUBJECT}\s+told(?:\s+(?!that\b)[\w.’'-]+){{1,5}}\s+that\s+\w"),
    re.compile(rf"^{_SUBJECT}\s+(?:said|says)\s+(?!(?:nothing|little|so|to|of|in|about|by|and|or|as)\b)\w"),
    re.compile(r"^.*\w,\s+(?P<subject>[^“”\":;!?,]+?)\s+(?:said|says)\.?$"),
)
_ACCORDING = re.compile(r"^(?:According to|.*\w, according to) (?P<source>[^“”\",:;!?]+?)(?:,\s+\w.*|\.?)$")
_QUOTATION_MARK = re.compile(r"[“”\"]")
_LONGEST_SUBJECT = 7  # words
_PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they"})
_SECOND_CLAUSE = re.compile(r",\s+(?:and|but|or|so|yet)\b")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")


def kind_of_claim(claim: str, quotes: Sequence[str]) -> ClaimKind:
    """Return the kind of a claim; `quotes` are the texts that it cites, in its order."""
    reports = is_attribution(claim) or _is_said(claim, quotes)
    return ClaimKind.REPORTS if reports else ClaimKind.ASSERTS


def kind_as_shown(claim: str, texts: Sequence[str] | None) -> ClaimKind | None:
    """Return the kind of a claim as a reader can tell it from the texts that it cites, None if that is open.

    `texts` is None if any of them is withheld from the reader: the kind must not tell what a withheld text says. A text
    that is not here is "".
    """
    if texts is None:
        return ClaimKind.REPORTS if is_attribution(claim) else None
    kind = kind_of_claim(claim, texts)
    return kind if kind is ClaimKind.REPORTS or all(texts) else None


def is_attribution(claim: str) -> bool:
    """Return whether a claim attributes its words to somebody, by itself: no quote of its evidence is needed."""
    return _read_attribution(claim) is not None


def speaker_of(claim: str) -> str | None:
    """Return the speaker of the words that a claim attributes, as it names them; None if it names no speaker."""
    return _read_attribution(claim) or None


def _read_attribution(claim: str) -> str | None:
    """Return the speaker of a claim that attributes, "" if it is a mere quotation; None if it does not attribute."""
    if len(claim) > LONGEST_READ:
        return None
    claim = " ".join(claim.split())
    form = read_form(claim)
    if form.quoted:
        if (
            form.strange
            or _QUOTATION_MARK.search(form.words) is not None
            or not any(character.isalnum() for character in form.words)
        ):
            return None
        return "" if form.frame is None else _subject(_speaker_in(form))
    if _QUOTATION_MARK.search(claim) or claim.endswith("?") or len(_sentences_of(claim)) != 1:
        return None
    source = _ACCORDING.match(claim)
    if source is not None:
        words = source["source"]
        named = words[:1].isupper() or words[:1].isdigit() or words.split()[0] in _DETERMINERS
        return _subject(words) if named else None
    found = next((match for pattern in _INDIRECT if (match := pattern.match(claim)) is not None), None)
    return _subject(found["subject"]) if found is not None and _is_brief(found["subject"]) else None


def _subject(words: str) -> str | None:
    return words if _is_subject(words) else None


def as_sentence(claim: str, kind: ClaimKind | None) -> str:
    """Return a verified claim as a sentence that says no more than its verdicts establish."""
    if kind is None:
        return f"Said or holds: “{claim}”"
    return f"The cited source says: “{claim}”" if kind is ClaimKind.REPORTS and not is_attribution(claim) else claim


def _speaker_in(form: ClaimForm) -> str:
    """Return the speaker that a quotation names; the title of an item of the agenda stands before the last comma."""
    frame = form.frame or ""
    return frame if form.item is None else frame.rpartition(", ")[2]


def _is_subject(words: str) -> bool:
    """Return whether some words before or behind a verb of saying can be its subject, and nothing turns the meaning.

    A capital letter tells the month of May and a man called Will from the verbs, but for the first word.
    """
    tokens = _TOKEN.findall(words)
    if not tokens:
        return False
    first, last = tokens[0].lower(), tokens[-1]
    if first in _NO_SUBJECT - _MODALS - {"it"} or is_negation(first) or (first == "it" and len(tokens) > 1):
        return False
    if any(token in _NO_SUBJECT or is_negation(token) for token in tokens[1:]):
        return False
    return last.lower() not in _NO_END_OF_SUBJECT and not last.endswith(("'s", "’s"))


def _is_brief(subject: str) -> bool:
    """Return whether a subject is too short to hold a sentence of its own, as in "It fell and he said"."""
    parts = [_TOKEN.findall(part) for part in subject.split(",")]
    if _SECOND_CLAUSE.search(subject) or any(len(part) > _LONGEST_SUBJECT for part in parts):
        return False
    return not any(len(part) > 1 and part[-1].lower() in _PRONOUNS for part in parts)


def _is_said(claim: str, quotes: Sequence[str]) -> bool:
    """Return whether a claim consists of whole sentences of some quotes, one after the other."""
    words = Counter(words_of(claim))
    texts = [text for text in map(exact_text, quotes) if text]
    if not words or words - Counter(word for text in texts for word in words_of(text)):
        return False
    in_one_piece = exact_text(claim).rstrip(" .,;!").lower() in " ".join(texts).lower()
    if sum(map(len, texts)) > MOST_COMPARED:
        return in_one_piece
    unlabelled = [_without_label(text) for text in texts]
    variants = (texts,) if unlabelled == texts else (texts, unlabelled)
    rows = (row for variant in variants for row in _rows(words, variant))
    return any(in_one_piece if row is None else _is_same(claim, row) for row in rows)


def _is_same(claim: str, row: str) -> bool:
    """Return whether a claim is a row of sentences, but for case, punctuation within it, and the allowed cuts."""
    if claim.count("?") != row.count("?"):
        return False
    return words_of(claim) == words_of(row) or is_allowed_cut(claim, row) or is_allowed_cut(claim.lower(), row.lower())


def _rows(claimed: Counter[str], texts: Sequence[str]) -> Iterator[str | None]:
    """Yield the rows of sentences that have the words of a claim and no others but those that may be left out.

    The last one is None if there are more than are compared.
    """
    sentences = [sentence for text in texts for sentence in _sentences_of(text)]
    counts = [Counter(words_of(sentence)) for sentence in sentences]
    work = _MOST_WORK
    for first in range(len(sentences)):
        held: Counter[str] = Counter()
        for last in range(first, len(sentences)):
            held.update(counts[last])
            work -= len(sentences[last])
            if any(held[word] > claimed[word] and word not in _MAY_BE_LEFT_OUT for word in counts[last]):
                break
            if held.total() >= claimed.total() and not claimed - held:
                row = " ".join(sentences[first : last + 1])
                work -= _COMPARISON * len(row)
                yield row
            if held.total() > 2 * claimed.total() + 12 or work < 0:
                break
        if work < 0:
            yield None
            return


def _sentences_of(text: str) -> list[str]:
    """Return the sentences of a text as those of one speaker."""
    if not text:
        return []
    return [sentence.text for sentence in read_sentences((Cue(0, 0, None, 0, len(text.encode()), text),))]


def _without_label(text: str) -> str:
    turn = TURN.match(text)
    text = text[turn.end() :] if turn is not None else text
    label = LABEL.match(text)
    return text[label.end() :] if label is not None else text
