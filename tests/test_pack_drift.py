"""Two packs side by side: each kind of drift by its name, and none where only the time is another."""

from dataclasses import replace
from typing import Any

import pytest
from cost import lines_of
from packs import CREATED, LOG, STEPS, held, pack

from a2ap.pack.check_pack import held_as
from a2ap.pack.drift import compare_packs
from a2ap.pack.execution_log import LogContent, LogEnvironment, LogModel, LogPrompt
from a2ap.pack.replay import Fidelity, Here, StepStatus, replay_pack

PACK = pack()
STEP = STEPS[0]

CASES: list[tuple[str, dict[str, Any]]] = [
    ("prompt_drift", {"system_prompt": "You are not."}),
    ("prompt_drift", {"prompts": LOG.prompts[:1]}),
    ("prompt_drift", {"prompts": (*LOG.prompts, LogPrompt("user", "More"))}),
    ("prompt_drift", {"prompts": (replace(LOG.prompts[0], role="system"), LOG.prompts[1])}),
    ("prompt_drift", {"prompts": (replace(LOG.prompts[0], content="x"), LOG.prompts[1])}),
    ("input_drift", {"inputs": ()}),
    ("input_drift", {"inputs": (LogContent("readme.md", "x"),)}),
    ("tool_drift", {"steps": (replace(STEP, tool="grep"), *STEPS[1:])}),
    ("tool_drift", {"steps": (replace(STEP, deterministic=False), *STEPS[1:])}),
    ("tool_drift", {"steps": STEPS[:2]}),
    ("param_drift", {"steps": (replace(STEP, parameters={"path": "x"}), *STEPS[1:])}),
    ("reasoning_drift", {"steps": (replace(STEP, output="x"), *STEPS[1:])}),
    ("output_drift", {"outputs": LOG.outputs[:1]}),
    ("output_drift", {"outputs": LOG.outputs[::-1]}),
    ("output_drift", {"outputs": (LogContent("summary.txt", "x"), LOG.outputs[1])}),
    ("model_drift", {"model": LogModel("gpt-5", {"temperature": 0.0})}),
    ("model_drift", {"model": LogModel("gpt-4", {"temperature": 1})}),
    ("model_drift", {"model": LogModel("gpt-4", {"temperature": 0, "top_p": 1})}),
    ("environment_drift", {"environment": LogEnvironment("darwin", "go1.23", {"read_file": "1.0"})}),
    ("environment_drift", {"environment": LogEnvironment("linux", "go1.24", {"read_file": "1.0"})}),
    ("environment_drift", {"environment": LogEnvironment("linux", "go1.23", {"read_file": "2.0"})}),
    ("environment_drift", {"environment": LogEnvironment("linux", "go1.23")}),
]


@pytest.mark.parametrize(("kind", "changes"), CASES)
def test_each_kind_of_drift_is_found_both_ways(kind: str, changes: dict[str, Any]):
    other = pack(**changes)
    for drifts in (compare_packs(PACK.manifest, other.manifest), compare_packs(other.manifest, PACK.manifest)):
        assert [drift.type for drift in drifts] == [kind]
        assert drifts[0].words and {"pack_a", "pack_b"} & set(drifts[0].members())


def test_only_the_time_and_parent_are_no_drift():
    assert compare_packs(PACK.manifest, pack("2027-01-01T00:00:00Z", PACK.hash).manifest) == ()
    assert compare_packs(PACK.manifest, PACK.manifest) == ()


def test_a_difference_in_the_first_step_says_that_it_is_the_first():
    (drift,) = compare_packs(PACK.manifest, pack(steps=(replace(STEP, output="x"), *STEPS[1:])).manifest)
    assert drift.members()["step_index"] == 0


def test_a_claim_is_confirmed_by_the_same_call_elsewhere_and_nothing_else():
    alone = replay_pack(PACK.manifest, held(PACK))
    assert [step.status for step in alone.steps] == [
        StepStatus.CONFIRMED,  # the input of that name
        StepStatus.NOT_CLAIMED,
        StepStatus.UNCHECKED,
    ]
    assert alone.fidelity is Fidelity.UNCHECKED
    later = pack(steps=tuple(replace(step, timestamp=f"2027{step.timestamp[4:]}") for step in STEPS))
    assert replay_pack(PACK.manifest, held(PACK), [("another", later.manifest)]).fidelity is Fidelity.EXACT


def test_a_fork_confirms_nothing_of_what_it_copied():
    fork = pack("2027-01-01T00:00:00Z", PACK.hash)
    assert replay_pack(PACK.manifest, held(PACK), [(fork.hash, fork.manifest)]).fidelity is Fidelity.UNCHECKED


def test_a_claim_is_refuted_by_another_output_for_the_same_call():
    other = pack(steps=(*STEPS[:2], replace(STEPS[2], output="8")))
    found = replay_pack(PACK.manifest, held(PACK), [(other.hash, other.manifest)])
    assert (found.steps[2].status, found.fidelity) == (StepStatus.REFUTED, Fidelity.DEGRADED)
    assert other.hash in found.steps[2].words
    twice = pack(steps=(*STEPS, replace(STEPS[2], output="8", index=3)))
    assert replay_pack(twice.manifest, held(twice)).fidelity is Fidelity.DEGRADED
    lying = pack(inputs=(LogContent("readme.md", "# Other"),))
    assert replay_pack(lying.manifest, held(lying)).steps[0].status is StepStatus.REFUTED


def test_another_version_of_a_tool_may_answer_otherwise():
    other = pack(
        steps=(*STEPS[:2], replace(STEPS[2], output="8")),
        environment=LogEnvironment("linux", "go1.23", {"read_file": "1.0", "count": "2"}),
    )
    found = replay_pack(PACK.manifest, held(PACK), [(other.hash, other.manifest)])
    assert found.steps[2].status is StepStatus.UNCHECKED


def test_what_does_not_claim_to_be_deterministic_refutes_nothing():
    other = pack(steps=(*STEPS[:2], replace(STEPS[2], output="8", deterministic=False)))
    assert replay_pack(PACK.manifest, held(PACK), [("x", other.manifest)]).steps[2].status is StepStatus.UNCHECKED
    free = pack(steps=STEPS[1:2])
    assert replay_pack(free.manifest, held(free)).fidelity is Fidelity.UNCHECKED


def test_a_lost_output_fails_and_a_lost_input_is_drift():
    have = held(PACK)
    name = PACK.manifest.steps[2].output_ref
    assert replay_pack(PACK.manifest, {**have, name: held_as(b"x")}).fidelity is Fidelity.FAILED
    del have[PACK.manifest.inputs[0].content_ref]
    found = replay_pack(PACK.manifest, have, here=Here("darwin", "go1.24", {"read_file": "2", "other": "1"}))
    assert len(found.drift) == 4 and "readme.md" in found.drift[0]
    assert PACK.manifest.created == CREATED


def test_a_step_that_is_called_again_and_again_costs_no_more_than_each_time():
    def replayed(number: int) -> int:
        steps = tuple(replace(STEPS[0], timestamp=f"2026-01-15T10:30:00.{at:09}Z") for at in range(number))
        one = pack(steps=steps, inputs=tuple(LogContent(f"{at}.md", "x") for at in range(number)))
        have = held(one)
        return lines_of(lambda: replay_pack(one.manifest, have))

    assert replayed(800) < 6 * replayed(200)


def test_the_first_record_that_is_not_the_steps_own_is_named():
    again = replace(STEPS[2], timestamp="2026-01-15T10:30:09Z", index=3)
    run = pack(steps=(*STEPS, again, again))
    named = [step.words.split(" of")[0] for step in replay_pack(run.manifest, held(run)).steps[2:]]
    assert named == ["step 3", "step 2", "step 2"]
    nameless = replace(STEPS[1], deterministic=True)
    run = pack(steps=(nameless,), inputs=(LogContent("", "something"),))
    assert replay_pack(run.manifest, held(run)).steps[0].status is StepStatus.UNCHECKED
