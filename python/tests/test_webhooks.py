"""The receiver kit: signatures, doubles, gaps and order."""
import base64
import hashlib
import hmac
import json
import time
from typing import Dict, List

import pytest

from armtwin import OWN, Receiver, RunEvent, RunEventInbox, Twin, WebhookRejected, Workcell, Workflow
from armtwin import check_secrets, verify_webhook
from armtwin.webhooks import LISTED_GAPS, REMEMBERED_IDS

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = json.dumps({"run_id": "1", "timestamp": "2026-01-01T00:00:00.000Z", "state": "ok"}).encode()
NOW_S = 1_767_225_600


def headers(body: bytes = BODY, secret: str = SECRET, **other: str) -> Dict[str, str]:
    key = base64.b64decode(secret[len("whsec_") :])
    text = f"msg_1.{NOW_S}.".encode() + body
    signature = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    return {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(NOW_S),
        "Webhook-Signature": f"v1,{signature}",
        "X-Hook-Type": "SafetyStateChangeHook",
        "X-Hook-Attempt": "2",
        "X-Hook-Sequence": "7",
        **{name.replace("_", "-"): value for name, value in other.items()},
    }


def test_a_genuine_delivery_is_read() -> None:
    webhook = verify_webhook(headers(), BODY, [SECRET], now_s=NOW_S + 300)
    assert (webhook.id, webhook.attempt, webhook.event.sequence) == ("msg_1", 2, 7)
    assert (webhook.event.run_id, webhook.event.hook_type) == ("1", "SafetyStateChangeHook")
    other = "whsec_" + base64.b64encode(b"another").decode()
    assert verify_webhook(headers(), BODY.decode(), [other, SECRET], now_s=NOW_S) == webhook
    # The standard example of the format.
    assert len(check_secrets([SECRET, other])) == 2


@pytest.mark.parametrize(
    "body, given, now_s, reason",
    [
        (BODY + b" ", headers(), NOW_S, "no signature belongs"),
        (BODY, headers(secret="whsec_AAAA"), NOW_S, "no signature belongs"),
        (BODY, headers(Webhook_Signature="v2,abc"), NOW_S, "no signature belongs"),
        (BODY, headers(), NOW_S + 301, "differs by more than 300 s"),
        (BODY, headers(), NOW_S - 301, "differs by more than 300 s"),
        (BODY, headers(Webhook_Timestamp="soon"), NOW_S, "webhook-timestamp is no number"),
        (BODY, headers(Webhook_Id=""), NOW_S, "webhook-id is missing"),
        (BODY, headers(X_Hook_Type="OtherHook"), NOW_S, "unknown hook type OtherHook"),
        (BODY, headers(X_Hook_Sequence="0"), NOW_S, "counts from 1"),
        (b"[]", headers(b"[]"), NOW_S, "no JSON object"),
    ],
)
def test_others_are_rejected(body: bytes, given: Dict[str, str], now_s: float, reason: str) -> None:
    with pytest.raises(WebhookRejected, match=reason):
        verify_webhook(given, body, [SECRET], now_s=now_s)


@pytest.mark.parametrize("secrets", ["whsec_AAAA", [], ["secret"], ["whsec_"], ["whsec_?"], [None]])
def test_a_secret_that_cannot_be_used_is_named_but_not_shown(secrets) -> None:
    with pytest.raises(ValueError, match="secrets") as found:
        check_secrets(secrets)
    assert "AAAA" not in str(found.value)


def event(sequence: int, run_id: str = "1", hook_type: str = "NewPlanHook") -> RunEvent:
    return RunEvent(sequence, hook_type, {"run_id": run_id})


def log(*sequences: int, hook_type: str = "NewPlanHook"):
    """The log of a run in pages of two."""

    def fetch(run_id: str, after: int) -> dict:
        left = [one for one in sequences if one > after]
        page = [{"sequence": one, "hook_type": hook_type, "body": {"run_id": run_id}} for one in left[:2]]
        return {"events": page, "next": left[1] if len(left) > 2 else None}

    return fetch


def test_an_inbox_finds_doubles_gaps_and_late_ones() -> None:
    inbox = RunEventInbox()
    assert inbox.take(event(1)) == (True, False, ())
    assert inbox.take(event(4)) == (True, False, (2, 3))
    assert inbox.take(event(2)) == (True, True, ())
    assert not inbox.take(event(2)).is_new
    assert not inbox.take(event(1)).is_new
    assert (inbox.missing("1"), inbox.missing("2")) == ((3,), ())
    assert inbox.take(event(1, "2")).is_new
    inbox.forget("1")
    assert inbox.take(event(1)).is_new


def test_a_message_with_another_number_is_a_double() -> None:
    inbox = RunEventInbox()
    assert inbox.take(event(1), "msg_1").is_new
    assert not inbox.take(event(9), "msg_1").is_new
    for one in range(REMEMBERED_IDS):
        inbox.take(event(one + 2), f"other {one}")
    assert inbox.take(event(REMEMBERED_IDS + 9), "msg_1").is_new


def test_a_huge_number_lists_few_gaps() -> None:
    assert len(RunEventInbox().take(event(10**15)).missing) == LISTED_GAPS


def test_reconcile_reads_what_is_missing_in_order() -> None:
    inbox = RunEventInbox(["NewPlanHook"])
    inbox.take(event(1))
    inbox.take(event(5))
    found = inbox.reconcile("1", log(1, 2, 3, 4, 5, 6))
    assert [one.sequence for one in found] == [2, 3, 4, 6]
    assert inbox.missing("1") == ()
    assert inbox.reconcile("1", log(7, 8, hook_type="TaskStateChangeHook")) == []
    # A log that has lost its oldest events.
    assert [one.sequence for one in inbox.reconcile("2", log(90, 91))] == [90, 91]
    assert inbox.missing("2") == ()


def test_an_event_that_was_given_back_is_new_again() -> None:
    inbox = RunEventInbox()
    for sequence in (1, 2, 3):
        inbox.take(event(sequence), f"msg_{sequence}")
    inbox.give_back(event(2), "msg_2")
    assert inbox.missing("1") == (2,)
    assert inbox.take(event(2), "msg_2") == (True, True, ())
    assert not inbox.take(event(3)).is_new


def test_unknown_types_are_refused() -> None:
    with pytest.raises(ValueError, match="OtherHook is no hook type; there are Run"):
        RunEventInbox(["OtherHook"])


def two_tasks(url: str) -> Workflow:
    cell = Workcell("bench", carry="2 s")
    cell.add("hotel", slots=2)
    cell.add("washer")
    workflow = Workflow("hooked", cell)
    with workflow.each(workflow.deck.plates(2, "hotel")) as plate:
        plate.step("wash", "washer", 10)
        plate.step("back", "hotel", 1, slot=OWN)
    for hook_type in ("RunStateChangeHook", "TaskStateChangeHook", "LabwareMovementHook", "NewPlanHook"):
        workflow.hook(url, hook_type)
    return workflow


def heard(events: List[RunEvent], count: int) -> None:
    for _ in range(500):
        if len(events) >= count:
            return
        time.sleep(0.02)


def test_a_receiver_gets_each_event_once_and_in_order(twin: Twin) -> None:
    events: List[RunEvent] = []
    failures = [True, True]

    def take(one: RunEvent) -> None:
        if one.sequence == 3 and failures:
            failures.pop()
            raise OSError("the database is away")
        events.append(one)

    with Receiver(twin, take) as receiver:
        run = two_tasks(receiver.url).run(twin, simulate_drivers=True).wait()
        logged = run.events()
        heard(events, len(logged))
    assert [one.sequence for one in events] == list(range(1, len(logged) + 1))
    assert [one.body for one in events] == [one["body"] for one in logged]
    assert receiver.receive({}, b"") == 400
