"""The workcell of a workflow: the instruments, and how long the arm takes between them."""
import json
from os import PathLike
from typing import Any, Dict, List, Optional, Union

from .durations import Duration, whole_seconds

Json = Dict[str, Any]


class Workcell:
    """Instruments by name. Without instruments it names a workcell that the twin has stored."""

    def __init__(self, name: str, *, carry: Duration = 0) -> None:
        """`carry`: how long a move of labware takes where no arm carries it and no path says more."""
        self.name = name
        self._carry_s = whole_seconds(carry)
        self._instruments: Dict[str, Json] = {}
        self._paths: List[Json] = []

    def add(
        self,
        name: str,
        *,
        type: Optional[str] = None,  # noqa: A002: the word of the API
        slots: int = 1,
        role: Optional[str] = None,
        **fields: Any,
    ) -> str:
        """Adds an instrument with slots 1 to `slots`; its type is its name unless one is given.

        `role`: "buffer", where the planner may put labware aside, or "reject" for labware that is given
        up. `fields` are further members of the API, such as `bench`. Returns the name.
        """
        if name in self._instruments:
            raise ValueError(f"{self.name} has an instrument {name} already")
        about: Json = {"id": name, "type": type or name, "capacity": slots, **fields}
        if role is not None:
            about["role"] = role
        self._instruments[name] = about
        return name

    def path(self, source: str, destination: str, duration: Duration) -> None:
        """Says how long moves from one instrument or bench to another take."""
        time = whole_seconds(duration)
        self._paths.append({"source": source, "destination": destination, "time": time})

    def arm(self, config: Union[Json, str, "PathLike[str]"], name: str = "arm") -> None:
        """Lets the arm carry labware: the `config` of the transport instrument, or a file with it."""
        if not isinstance(config, dict):
            with open(config, encoding="utf-8") as file:
                config = dict(json.load(file))
        self._instruments[name] = {"id": name, "type": "transport", "config": config}

    def slots(self, name: str) -> int:
        """How many slots an instrument has. Raises ValueError for one that is not there."""
        if name not in self._instruments:
            known = ", ".join(self._instruments) or "none"
            raise ValueError(f"{self.name} has no instrument {name}; there are {known}")
        return int(self._instruments[name].get("capacity", 1))

    def types(self) -> List[str]:
        """The types of the instruments."""
        return [str(one["type"]) for one in self._instruments.values()]

    def to_json(self) -> Json:
        """The workcell as the API has it."""
        about: Json = {"workcell_id": self.name}
        if self._instruments:
            matrix: Json = {"default": self._carry_s}
            if self._paths:
                matrix["paths"] = list(self._paths)
            about.update(instruments=list(self._instruments.values()), transport_matrix=matrix)
        return about
