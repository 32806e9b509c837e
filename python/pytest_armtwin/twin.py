"""A running twin: its process, its API, and its clock."""
import http.client
import json
import os
import shlex
import shutil
import subprocess
import threading
import urllib.error
import urllib.request
from typing import Any, Dict, List, Optional, Tuple, Union
from urllib.parse import quote, urlsplit

READY = "armtwin ready "
#: Time in which the program is ready, or says what it installs or builds (s).
READY_S = 30.0
#: Time of a call (s): one that advances the clock may take 600 s (call_advance_s of the limits).
CALL_S = 630.0
#: Time that the program has to end (s).
STOP_S = 5.0
#: Time in which the exit code of a twin that does not answer is awaited (s).
EXIT_S = 0.5
TOKEN = "pytest-armtwin-token"
#: Status of a call whose session has ended.
UNAUTHORIZED = 401

Body = Dict[str, Any]


class TwinError(Exception):
    """The twin could not be started, or it has ended."""


def _sentence(body: str) -> str:
    """Title and details of an error of the API; other bodies as they are."""
    try:
        error = json.loads(body)["error"]
        details = error.get("details")
    except (ValueError, KeyError, TypeError, AttributeError):
        return body
    if isinstance(details, list):
        details = "; ".join(f"{one.get('path')} {one.get('problem')}" for one in details)
    return str(error.get("title")) + (f": {details}" if details else "")


class ApiError(Exception):
    """The twin refused a call."""

    def __init__(self, call: str, status: int, body: str) -> None:
        super().__init__(f"{call} answered {status}: {_sentence(body)}")
        self.status = status
        self.body = body


def _is_answer(raised: Any) -> bool:
    """Whether pytest hides a frame of this file: the answer says all, the test shows the call."""
    return isinstance(raised.value, (ApiError, TwinError))


def _end_silent(
    process: "subprocess.Popen[str]", lines: List[str], started: threading.Event
) -> None:
    """Ends a program that neither starts nor prints: a clone may first install and build."""
    seen = 0
    while not started.wait(READY_S):
        if len(lines) == seen:
            process.kill()
            return
        seen = len(lines)


def find_program(given: Optional[str] = None) -> List[str]:
    """The command that starts a twin: given, on the PATH, or in node_modules.

    A folder is a clone of armtwin or a project that has it installed.
    """
    if given and os.path.isdir(given):
        for place in ("tools/armtwin.mjs", "node_modules/.bin/armtwin"):
            if os.path.exists(os.path.join(given, place)):
                return ["node", os.path.join(given, place)]
        raise TwinError(f"{given} has no armtwin: name a clone, or a folder where it is installed")
    if given:
        return shlex.split(given)
    local = os.path.join("node_modules", ".bin", "armtwin")
    found = shutil.which("armtwin") or (local if os.path.exists(local) else None)
    if found is None:
        raise TwinError(
            "armtwin was not found: install it with npm, or name its clone or command with "
            "--armtwin or ARMTWIN_COMMAND, for example --armtwin ../armtwin"
        )
    return [found]


class Twin:
    """A twin over HTTP. Times are seconds, angles radians."""

    def __init__(self, url: str, token: str) -> None:
        #: Base URL, such as http://127.0.0.1:40123.
        self.url = url
        #: API token of the admin.
        self.token = token
        #: Host and port, as the SDK takes them.
        self.host = urlsplit(url).netloc
        self._session: Optional[str] = None
        self._process: Optional["subprocess.Popen[str]"] = None
        self._errors: List[str] = []
        self._program: Optional[Tuple[List[str], List[str]]] = None

    @classmethod
    def start(cls, command: List[str], flags: List[str]) -> "Twin":
        """Starts a twin on a free port. It ends with this process, however that ends."""
        twin = cls("", TOKEN)
        twin._launch(command, flags)
        return twin

    def revive(self) -> None:
        """Starts the program again, if this object started it and it has ended."""
        if self._program is not None and self._process and self._process.poll() is not None:
            self.stop()
            self._launch(*self._program)

    def _launch(self, command: List[str], flags: List[str]) -> None:
        args = [*command, "--port", "0", "--token", TOKEN, "--parent", str(os.getpid()), *flags]
        try:
            process = subprocess.Popen(
                args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        except OSError as error:
            reason = "it was not found" if isinstance(error, FileNotFoundError) else str(error)
            raise TwinError(f"{command[0]} cannot be started: {reason}") from error
        errors: List[str] = []
        reader = threading.Thread(target=_collect, args=(process.stderr, errors), daemon=True)
        reader.start()
        started = threading.Event()
        threading.Thread(
            target=_end_silent, args=(process, errors, started), daemon=True
        ).start()
        line = process.stdout.readline() if process.stdout else ""
        started.set()
        if not line.startswith(READY):
            process.kill()
            process.wait()
            reader.join(1)
            raise TwinError(f"{shlex.join(args)} did not become ready:\n{''.join(errors)}")
        self.url = line[len(READY) :].strip()
        self.host = urlsplit(self.url).netloc
        self._session = None
        self._process = process
        self._errors = errors
        self._program = (command, flags)

    def stop(self) -> None:
        """Stops the program, if this object started it."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._process = None

    def call(self, method: str, path: str, body: Optional[Body] = None) -> Any:
        """Calls the API; returns the JSON of the reply, or None. Raises ApiError on a refusal.

        A session that has ended, as by a power cycle or an update, is replaced by a new one.
        """
        __tracebackhide__ = _is_answer
        known = self._session
        try:
            return self._call(method, path, body)
        except ApiError as error:
            if error.status != UNAUTHORIZED or known is None or path == "/api/v1/auth":
                raise
            self._session = None
            return self._call(method, path, body)

    def _call(self, method: str, path: str, body: Optional[Body]) -> Any:
        __tracebackhide__ = _is_answer
        if self._session is None and path != "/api/v1/auth":
            reply = self._call("POST", "/api/v1/auth", {"token": self.token})
            self._session = reply["token"]
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._session is not None:
            request.add_header("Authorization", f"Bearer {self._session}")
        try:
            with urllib.request.urlopen(request, timeout=CALL_S) as reply:
                text = reply.read()
        except urllib.error.HTTPError as error:
            raise ApiError(f"{method} {path}", error.code, error.read().decode()) from None
        except (OSError, http.client.HTTPException) as error:
            # A twin that dies closes its connections before its exit code is known.
            raise TwinError(self._gone(error)) from None
        return json.loads(text) if text else None

    def _gone(self, error: Exception) -> str:
        code = None
        if self._process is not None:
            try:
                code = self._process.wait(EXIT_S)
            except subprocess.TimeoutExpired:
                pass
        if code is None:
            return f"the twin at {self.url} does not answer: {getattr(error, 'reason', error)}"
        return f"the twin ended with exit code {code}:\n{''.join(self._errors)}"

    def reset(self) -> None:
        """Restores the initial state: pose, lock, toolpaths, users, faults and obstacles."""
        __tracebackhide__ = _is_answer
        self._session = None
        self.call("POST", "/sim/v1/reset", {})
        self._session = None

    def advance(self, seconds: float) -> None:
        """Advances the clock of the twin."""
        __tracebackhide__ = _is_answer
        self.call("POST", "/sim/v1/clock/advance", {"seconds": seconds})

    def until(self, state: str, limit_s: float = 60.0) -> bool:
        """Advances the clock until the arm is in a state; returns whether it is."""
        __tracebackhide__ = _is_answer
        body = {"state": state, "limit_s": limit_s}
        return bool(self.call("POST", "/sim/v1/clock/until", body)["reached"])

    def wait_until_object(
        self,
        name: str,
        at: Optional[str] = None,
        limit_s: float = 60.0,
        **goal: Any,
    ) -> bool:
        """Advances the clock until an object of the cell rests at a place; returns whether it does.

        `goal` has the other fields of POST /sim/v1/cell/until, such as `held_by` and `within_mm`.
        """
        __tracebackhide__ = _is_answer
        where = {} if at is None else {"at": at}
        body = {"object": name, **where, **goal, "limit_s": limit_s}
        return bool(self.call("POST", "/sim/v1/cell/until", body)["reached"])

    def set_clock(self, pace: Any) -> None:
        """Sets the pace of the clock: 'stepped', 'max', or a multiple of real time."""
        __tracebackhide__ = _is_answer
        self.call("PUT", "/sim/v1/clock", {"pace": pace})

    def inject(self, kind: str, **fields: Any) -> Any:
        """Injects a fault; returns it with its id."""
        __tracebackhide__ = _is_answer
        return self.call("POST", "/sim/v1/faults", {"kind": kind, **fields})["fault"]

    def load_cell(self, cell: Union[str, "os.PathLike[str]", Body]) -> None:
        """Puts the things of a cell, a file or its content, around the arm."""
        __tracebackhide__ = _is_answer
        if not isinstance(cell, dict):
            with open(cell, encoding="utf-8") as file:
                cell = dict(json.load(file))
        self.call("PUT", "/sim/v1/cell", cell)

    def cell_object(self, name: str) -> Body:
        """An object of the cell as a dict: `at` is its nest, `held_by` its gripper, `events` what happened."""
        __tracebackhide__ = _is_answer
        reply = self.call("GET", f"/sim/v1/cell/objects/{quote(name)}")
        return {**reply["object"], "events": reply["events"]}

    def snapshot(self) -> Body:
        """The data snapshot of the arm."""
        __tracebackhide__ = _is_answer
        return dict(self.call("GET", "/api/v1/data/snapshot")["snapshot"])

    @property
    def state(self) -> str:
        """The state of the arm, such as 'ready' or 'collision'."""
        __tracebackhide__ = _is_answer
        return str(self.snapshot()["control"]["state"])

    @property
    def joints(self) -> List[float]:
        """The joint positions."""
        __tracebackhide__ = _is_answer
        return list(self.snapshot()["servos.telemetry.position"])


def _collect(stream: Any, lines: List[str]) -> None:
    lines.extend(stream)
