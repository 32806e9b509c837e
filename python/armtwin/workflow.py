"""A workflow as a script that reads like the protocol: labware on a deck, steps, limits of time."""
import json
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

from .durations import Duration, whole_seconds
from .run import Plan, Run
from .workcell import Json, Workcell

if TYPE_CHECKING:
    from .twin import Twin

#: The slot of a step of which each piece has its own: that of its number among the pieces.
OWN = "{n}"


class InvalidWorkflow(Exception):
    """The twin found errors in a workflow."""

    def __init__(self, name: str, errors: Sequence[Json]) -> None:
        lines = [f"{one['path']} {one['message']}" for one in errors]
        super().__init__("\n  ".join([f"{name} is not valid:", *lines]))
        self.errors = list(errors)


class Point(NamedTuple):
    """The start or the end of a task, for a limit of time."""

    task: str
    edge: str


class Step:
    """A task, or a step of a template."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def start(self) -> Point:
        """When it starts."""
        return Point(self.name, "start")

    @property
    def end(self) -> Point:
        """When it ends."""
        return Point(self.name, "end")


def _limit(
    name: str,
    start: Point,
    end: Point,
    at_least: Optional[Duration],
    at_most: Optional[Duration],
    on_violation: Optional[str],
) -> Json:
    if at_least is None and at_most is None:
        raise ValueError(f"the limit {name} says neither at_least nor at_most")
    limit: Json = {
        "id": name,
        "type": f"{start.edge}_to_{end.edge}",
        "start_task_id": start.task,
        "end_task_id": end.task,
    }
    if at_least is not None:
        limit["min_duration"] = whole_seconds(at_least)
    if at_most is not None:
        limit["max_duration"] = whole_seconds(at_most)
    if on_violation is not None:
        limit["on_violation"] = on_violation
    return limit


def _task(
    on: str,
    duration: Duration,
    action: str,
    after: Iterable[Step],
    uses: Optional[Mapping[str, float]],
    fields: Json,
) -> Json:
    about: Json = {
        "instrument": {"type": on},
        "action": action,
        "time_estimate": whole_seconds(duration),
        **fields,
    }
    names = [one.name for one in after]
    if names:
        about["dependencies"] = names
    taken = {
        name: {"type": "consumable", "labware_id": name, "units_consumed": units}
        for name, units in (uses or {}).items()
    }
    if taken:
        about["labware_sources"] = {**about.get("labware_sources", {}), **taken}
    return about


class _Conditions:
    """The conditions that hold for the steps of a block."""

    def __init__(self) -> None:
        self._conditions: List[Json] = []

    @contextmanager
    def when(
        self,
        step: Step,
        output: str,
        *,
        equals: Union[str, float, bool, None] = None,
        not_equals: Union[str, float, bool, None] = None,
        at_least: Optional[float] = None,
        below: Optional[float] = None,
    ) -> Iterator[None]:
        """The steps of the block are done only if a value that `step` returns is like this.

        Else they are cancelled, and what comes after them goes on. Blocks can be nested: all must hold.
        """
        tests = {"equals": equals, "not_equals": not_equals, "at_least": at_least, "below": below}
        said = {name: bound for name, bound in tests.items() if bound is not None}
        if not said:
            raise ValueError(f"when {step.name} returns {output}: say {', '.join(tests)}")
        self._conditions.append({"task_id": step.name, "output": output, **said})
        try:
            yield
        finally:
            self._conditions.pop()

    def _conditional(self, about: Json) -> Json:
        """A task with the conditions of the blocks that it stands in."""
        conditions = [*self._conditions, *about.get("only_if", [])]
        return {**about, "only_if": conditions} if conditions else about


class Deck:
    """Which labware stands where at the start."""

    def __init__(self, workcell: Workcell) -> None:
        self._workcell = workcell
        self._labware: Dict[str, Json] = {}

    def __enter__(self) -> "Deck":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def put(
        self,
        name: str,
        instrument: str,
        slot: int = 1,
        *,
        type: Optional[str] = None,  # noqa: A002
        **fields: Any,
    ) -> str:
        """Puts a piece into a slot; returns its name. Raises ValueError where the slot is taken.

        `fields` are further members of labware of the API, such as `barcode`, or `units` and `refill` of
        what tasks use up.
        """
        for other, about in self._labware.items():
            place = about["starting_location"]
            if other == name:
                raise ValueError(f"there is labware {name} already")
            if (place["instrument"], place["slot"]) == (instrument, slot):
                raise ValueError(f"{instrument} slot {slot} holds {other} already")
        place = {"instrument": instrument, "slot": slot}
        about: Json = {"id": name, "starting_location": place, **fields}
        if type is not None:
            about["labware_type"] = type
        self._labware[name] = about
        return name

    def plates(
        self,
        count: int,
        instrument: str,
        *,
        name: str = "plate",
        first_slot: int = 1,
        barcodes: Sequence[str] = (),
    ) -> List[str]:
        """Puts plates into successive slots of an instrument: `plate_1`, `plate_2` and so on.

        `barcodes`: what is printed on them, for tasks with `reads_barcode`.
        """
        if barcodes and len(barcodes) != count:
            raise ValueError(f"{count} plates have {count} barcodes, not {len(barcodes)}")
        free = self._workcell.slots(instrument) - first_slot + 1
        if count > free:
            raise ValueError(f"{count} plates do not fit into {instrument}, which has {max(0, free)} slots")
        printed = [{"barcode": one} for one in barcodes] or [{}] * count
        return [
            self.put(f"{name}_{i + 1}", instrument, first_slot + i, **printed[i]) for i in range(count)
        ]

    def to_json(self) -> List[Json]:
        """The labware as the API has it."""
        return list(self._labware.values())


class Template(_Conditions):
    """What each piece of a list goes through; the twin makes a task of each step for each piece."""

    def __init__(self, pieces: Sequence[str]) -> None:
        super().__init__()
        self._pieces = list(pieces)
        self._steps: List[Json] = []
        self._limits: List[Json] = []

    def __enter__(self) -> "Template":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def step(
        self,
        name: str,
        on: str,
        duration: Duration,
        *,
        slot: Union[int, str, None] = None,
        after: Iterable[Step] = (),
        uses: Optional[Mapping[str, float]] = None,
        action: Optional[str] = None,
        **fields: Any,
    ) -> Step:
        """Adds a step on an instrument of the type `on`, after the step before.

        `slot`: the slot for the piece; `OWN`: its own slot for each piece. `uses`: the units that it takes
        of consumables on the instrument, such as `{tips: 8}`. `fields` are further members
        of a task of the API, such as `on_failure`.
        """
        about = {"id": name, **_task(on, duration, action or name, after, uses, fields)}
        if slot is not None:
            about["destination_slot"] = slot
        self._steps.append(self._conditional(about))
        return Step(name)

    def limit(
        self,
        name: str,
        start: Point,
        end: Point,
        *,
        at_least: Optional[Duration] = None,
        at_most: Optional[Duration] = None,
        on_violation: Optional[str] = None,
    ) -> None:
        """Limits the time between two steps of each piece."""
        self._limits.append(_limit(name, start, end, at_least, at_most, on_violation))

    def of(self, step: Step, piece: str) -> Step:
        """The task that a step makes for a piece, for what comes after the template."""
        if piece not in self._pieces:
            raise ValueError(f"the template has no {piece}")
        return Step(f"{step.name}_{piece}")

    def all(self, step: Step) -> List[Step]:
        """The tasks that a step makes for all pieces."""
        return [self.of(step, piece) for piece in self._pieces]

    def last(self, piece: str) -> Optional[str]:
        """The task that has a piece last; None for one that the template does not have."""
        if piece not in self._pieces or not self._steps:
            return None
        return f"{self._steps[-1]['id']}_{piece}"

    def to_json(self) -> Json:
        """The template as the API has it."""
        about: Json = {"for_each": self._pieces, "steps": self._steps}
        if self._limits:
            about["time_constraints"] = self._limits
        return about


class Workflow(_Conditions):
    """Tasks on labware in a workcell. Nothing is sent before `validate`, `plan` or `run`."""

    def __init__(self, name: str, workcell: Workcell, *, author: Optional[str] = None) -> None:
        super().__init__()
        self.name = name
        self.workcell = workcell
        #: The labware at the start.
        self.deck = Deck(workcell)
        self._author = author
        self._templates: List[Template] = []
        self._tasks: Dict[str, Json] = {}
        self._limits: List[Json] = []
        self._hooks: List[Json] = []
        self._last: Dict[str, str] = {}

    def each(self, pieces: Sequence[str]) -> Template:
        """Begins a template: its steps are done on each of the pieces.

        Raises ValueError for a piece that has tasks of `task` already, which a template does not see.
        """
        for piece in pieces:
            if piece in self._last:
                task = self._last[piece]
                raise ValueError(f"{piece} has the task {task} already: begin the template before it")
        template = Template(pieces)
        self._templates.append(template)
        return template

    def task(
        self,
        name: str,
        on: str,
        duration: Duration,
        *,
        labware: Union[str, Sequence[str]] = (),
        slots: Optional[Dict[str, int]] = None,
        after: Iterable[Step] = (),
        uses: Optional[Mapping[str, float]] = None,
        action: Optional[str] = None,
        **fields: Any,
    ) -> Step:
        """Adds one task on any pieces of labware, which come from their tasks before or the deck.

        `slots`: the slot of each piece by its name; default 1.
        """
        if name in self._tasks:
            raise ValueError(f"there is a task {name} already")
        about = {"id": name, **_task(on, duration, action or name, after, uses, fields)}
        sources: Json = {}
        for piece in [labware] if isinstance(labware, str) else labware:
            before = self._last.get(piece) or self._after_templates(piece)
            source: Json = {"type": "labware_source" if before else "stored_labware", "labware_id": piece}
            if before is not None:
                source["source_task"] = before
            if slots and piece in slots:
                source["destination_slot"] = slots[piece]
            sources[piece] = source
            self._last[piece] = name
        if sources:
            about["labware_sources"] = {**sources, **about.get("labware_sources", {})}
        self._tasks[name] = self._conditional(about)
        return Step(name)

    def _after_templates(self, piece: str) -> Optional[str]:
        found = [one for one in (template.last(piece) for template in self._templates) if one]
        return found[-1] if found else None

    def limit(
        self,
        name: str,
        start: Point,
        end: Point,
        *,
        at_least: Optional[Duration] = None,
        at_most: Optional[Duration] = None,
        on_violation: Optional[str] = None,
    ) -> None:
        """Limits the time between two tasks: `limit("wet", wash.end, read.start, at_most="3 min")`."""
        self._limits.append(_limit(name, start, end, at_least, at_most, on_violation))

    def hook(self, url: str, type: str, **fields: Any) -> None:  # noqa: A002
        """Sends the events of a type to an address, such as "RunStateChangeHook"."""
        self._hooks.append({"type": type, "parameters": {"url": url}, **fields})

    def to_json(self) -> Json:
        """The definition as the API has it."""
        work: Json = {"labware": self.deck.to_json(), "tasks": self._tasks}
        if self._templates:
            work["templates"] = [one.to_json() for one in self._templates]
        if self._limits:
            work["time_constraints"] = self._limits
        if self._hooks:
            work["hooks"] = self._hooks
        about: Json = {"name": self.name, "workflow": work, "workcell": self.workcell.to_json()}
        if self._author is not None:
            about["metadata"] = {"author": self._author}
        return about

    def save(self, path: Union[str, "PathLike[str]"]) -> None:
        """Writes the definition into a file, which `armtwin` and the page read."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_json(), file, indent=2)
            file.write("\n")

    def validate(self, twin: "Twin") -> List[str]:
        """Lets the twin check the definition; returns its warnings. Raises InvalidWorkflow."""
        found = twin.call("POST", "/workflow/v1/workflows/validate", self.to_json())
        if not found["is_valid"]:
            raise InvalidWorkflow(self.name, found["errors"])
        return list(found["warnings"])

    def plan(self, twin: "Twin") -> Plan:
        """The plan of the twin, without a run. Raises InvalidWorkflow, also where there is no plan."""
        found = twin.call("POST", "/workflow/v1/workflows/validate?plan=1", self.to_json())
        if not found["is_valid"]:
            raise InvalidWorkflow(self.name, found["errors"])
        return Plan(found["plan"])

    def run(self, twin: "Twin", **options: Any) -> Run:
        """Saves the definition and starts a run; `options` are those of `startRun` of the API.

        `simulate_drivers=True` leaves out the arm and the deck, `deck="as_defined"` puts the labware
        where this script says. Raises InvalidWorkflow for a definition with errors.
        """
        self.validate(twin)
        saved = twin.call("POST", "/workflow/v1/workflows", self.to_json())["workflow"]
        path = f"/workflow/v1/workflows/{saved['id']}/runs"
        return Run(twin, twin.call("POST", path, options)["run"]["id"])
