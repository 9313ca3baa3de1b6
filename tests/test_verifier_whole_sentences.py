"""Whole sentences of one voice pass; nothing is left out of them but words that cannot carry meaning."""

import pytest

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from bench.utterances import blank_statement, cite_sentences, stated
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.judging import Judge
from graph.verifier.search import SearchJudge
from graph.verifier.whole_sentences import doubt_about, is_allowed_cut

JUDGES = pytest.mark.parametrize("judge", [AlignmentJudge(), SearchJudge()], ids=lambda judge: judge.name)


def captions(*lines: str) -> Transcript:
    blocks = [f"00:00:{at:02}.000 --> 00:00:{at + 1:02}.000\n{line}\n" for at, line in enumerate(lines)]
    return Transcript.read("\n".join(["WEBVTT\n", *blocks]).encode())


def is_validated(claim: str, transcript: Transcript, judge: Judge) -> bool:
    evidence = cite_sentences(transcript.sentences, transcript)
    statement = stated(blank_statement(transcript), claim, evidence)
    return verdict_of(judge.judge(statement, transcript)) is Verdict.VALIDATED


@pytest.mark.parametrize(
    ("said", "cut"),
    [
        ("I support the end of costly parking mandates.", "I support costly parking mandates."),
        ("It is very unlikely that developers will use UEP.", "Developers will use UEP."),
        ("People wrongly assume that the fee goes up.", "The fee goes up."),
        ("We are afraid that the library will close.", "The library will close."),
        ("They built less than half of the homes.", "They built the homes."),
        ("The mayor favors a ban on new housing.", "The mayor favors new housing."),
        ("The delay was no accident of the budget.", "The delay was accident of the budget."),
        ("Everybody but the clerk agreed.", "Everybody agreed."),
        ("We would have won.", "We have won."),
        ("The old plan was rejected, and the new one was not.", "The new one was not."),
        ("I heard a rumor of a deal.", "I heard of a deal."),
        ("The vote failed to pass the bill.", "The vote pass the bill."),
    ],
)
@JUDGES
def test_a_cut_is_not_validated_and_the_sentence_is(said: str, cut: str, judge: Judge) -> None:
    transcript = captions(f"<v Chair>{said}", "<v Clerk>Thank you.")

    for form in ("{}", "The Chair said: “{}”", "The Chair said that {}"):
        assert not is_validated(form.format(cut), transcript, judge)
        assert is_validated(form.format(said), transcript, judge)


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Um, we support it.", "We support it."),
        ("It costs, um, five million.", "It costs, five million."),
        ("It costs um, five million.", "It costs, five million."),
        ("And we we think so.", "And we think so."),
        ("We support a a plan.", "We support a plan."),
        ("We support the, the plan.", "We support the plan."),
        ("I I think so too.", "I think so too."),
        ("But I I think so too.", "But I think so too."),
        ("We we we think so.", "We think so."),
        ("Mr. Chairman, the fee doubles.", "The fee doubles."),
        ("We object to that, Madam President.", "We object to that."),
        ("It ends. Mr. Chairman, we object.", "It ends. We object."),
        ("We support this!", "We support this."),
    ],
)
@JUDGES
def test_words_without_meaning_may_be_left_out(said: str, claim: str, judge: Judge) -> None:
    transcript = captions(f"<v Chair>{said}", "<v Clerk>Thank you.")

    assert is_validated(claim, transcript, judge)
    assert is_validated(f"The Chair said: “{claim}”", transcript, judge)


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("No, um, people came.", "No people came."),
        ("No um people came.", "No people came."),
        ("Uh uh, we agree.", "Uh, we agree."),
        ("Uh huh, we agree.", "Huh, we agree."),
        ("Yes, uh uh we agree.", "Yes, uh we agree."),
        ("Yes, we said uh uh, no.", "Yes, we said uh, no."),
        ("Um hm, we agree.", "Hm, we agree."),
        ("Um, hm, we agree.", "Hm, we agree."),
        ("Huh uh, we agree.", "Huh, we agree."),
        ("Nuh uh, we agree.", "Nuh, we agree."),
        ("Well, huh, uh, we agree.", "Well, huh, we agree."),
        ("Um hm hm, we agree.", "Hm hm, we agree."),
        ("Um não basta.", "Não basta."),
        ("Neither do we we think.", "Neither do we think."),
        ("Nor do I I believe.", "Nor do I believe."),
        ("We lost in world war I I think.", "We lost in world war I think."),
        ("It is in phase I I think.", "It is in phase I think."),
        ("We voted for a, a tax.", "We voted for a tax."),
        ("Your honor, not his, is at stake.", "Not his, is at stake."),
        ("I know that that is wrong.", "I know that is wrong."),
        ("He had had a permit.", "He had a permit."),
        ("I told her her rights.", "I told her rights."),
        ("No, no, we agree.", "No, we agree."),
        ("It is very very unlikely.", "It is very unlikely."),
        ("Is it so?", "Is it so."),
        ("We object.", "We object?"),
        ("If you read it, you know, the fee doubles.", "If you read it, the fee doubles."),
        ("I mean, the fee doubles.", "The fee doubles."),
        ("But for the grant we would close.", "For the grant we would close."),
        ("So few people came.", "Few people came."),
        ("In World War I I think we lost.", "In World War I think we lost."),
        ("Mr. Chairman Smith, the clerk and I agree.", "The clerk and I agree."),
        ("We agree.", "Um, we agree."),
        ("We agree.", "Mr. Chairman, we agree."),
        ("I I'm here.", "I'm here."),
        ("The clerk, Mr. Mayor Diaz, objects.", "The clerk objects."),
    ],
)
def test_words_that_may_carry_meaning_are_neither_left_out_nor_put_in(said: str, claim: str) -> None:
    assert not is_allowed_cut(claim, said)


EXCEPT = "We approve the plan (except Ward 5) for the city."
UNHEARD = "[inaudible] New York needs this."
LOUDER = ["Louder.", "I differ."]


def certain_sentences(transcript: Transcript) -> list[str]:
    return [one.text for one in transcript.sentences if doubt_about([one], transcript.sentences) is None]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Interrupted, and gone on with.
        (["<v A>I doubt that", "<v B>Sorry.", "<v A>New York needs this."], ["Sorry."]),
        (["<v A>We will raise it.", "<v B>Yes?", "<v A>only if you agree."], ["Yes?"]),
        (["<v A>I doubt that", "<v B>A? B? C?", "<v A>New York needs this."], ["A?", "B?", "C?"]),
        (["<v A>I doubt it", "<v B>A? B? C? D?", "<v A>We agree."], ["A?", "B?", "C?", "D?", "We agree."]),
        ([">> I doubt that", ">> Sorry.", ">> New York needs this.", ">> A?", ">> B?", ">> C?"], ["C?"]),
        # A speaker without a name may be any.
        (["<v A>We will never", "raise the fee.", "<v A>That is all."], []),
        (["MAYOR: I doubt that", ">> Sorry.", ">> New York needs this."], []),
        # A bracket may stand for words, unless it is a sound before a sentence.
        (["<v A>We approve the plan", "<v A>(except Ward 5)", "<v A>for the city."], [EXCEPT]),
        (["<v A>We do", "<v A>[inaudible]", "<v A>support this."], ["We do [inaudible] support this."]),
        (["<v A>We do <i>(not)</i> support this."], ["We do (not) support this."]),
        (["<v A>We met.", "<v A>[inaudible]", "<v A>New York needs this."], ["We met.", UNHEARD]),
        (["<v A>[unclear]", "<v A>New York needs this."], ["[unclear] New York needs this."]),
        (["<v A>I doubt", "<v A>(Order!)", "<v A>New York needs this."], ["I doubt (Order!) New York needs this."]),
        (["<v A>I doubt", "<v A>(Order!)", "<v B>A?", "<v A>New York needs this."], ["A?"]),
        (["<v A>[Laughter]", "<v A>New York needs this."], ["New York needs this."]),
        # Abbreviations and dots end no sentence.
        (["<v A>I doubt that Cllr. Brown lied."], ["I doubt that Cllr. Brown lied."]),
        (["<v A>I doubt that Rsdt. Brown lied."], ["I doubt that Rsdt. Brown lied."]),
        (["<v A>I doubt that <i>Dr</i>. Brown lied."], ["I doubt that Dr. Brown lied."]),
        (["<v A>I doubt that mrs. Brown lied."], ["I doubt that mrs. Brown lied."]),
        (["<v A>It is false that ward no. 3 voted yes."], ["It is false that ward no. 3 voted yes."]),
        (["<v A>I doubt ward no.", "<v A>3 voted yes."], ["I doubt ward no. 3 voted yes."]),
        (["<v A>I doubt ward no.", "<v B>Hm?", "<v A>3 voted yes."], ["Hm?"]),
        (["<v A>I doubt it, see sec. IV of it."], ["I doubt it, see sec. IV of it."]),
        (["<v A>They said no. We left. Hmm. We met."], ["They said no.", "We left.", "Hmm.", "We met."]),
        (["<v A>I doubt Lt. Governor Ames agrees.", "<v A>Yes."], ["I doubt Lt. Governor Ames agrees.", "Yes."]),
        (["<v A>I doubt... The program failed.", "<v A>We know."], ["We know."]),
        (["<v A>I doubt . . . The program failed.", "<v A>We know."], ["We know."]),
        # Words that a speaker quotes.
        (["<v A>He said, “It failed. We lost. It is over.” I differ."], ["I differ."]),
        (["<v A>He wrote: “Dear all.", "<v B>Louder.", "<v A>It fails. Yours, Bob.”", "<v A>I differ."], LOUDER),
        ([">> He wrote: “Dear all.", ">> Louder.", ">> It fails. Yours, Bob.”"], []),
        (["<v A>He said:“It failed. We lost. It is over.” I differ."], ["I differ."]),
        (["<v A>Er sagt: „Liebe alle. Es scheitert. Ihr Bob.“ Wir danken."], ["Wir danken."]),
        (["<v A>Il dit : « Non. Tout est fini. Merci. » Nous partons. Oui."], ["Oui."]),
        (["<v A>Er sagt: »Nein. Es scheitert. Danke.« Wir gehen."], ["Wir gehen."]),
        # Without marks no sentence is whole, unless it is everything that the speaker says.
        (["<v A>we will not pay", "<v B>okay"], ["we will not pay", "okay"]),
        (["<v A>i doubt that", "<v B>okay", "<v A>we should pay"], ["okay"]),
        (["we support this it is good", "and it is cheap"], ["we support this it is good and it is cheap"]),
    ],
)  # fmt: skip
def test_the_beginning_and_end_of_a_whole_sentence_are_certain(lines: list[str], expected: list[str]) -> None:
    assert certain_sentences(captions(*lines)) == expected


@JUDGES
def test_two_speakers_without_names_are_two_voices(judge: Judge) -> None:
    transcript = captions(">> We support the plan.", ">> Nobody does.", ">> I move that", ">> We vote.")

    assert [one.text for one in transcript.sentences] == [
        "We support the plan.", "Nobody does.", "I move that", "We vote.",
    ]  # fmt: skip
    assert is_validated("We support the plan.", transcript, judge)
    assert not is_validated("We support the plan. Nobody does.", transcript, judge)
    assert not is_validated("I move that we vote.", transcript, judge)


@JUDGES
def test_consecutive_whole_sentences_of_one_voice_are_one_claim(judge: Judge) -> None:
    transcript = captions("<v A>We met. We voted.", "<v A>It passed.", "<v B>It is late.")

    assert is_validated("We met. We voted. It passed.", transcript, judge)
    assert not is_validated("We met. It passed.", transcript, judge)
    assert not is_validated("It passed. It is late.", transcript, judge)


@JUDGES
def test_more_sentences_than_are_compared_are_left_open(judge: Judge) -> None:
    said = " ".join(f"Point {number} is clear." for number in range(9))
    transcript = captions(f"<v A>{said}")
    evidence = cite_sentences(transcript.sentences, transcript)

    for claim in (f"A said: “{said}”", said):
        statement = stated(blank_statement(transcript), claim, evidence)
        findings = judge.judge(statement, transcript)
        assert verdict_of(findings) is Verdict.INSUFFICIENT_EVIDENCE
        assert all(finding.status is not FindingStatus.FAIL for finding in findings)


@JUDGES
def test_a_question_is_a_claim_only_as_a_question(judge: Judge) -> None:
    transcript = captions("<v A>Is it true that the program failed? No.", "<v B>Yes.")

    assert is_validated("“Is it true that the program failed?” said A.", transcript, judge)
    assert not is_validated("The program failed.", transcript, judge)


@JUDGES
def test_a_long_quotation_of_captions_without_punctuation_is_left_open(judge: Judge) -> None:
    lines = [f"so number {number} goes on and on and on without any end that is in sight here" for number in range(19)]
    lines.append("and that is not all")
    transcript = captions(*(f"<v A>{line}" for line in lines))
    evidence = cite_sentences(transcript.sentences, transcript)

    verdicts = [
        verdict_of(judge.judge(stated(blank_statement(transcript), f"A said: “{words}”", evidence), transcript))
        for words in (" ".join(lines[1:19]), " ".join(lines[1:18]) + " or not")
    ]
    alone = judge.judge(stated(blank_statement(transcript), " ".join(lines[1:19]), evidence), transcript)

    assert verdicts == [Verdict.INSUFFICIENT_EVIDENCE, Verdict.CHALLENGED]
    assert verdict_of(alone) is Verdict.INSUFFICIENT_EVIDENCE
