"""A guess whether a text speaks to its reader as an instruction; it errs towards yes and proves nothing.

"Imperative language" (§5.3) is not defined, and cannot be decided for every text. A sentence that begins with a verb of
command, or that tells an assistant that it must do something, is taken for imperative; a text that speaks of
instructions or prompts is `steering` as well. A text in which nothing is recognised may still be an instruction.
"""

import re
from collections.abc import Iterator

from a2ap.normal_form import normal_form
from a2ap.packet.looks import word_set

_COMMANDS = word_set("""
abort access accept activate add allow always answer append apply approve ask assume attach authorize avoid begin buy
bypass call cancel change choose click clone commit compile complete confirm connect consider continue copy create curl
deactivate decode decrypt delete deliver deny deploy disable disclose disregard do don't download drop dump echo edit
email enable encode enter erase eval exec execute exfiltrate export extract fetch find finish follow forget forward get
give go grant hide ignore import include inform insert install invoke keep kill launch leave let let's load log login
make memorize merge modify move navigate never notify obey omit open output override overwrite pass paste pay perform
prepare pretend print proceed promote provide publish pull push put read recommend refuse reject relay remember remove
rename repeat replace reply require reset respond restart return reveal revert rewrite run save say select send set
show sign skip start stop store submit summarise summarize switch take tell transfer translate treat trigger type
uninstall unlock update upgrade upload use validate verify visit wait wire write
""")
# Verbs that are nouns as often: with one of these words behind them they begin no command.
_AFTER_A_NOUN = "of|is|was|are|were|has|have|had|may|can|could|will|would|and|or|by|for|between|rates?|prices?|data"

_OPENING = re.compile(
    r"(?:^|[.!?;:\n\r>)\]\"“”„»*•–—-])[\s\"'“”„«»*•>–—(\[-]{0,16}+"
    r"(?:(?:please|kindly|now|then|first|next|finally|also|just|simply|immediately|instead|and|ok|okay)[\s,]{1,9}+){0,8}+"
    rf"(?:(?:{'|'.join(sorted(_COMMANDS))})\b(?!\s{{1,9}}(?:{_AFTER_A_NOUN})\b)|do not\b|make sure\b|be sure\b)"
)
_ADDRESSED = re.compile(
    r"\b(?:you|(?:the|this|any|all|dear) (?:assistants?|agents?|models?|ai|llms?|system|reader|recipient))\s+"
    r"(?:must|should|shall|need to|have to|has to|are to|is to|will now|are now|is now|may now|can now)\b"
)
_STEERING = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instruction|prompt|rule|guideline|polic|context|order)"
    r"|\b(?:system|developer) (?:prompt|message|mode)\b|<\||\|>|\[/?inst\]|</?(?:system|user|assistant|instructions?)>"
    r"|(?:^|\n)\s{0,20}(?:#+\s{0,9})?(?:system|assistant|developer)\s{0,9}:|\byou are now\b|\bnew instructions?\b"
    r"|\bdo not (?:tell|inform|reveal to|mention)\b",
    re.DOTALL,
)
_OTHER_LANGUAGES = re.compile(
    r"\b(?:ignorier(?:e|en|t)|vergiss|lösche|sende|führe|überweise|ignorez?|oubliez?|envoyez|exécutez?|supprimez?"
    r"|ignora|ignore|olvida|envía|ejecuta|elimina|borra|dimentica|invia|esegui|esqueça|envie|apague)\b"
    r"|忽略|无视|無視|忘记|执行|発送|发送|删除|実行|送信|игнорируй|забудь|выполни|отправь|удали"
)
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)


_PIECE = 100_000


def is_imperative(text: str) -> bool:
    """Say whether a text seems to tell its reader to do something."""
    forms = (_OPENING, _ADDRESSED, _STEERING, _OTHER_LANGUAGES)
    return any(form.search(piece) is not None for piece in _pieces(text) for form in forms)


def is_steering(text: str) -> bool:
    """Say whether a text seems to be written to take a model's instructions over."""
    return any(_STEERING.search(piece) is not None for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    # A letter may become eighteen: so much at a time, with enough of the last piece not to cut a phrase in two.
    for start in range(0, max(len(text), 1), _PIECE):
        yield _plain(text[max(start - 200, 0) : start + _PIECE])


def _plain(text: str) -> str:
    # Letters that look like others, and marks that nobody sees, hide words from a reader of characters.
    return _UNSEEN.sub("", normal_form("NFKC", text)).replace("’", "'").lower()
