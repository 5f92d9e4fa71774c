"""The witness of the load test has to notice whatever may go wrong."""

import itertools

import pytest

from witness import Fault, Witness, cell


def story(client: int, numbers: range) -> list:
    """What a kernel says when a client's cells run one after the other."""
    ids = itertools.count()

    def message(number: int, kind: str, content: dict, channel="iopub") -> dict:
        header = {"msg_type": kind, "msg_id": f"{client} {next(ids)}"}
        asked = {"msg_id": f"load {client} {number}"}
        return {"channel": channel, "header": header, "parent_header": asked, "content": content}

    said = []
    for number in numbers:
        printed = cell(client, number)[1]
        said += [
            message(number, "status", {"execution_state": "busy"}),
            message(number, "execute_input", {"code": ""}),
            message(number, "stream", {"text": printed[:7]}),
            message(number, "stream", {"text": printed[7:]}),
            message(number, "status", {"execution_state": "idle"}),
            message(number, "execute_reply", {"status": "ok"}, "shell"),
        ]
    return said


STORY = story(1, range(3))
EACH = pytest.mark.parametrize("at", range(len(STORY)))


def believed(messages: list, returned_at: int = -1) -> bool:
    """Whether the witness finds nothing wrong, and nothing missing."""
    witness = Witness(1)
    try:
        for at, message in enumerate(messages):
            if at == returned_at:
                witness.returned()
            witness.hear(message)
    except Fault:
        return False
    return witness.ended[1] == witness.replies == 3


def test_the_whole_story_is_believed():
    assert believed(STORY)


@EACH
def test_a_lost_message_is_noticed(at):
    assert not believed(STORY[:at] + STORY[at + 1 :])


@EACH
def test_a_message_heard_twice_is_noticed(at):
    assert not believed(STORY[: at + 1] + STORY[at:])


@pytest.mark.parametrize("at", [at for at in range(len(STORY)) if at % 6 < 4])
def test_messages_that_changed_places_are_noticed(at):
    assert not believed(STORY[:at] + [STORY[at + 1], STORY[at]] + STORY[at + 2 :])


def test_the_output_of_another_cell_is_noticed():
    mixed = [dict(message) for message in STORY]
    mixed[2]["content"] = {"text": "2 0 0\n"}
    assert not believed(mixed)


def test_the_reply_of_another_client_is_noticed():
    assert not believed([*STORY, story(2, range(1))[-1]])


def test_who_returns_may_hear_the_end_again():
    assert believed(STORY[:9] + STORY[5:], returned_at=9)


def test_who_returns_may_not_miss_a_part_of_it():
    assert not believed(STORY[:9] + STORY[5:7] + STORY[9:], returned_at=9)
    assert not believed(STORY[:9] + STORY[10:], returned_at=9)
