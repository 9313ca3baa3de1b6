"""The English words by which claims are read: units, labels, hedges, negations, and pairs that exclude each other.

Lists, and nothing else. A word that is on none of them is content, and is compared by its stem.
"""

import re


def word_set(text: str) -> frozenset[str]:
    """Return the set of the words in a text."""
    return frozenset(text.split())


_NAMES = "January February March April May June July August September October November December"
MONTHS = {name.lower(): number for number, name in enumerate(_NAMES.split(), start=1)}
SHORT_MONTHS = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
WEEKDAYS = {name: number for number, name in enumerate(_DAYS.split())}

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL_NUMBERS = {word: number for number, word in enumerate(_ONES.split())} | {
    word: 10 * number for number, word in enumerate(_TENS.split(), start=2)
}
MULTIPLIERS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0}
SHORT_MULTIPLIERS = {"k": 1e3, "m": 1e6, "bn": 1e9, "b": 1e9}

_UNITS = """
length 1: metre metres meter meters m
length 0.01: centimetre centimetres centimeter centimeters cm
length 0.001: millimetre millimetres millimeter millimeters mm
length 1000: kilometre kilometres kilometer kilometers km
length 0.3048: foot feet ft
length 0.0254: inch inches
length 0.9144: yard yards
length 1609.344: mile miles
mass 1: kilogram kilograms kilo kilos kg
mass 0.001: gram grams g
mass 1000: tonne tonnes
weight 1: pound pounds lb lbs
weight 0.0625: ounce ounces oz
volume 1: litre litres liter liters
volume 0.001: millilitre millilitres milliliter milliliters ml
gallon 1: gallon gallons
area 1: hectare hectares
area 0.40468564224: acre acres
duration 1: second seconds
duration 60: minute minutes min mins
duration 3600: hour hours
duration 86400: day days
duration 604800: week weeks
calendar 1: month months
calendar 12: year years
calendar 120: decade decades
speed 1: mph
power 1: megawatt megawatts mw
power 0.001: kilowatt kilowatts kw
share 1: percent per-cent %
dollar 1: dollar dollars $ usd
dollar 0.01: cent cents
euro 1: euro euros € eur
sterling 1: £ gbp
degree 1: degree degrees °
"""
UNITS = {
    word: (heading.split()[0], float(heading.split()[1]))
    for heading, words in (line.split(":") for line in _UNITS.strip().splitlines())
    for word in words.split()
}
"""The dimension of each unit, and its size in the dimension's first unit."""

LABELS = word_set(
    """
    act agenda amendment apartment article bill building bus case channel chapter chunk class code district division
    docket episode exit figure flight floor gate grade group highway interstate issue item level line lot measure motion
    no number option ordinance page panel paragraph parcel part petition phase precinct prop proposition proposal
    question resolution room route rule scene season section stage step suite table team tier title train type unit
    version volume ward zone
    """
)
"""Nouns for things that a following number names, and does not count."""

DROPPED = word_set(
    """
    a an the is are was were am be been being has have had having do does did that of at in on by as it its there this
    these those and also who which whom whose just only about very quite really now will shall can
    """
)
"""Words that say nothing about the subject. Their tense and the like are read before they are dropped."""

FUNCTION_WORDS = word_set(
    """
    to from with into onto out up down off over under above below between inside outside within near through during per
    for since until till upon along across around beyond toward towards than then so but he she they we you i him her
    them us me his their our your my hers theirs ours mine each every all both any if because while when where what how
    """
)
"""Words that stay in the subject and are not content: a claim of only these has no subject."""

PRONOUNS = word_set("he she they we you i him her them us me it this these those his their our your my its")

HEDGES = word_set(
    """
    if unless whether would could might should must ought perhaps maybe possibly probably presumably allegedly
    reportedly likely unlikely seems appears either or supposedly almost nearly barely hardly scarcely hypothetically
    proposed propose proposes suggested suggests considered considers asked asks expects expected hopes hoped wants
    """
)
"""Words with which a claim does not assert that it is so."""

EXISTENTIAL = word_set(
    """
    some several many most few another other others half part parts partly partially sometimes often usually rarely
    seldom occasionally again once twice initially originally previously earlier later formerly then still yet already
    until eventually finally temporarily except mostly largely more fewer certain various any longer anymore mainly
    """
)
"""Words that limit a claim to some things or some times: it can be false of others."""

REPORTING = word_set(
    """
    said says say saying stated states claimed claims argued argues announced announces noted notes told tells wrote
    writes reported reports believes believed thinks thought explained explains insisted insists according recalled
    remarked added described describes asserted asserts quoted
    """
)
"""Words of reporting: reports of different speakers, or of one speaker at different times, can both be true."""

ONE_TIME = word_set(
    """
    opened opens open founded born died dies built established created invented discovered elected inaugurated launched
    launches begins began begin starts started start ends ended end expires expire expired effective due deadline
    scheduled takes took signed completed finished adopted adopts ratified published released incorporated closes closed
    """
)
"""Words for events that happen to a thing once, so that two dates of one exclude each other."""

STATIVE = word_set(
    "is are has have equals measures weighs stands lies contains consists comprises holds costs seats spans"
)
"""Words for a state of a thing, not for an event."""

NEGATIONS = word_set("not no never none nobody nothing neither nowhere cannot noone")
_REFUSALS = "failed fails fail failing refused refuses refuse declined declines decline"
REFUSALS = word_set(_REFUSALS)
"""Words that deny the words behind a following "to"."""

NOT_DENIALS = re.compile(
    r"\b(not (?:only|just|merely|simply|necessarily|always|yet|until|entirely|all that)|no longer|no later|no earlier|"
    r"no sooner|no doubt|nothing but|not .{0,40}\bbut\b|used to|rather than|instead of|one of|some of|not to mention|"
    r"no .{0,30}\bother than\b|at first|for now|so far|as yet|as of)\b"
)
"""Negations that deny something else, and phrases of time."""

_POLES = """
outcome: pass passes passed passing approve approves approved approving adopt adopts adopted adopting accept accepts
accepted accepting ratify ratifies ratified grant grants granted granting enact enacts enacted | fail fails failed
failing reject rejects rejected rejecting deny denies denied denying refuse refuses refused defeat defeats defeated
disapprove disapproves disapproved veto vetoes vetoed
direction: increase increases increased increasing rise rises rose risen rising grow grows grew grown growing climb
climbs climbed climbing | decrease decreases decreased decreasing fall falls fell fallen falling decline declines
declined declining drop drops dropped dropping shrink shrinks shrank shrinking
contest: win wins won winning | lose loses lost losing
favour: support supports supported supporting favor favors favored favour favours favoured endorse endorses endorsed
endorsing backs backed | oppose opposes opposed opposing
voting: @for | against
law: legal lawful | illegal unlawful
guilt: guilty convicted | innocent acquitted
leave: allow allows allowed allowing permitted | prohibit prohibits prohibited prohibiting ban bans banned banning
forbid forbids forbade forbidden disallow disallows disallowed
truth: true correct accurate | false incorrect inaccurate wrong untrue
access: open | closed shut
life: alive | dead
attendance: present | absent
duty: mandatory required compulsory | optional voluntary
chance: possible | impossible
constitution: constitutional | unconstitutional
ruling: uphold upholds upheld upholding | overturn overturns overturned overturning
measure: sufficient adequate | insufficient inadequate
validity: valid | invalid
safety: safe | unsafe
whole: complete | incomplete
include: include includes included including | exclude excludes excluded excluding omit omits omitted
height: higher | lower
size: larger bigger greater | smaller
age: older | younger newer
time: before | after
company: with | without
agreement: agree agrees agreed | disagree disagrees disagreed
stock: available | unavailable
success: successful success | unsuccessful failure
start: begin begins began begun start starts started | end ends ended stop stops stopped
unity: unanimous unanimously | divided
heat: hot | cold
"""


def _read_poles() -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for entry in re.split(r"\n(?=\w+:)", _POLES.strip()):
        name, words = entry.split(":")
        for sign, side in zip((1, -1), words.split("|"), strict=True):
            found |= {word: (name, sign) for word in side.split()}
    return found


POLES = _read_poles()
"""The pair that each word belongs to and its side, 1 or -1: one thing cannot have both sides."""

TEMPORARY_POLES = frozenset({"start", "direction", "access"})
"""Pairs whose sides come true in turn: they exclude each other within one passage only."""
