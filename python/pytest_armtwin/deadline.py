"""The deadline of a test: ends a test that waits for ever, and says what it waits in front of."""
import _thread
import contextlib
import signal
import threading
from typing import Any, Callable, Iterator, Optional

import pytest

#: Time in which the twin says how it stands (s): the deadline is over already.
REPORT_S = 2.0


def _interrupt(main: int) -> None:
    """Runs the handler of SIGINT in the main thread, also while that waits in a system call."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


class Deadline:
    """Fails a test after some seconds of wall time. `report` says how the twin stands then."""

    def __init__(self, seconds: float, report: Callable[[], str]) -> None:
        self._seconds = seconds
        self._report = report
        self._sentence: Optional[str] = None
        self._main = threading.main_thread()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Watches what runs within. Other threads than the main one cannot be interrupted."""
        if threading.current_thread() is not self._main:
            yield
            return
        before = signal.signal(signal.SIGINT, self._raise_or(signal.getsignal(signal.SIGINT)))
        timer = threading.Timer(self._seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            signal.signal(signal.SIGINT, before)

    def _end(self) -> None:
        self._sentence = f"the test's deadline of {self._seconds:g} s is over: {self._report()}"
        _interrupt(self._main.ident or 0)

    def _raise_or(self, other: Any) -> Callable[[int, Any], None]:
        def handle(number: int, frame: Any) -> None:
            __tracebackhide__ = True
            if self._sentence is not None:
                # No subclass of Exception, which the loops of clients catch.
                raise pytest.fail.Exception(self._sentence, pytrace=True)
            if callable(other):
                other(number, frame)

        return handle
