"""For receivers of webhooks: checks signatures, finds doubles and gaps, and puts events in order.

Signatures are those of Standard Webhooks; docs/receivers.md says what a receiver has to do.
"""
import base64
import binascii
import hashlib
import hmac
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional
from typing import Sequence, Set, Tuple, Union

if TYPE_CHECKING:
    from .twin import Twin

HOOK_TYPES = (
    "RunStateChangeHook",
    "TaskStateChangeHook",
    "SafetyStateChangeHook",
    "LabwareMovementHook",
    "NewPlanHook",
)
#: Ids of messages that an inbox remembers; it forgets the oldest ones first.
REMEMBERED_IDS = 10_000
#: Numbers that `missing` lists at most, the lowest ones: a forged number may be a huge one.
LISTED_GAPS = 1_000
#: Largest difference between clocks and time on the way (s).
TOLERANCE_S = 300.0
#: Largest body that a receiver reads (bytes): those of the twin have less than a kilobyte.
BODY_BYTES = 64 * 1024

PREFIX = "whsec_"
COUNT = re.compile(r"[0-9]{1,15}")


class WebhookRejected(Exception):
    """A delivery that must not be taken; answer it with 400."""


class RunEvent(NamedTuple):
    """An event of a run. Only `body` is signed; `sequence` and `hook_type` are from headers that are not."""

    #: Counts all events of the run, from 1.
    sequence: int
    hook_type: str
    body: Dict[str, Any]

    @property
    def run_id(self) -> str:
        """The run that it belongs to."""
        return str(self.body["run_id"])


class Webhook(NamedTuple):
    """A verified delivery."""

    #: Id of the message; equal for all attempts.
    id: str
    #: Counts the attempts; from a header that is not signed.
    attempt: int
    event: RunEvent


def _key(secret: object, place: str) -> bytes:
    if not isinstance(secret, str) or not secret.startswith(PREFIX):
        raise ValueError(f"{place} does not begin with {PREFIX}")
    try:
        key = base64.b64decode(secret[len(PREFIX) :], validate=True)
    except binascii.Error:
        raise ValueError(f"{place} has something other than base64 after {PREFIX}") from None
    if not key:
        raise ValueError(f"{place} has nothing after {PREFIX}")
    return key


def check_secrets(secrets: Sequence[str]) -> List[bytes]:
    """The keys of signing secrets. Raises ValueError, which names the first that cannot be used by its
    place and does not show it: call this at the start."""
    if isinstance(secrets, (str, bytes)) or not secrets:
        raise ValueError("secrets needs a list of at least one signing secret, as in [secret]")
    return [_key(secret, f"secrets[{i}]") for i, secret in enumerate(secrets)]


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[bytes, str],
    secrets: Sequence[str],
    *,
    now_s: Optional[float] = None,
    tolerance_s: float = TOLERANCE_S,
) -> Webhook:
    """Checks signature and age of a delivery: the headers and the body as it arrived, byte for byte.

    Raises WebhookRejected if either is wrong, and ValueError for a secret that cannot be used.
    """
    keys = check_secrets(secrets)
    given = {name.lower(): value for name, value in headers.items()}

    def header(name: str) -> str:
        if not given.get(name):
            raise WebhookRejected(f"the header {name} is missing")
        return given[name]

    def count(name: str) -> int:
        if not COUNT.fullmatch(header(name)):
            raise WebhookRejected(f"the header {name} is no number")
        return int(header(name))

    message, sent_s = header("webhook-id"), count("webhook-timestamp")
    now = time.time() if now_s is None else now_s
    if not abs(now - sent_s) <= tolerance_s:
        raise WebhookRejected(f"the timestamp differs by more than {tolerance_s:g} s")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message}.{sent_s}.".encode() + raw
    expected = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    found = [one[3:].encode() for one in header("webhook-signature").split(" ") if one[:3] == "v1,"]
    if not any(hmac.compare_digest(one, other) for one in expected for other in found):
        raise WebhookRejected("no signature belongs to a known secret")
    hook_type = header("x-hook-type")
    if hook_type not in HOOK_TYPES:
        raise WebhookRejected(f"unknown hook type {hook_type}")
    sequence = count("x-hook-sequence")
    if sequence == 0:
        raise WebhookRejected("the header x-hook-sequence counts from 1")
    try:
        content = json.loads(raw)
    except ValueError:
        content = None
    if not isinstance(content, dict) or not isinstance(content.get("run_id"), str):
        raise WebhookRejected("the body is no JSON object with a run_id")
    return Webhook(message, count("x-hook-attempt"), RunEvent(sequence, hook_type, content))


class Taken(NamedTuple):
    """What a receiver does with an event."""

    #: False for a double: answer 2xx and do nothing.
    is_new: bool
    #: Whether it comes after a later one of its run.
    is_late: bool
    #: Sequence numbers before it that have not come, at most LISTED_GAPS. They may belong to hooks that the
    #: receiver does not have; `reconcile` finds out.
    missing: Tuple[int, ...]


class _Run:
    def __init__(self) -> None:
        #: Every event up to this number has been taken, or is none of this receiver.
        self.complete = 0
        #: The taken ones above.
        self.taken: Set[int] = set()
        self.last = 0

    def settle(self) -> None:
        while self.complete + 1 in self.taken:
            self.complete += 1
            self.taken.remove(self.complete)

    def gaps(self, before: int) -> Tuple[int, ...]:
        missing: List[int] = []
        for one in range(self.complete + 1, before):
            if len(missing) == LISTED_GAPS:
                break
            if one not in self.taken:
                missing.append(one)
        return tuple(missing)


#: One page of the log of a run: `{"events": […], "next": …}` of GET /workflow/v1/runs/{run_id}/events?after=.
FetchEvents = Callable[[str, int], Mapping[str, Any]]


class RunEventInbox:
    """The events that a receiver has taken, by run: finds doubles and gaps. Not for several threads at once."""

    def __init__(self, types: Iterable[str] = HOOK_TYPES) -> None:
        """`types` are the hooks of the receiver."""
        self._types = set(types)
        unknown = self._types - set(HOOK_TYPES)
        if unknown:
            raise ValueError(f"{sorted(unknown)[0]} is no hook type; there are {', '.join(HOOK_TYPES)}")
        self._runs: Dict[str, _Run] = {}
        self._ids: Dict[str, None] = {}

    def take(self, event: RunEvent, message: Optional[str] = None) -> Taken:
        """Takes an event; `message` is the id of its message (`Webhook.id`).

        A signed message may arrive again with another sequence number, which is not signed.
        """
        is_known = message is not None and message in self._ids
        if message is not None and not is_known:
            self._ids[message] = None
            if len(self._ids) > REMEMBERED_IDS:
                del self._ids[next(iter(self._ids))]
        run = self._runs.setdefault(event.run_id, _Run())
        if is_known or event.sequence <= run.complete or event.sequence in run.taken:
            return Taken(False, False, ())
        is_late, missing = event.sequence < run.last, run.gaps(event.sequence)
        run.taken.add(event.sequence)
        run.last = max(run.last, event.sequence)
        run.settle()
        return Taken(True, is_late, missing)

    def missing(self, run_id: str) -> Tuple[int, ...]:
        """The numbers of a run that have not come although later ones have, or that were given back."""
        run = self._runs.get(run_id)
        return run.gaps(run.last + 1) if run else ()

    def reconcile(self, run_id: str, fetch_events: FetchEvents) -> List[RunEvent]:
        """Reads the log of a run from the first gap on and takes what has not come; returns it in order.

        What belongs to hooks that the receiver does not have is no longer missing. Takes nothing where
        `fetch_events` raises.
        """
        run = self._runs.setdefault(run_id, _Run())
        logged: List[RunEvent] = []
        after: Optional[int] = run.complete
        while after is not None:
            page = fetch_events(run_id, after)
            logged += [RunEvent(one["sequence"], one["hook_type"], one["body"]) for one in page["events"]]
            after = page["next"]
        if logged and logged[0].sequence > run.complete + 1:
            # The log of a long run has lost its oldest events.
            run.complete = logged[0].sequence - 1
            run.taken = {one for one in run.taken if one > run.complete}
            run.settle()
        return [one for one in logged if self.take(one).is_new and one.hook_type in self._types]

    def give_back(self, event: RunEvent, message: Optional[str] = None) -> None:
        """Gives an event back that could not be processed: it is new when it comes again."""
        if message is not None:
            self._ids.pop(message, None)
        run = self._runs.setdefault(event.run_id, _Run())
        run.taken.update(range(event.sequence + 1, run.complete + 1))
        run.complete = min(run.complete, event.sequence - 1)
        run.taken.discard(event.sequence)

    def forget(self, run_id: str) -> None:
        """Forgets a run that has stopped."""
        self._runs.pop(run_id, None)


class Receiver:
    """Listens for webhooks of a twin, and calls `on_event` once for each event, in order of its run.

    What did not arrive is read from the log of the run. A call of `on_event` that raises is repeated: the
    delivery is answered with 503 and comes again. Use it in a `with`, or call `close`.
    """

    def __init__(
        self,
        twin: "Twin",
        on_event: Callable[[RunEvent], None],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        types: Iterable[str] = HOOK_TYPES,
    ) -> None:
        secret = twin.call("GET", "/workflow/v1/webhooks/secret")["signing"]["secret"]
        self._secrets = [secret]
        self._twin = twin
        self._on_event = on_event
        self._inbox = RunEventInbox(types)
        self._lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # noqa: N802: the name that the server calls
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(min(length, BODY_BYTES))
                self.send_response(receiver.receive(dict(self.headers.items()), body))
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer((host, port), Handler)
        #: The address for hooks.
        self.url = f"http://{host}:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def receive(self, headers: Mapping[str, str], body: bytes) -> int:
        """Processes a request; returns the status to answer."""
        try:
            webhook = verify_webhook(headers, body, self._secrets)
        except WebhookRejected:
            return 400
        with self._lock:
            taken = self._inbox.take(webhook.event, webhook.id)
            if not taken.is_new:
                return 204
            due = [webhook.event]
            try:
                if taken.missing:
                    due += self._inbox.reconcile(webhook.event.run_id, self._fetch)
                    due.sort(key=lambda event: event.sequence)
                while due:
                    self._on_event(due[0])
                    del due[0]
            except Exception:
                for event in due:
                    self._inbox.give_back(event, webhook.id)
                return 503
        return 204

    def _fetch(self, run_id: str, after: int) -> Mapping[str, Any]:
        return dict(self._twin.call("GET", f"/workflow/v1/runs/{run_id}/events?after={after}"))

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> "Receiver":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
