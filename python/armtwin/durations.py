"""Durations as a protocol says them: seconds as a number, or "90 s", "30 min", "2 h", "3 d"."""
import re
from datetime import timedelta
from typing import Union

Duration = Union[int, float, str, timedelta]

UNITS_S = {"s": 1, "min": 60, "h": 3600, "d": 86400}
TEXT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d)\s*")


def seconds(duration: Duration) -> float:
    """The duration in seconds. Raises ValueError for a text that is none, or a negative time."""
    if isinstance(duration, timedelta):
        value = duration.total_seconds()
    elif isinstance(duration, str):
        parts = TEXT.findall(duration)
        if not parts or TEXT.sub("", duration):
            raise ValueError(f"{duration!r} is no duration: write seconds as a number, or '90 s', '1 h 30 min'")
        value = sum(float(number) * UNITS_S[unit] for number, unit in parts)
    else:
        value = float(duration)
    if not 0 <= value < float("inf"):
        raise ValueError(f"a duration is a time of 0 s or more, not {duration!r}")
    return value


def whole_seconds(duration: Duration) -> int:
    """The duration in whole seconds, as definitions have them. Raises ValueError for parts of a second."""
    value = seconds(duration)
    if value != int(value):
        raise ValueError(f"{duration!r} has parts of a second; definitions have whole ones")
    return int(value)
