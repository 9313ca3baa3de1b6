"""Words that mutations look for in a claim, and their replacements."""

import re
from calendar import month_name

FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
NAME = re.compile(r"(?<=[\w,;] )[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
NEGATION = re.compile(r"\b(?:not|no|never|nothing|nobody|none|without)\b |(?:n['’]t\b|(?<=can)not\b)", re.IGNORECASE)
VERB = re.compile(r"\b(?:is|are|was|were|has|have|will|would|can|could|should|must|does|do)\b")
OPPOSITES = """
above/below add/remove affordable/expensive after/before against/for all/some always/sometimes approve/reject
approved/rejected before/after best/worst cheaper/dearer closed/open decrease/increase down/up every/some fall/rise
fell/rose few/many
fewer/more first/last gain/loss good/bad high/low higher/lower increase/decrease large/small largest/smallest
last/first less/more long/short longer/shorter loss/gain low/high lower/higher lowest/highest many/few maximum/minimum
more/less most/few new/old no/any north/south old/new only/also open/closed oppose/support opposed/supported over/under
passed/failed passes/fails public/private require/forbid requires/forbids small/large south/north support/oppose
supports/opposes under/over up/down with/without without/with won/lost yes/no
"""
MODALS = {
    "will": "may",
    "must": "can",
    "should": "must",
    "would": "will",
    "can": "must",
    "may": "will",
    "could": "will",
}
QUANTITIES = {
    "all": "most", "every": "nearly every", "each": "some", "some": "all", "most": "all", "many": "all", "few": "many",
    "only": "", "about": "", "nearly": "", "almost": "", "at least": "at most", "up to": "at least", "no more than": "",
    "more than": "less than", "less than": "more than", "any": "no", "both": "neither of", "half": "all",
}  # fmt: skip
UNITS = {
    "million": "billion", "billion": "million", "thousand": "million", "feet": "yards", "miles": "kilometers",
    "acres": "square miles", "percent": "points", "%": "", "$": "€", "days": "weeks", "weeks": "days",
    "months": "years",
    "years": "months", "hours": "days", "minutes": "hours", "inches": "feet", "degrees": "points", "year": "month",
}  # fmt: skip
MONTHS = tuple(month_name)[1:]
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DATES = {name: names[at - 1] for names in (MONTHS, DAYS) for at, name in enumerate(names)} | {
    "today": "yesterday", "yesterday": "tomorrow", "morning": "evening", "evening": "morning", "last": "next",
    "next": "last", "this": "last",
}  # fmt: skip
PRONOUNS = {
    "I": "We",
    "we": "they",
    "they": "we",
    "our": "their",
    "their": "our",
    "his": "her",
    "her": "his",
    "my": "your",
}
TURNING = (
    r"\b(?:not|no|never|nobody|cannot|if|unless|whether|asks?|wants?|hopes?|thinks?|believes?|says?|would|might)\b"
)
LIKENESS = str.maketrans({"a": "а", "e": "е", "o": "о", "0": "O", "1": "l"})
