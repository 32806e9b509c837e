"""A run of a workflow, and the plan of one."""
import time
from os import PathLike
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from .durations import Duration, seconds

if TYPE_CHECKING:
    from .twin import Twin

Json = Dict[str, Any]

#: Twin time between two looks at a run on a stepped clock (s): twice as much each time, within these.
FIRST_STEP_S = 10.0
LAST_STEP_S = 1800.0
#: Wall time between two looks on any other clock (s).
LOOK_S = 0.1


class Plan:
    """When each task and each move is planned, in seconds since the start."""

    def __init__(self, about: Json) -> None:
        #: The whole plan as the API has it.
        self.about = about

    @property
    def makespan_s(self) -> int:
        """When the last task ends."""
        return int(self.about["makespan"])

    @property
    def lower_bound_s(self) -> int:
        """No plan ends earlier than this."""
        return int(self.about["lower_bound"])

    def start_s(self, task: str) -> int:
        """When a task starts."""
        return int(self._task(task)["start"])

    def end_s(self, task: str) -> int:
        """When a task ends."""
        return int(self._task(task)["end"])

    def _task(self, name: str) -> Json:
        if name not in self.about["tasks"]:
            raise KeyError(f"the plan has no task {name}; it has {', '.join(self.about['tasks'])}")
        return dict(self.about["tasks"][name])

    def __str__(self) -> str:
        """A line for each task, in the order of their starts."""
        rows = sorted(self.about["tasks"].items(), key=lambda one: (one[1]["start"], one[0]))
        lines = [
            f"{task['start']:>7} {task['end']:>7}  {name}  {task['instrument'] or ''}".rstrip()
            for name, task in rows
        ]
        return "\n".join([f"{'start':>7} {'end':>7}  task (s)", *lines])


class Run:
    """A run that has been started."""

    def __init__(self, twin: "Twin", run_id: int) -> None:
        self.twin = twin
        self.id = run_id
        self._path = f"/workflow/v1/runs/{run_id}"

    def details(self) -> Json:
        """The run as it stands: tasks, moves, labware, plan, and what it waits for."""
        return dict(self.twin.call("GET", self._path)["run"])

    @property
    def state(self) -> str:
        """`started`, `paused` or `stopped`."""
        return str(self.details()["state"])

    def events(self) -> List[Json]:
        """Everything that happened, in order."""
        found: List[Json] = []
        after: Optional[int] = 0
        while after is not None:
            page = self.twin.call("GET", f"{self._path}/events?after={after}")
            found += page["events"]
            after = page["next"]
        return found

    def wait(self, limit: Duration = "30 d") -> "Run":
        """Waits until the run has stopped, is paused, or asks a person for something; returns the run.

        A stepped clock is advanced. `limit` is twin time; raises TimeoutError with what it waits for.
        """
        limit_s = seconds(limit)
        began_s = self._now_s()
        step_s = FIRST_STEP_S
        while True:
            about = self.details()
            if about["state"] != "started" or about["prompts"]:
                return self
            left_s = began_s + limit_s - self._now_s()
            if left_s <= 0:
                raise TimeoutError(f"run {self.id} goes on after {limit_s:g} s: {self._standing(about)}")
            if self.twin.call("GET", "/sim/v1/clock")["pace"] == "stepped":
                self.twin.advance(min(step_s, left_s))
                step_s = min(2 * step_s, LAST_STEP_S)
            else:
                time.sleep(LOOK_S)

    def _now_s(self) -> float:
        return float(self.twin.call("GET", "/sim/v1/clock")["now_s"])

    def _standing(self, about: Json) -> str:
        failed = [f"{one['id']}: {one['error']}" for one in about["tasks"] if one.get("error")]
        asked = [f"{one['task_id']} asks: {one['prompt']}" for one in about["prompts"]]
        waiting = [f"{one['task_id']}: {'; '.join(one['reasons'])}" for one in about["waiting"]]
        message = [about["message"]] if about["message"] else []
        return " | ".join([f"it is {about['state']}", *message, *failed, *asked, *waiting])

    def assert_completed(self) -> None:
        """Asserts that the run has completed; what fails says how it stands, and why."""
        __tracebackhide__ = True
        about = self.details()
        notes = [one for one in about["message"].split("; ") if not one.startswith("cancelled tasks: ")]
        if about["state"] != "stopped" or notes != ["completed"]:
            raise AssertionError(f"run {self.id} has not completed: {self._standing(about)}")

    def assert_limits(self) -> None:
        """Asserts that no limit of time has been broken."""
        __tracebackhide__ = True
        broken = self.details()["violations"]
        if broken:
            lines = [
                f"{one['constraint_id']} ({one['elapsed_s']:g} s, {one['kind'].replace('_', ' ')} for "
                f"{one['limit_s']:g} s)"
                for one in broken
            ]
            raise AssertionError(f"run {self.id} broke limits: {', '.join(lines)}")

    def report(self) -> Json:
        """Every operation as planned and as it was, limits and instruments."""
        return dict(self.twin.call("GET", f"{self._path}/report"))

    def export(self, path: Union[str, "PathLike[str]"]) -> None:
        """Writes the report as CSV, a row for each task and move."""
        text = self.twin.text("GET", f"{self._path}/report.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def retry(self, task: str) -> None:
        """Tries a failed task again."""
        self._choose("retry", task)

    def complete(self, task: str, **outputs: Any) -> None:
        """Takes a failed task for done, or one that asks for a person, because somebody has done it by hand.

        For a task that waits for a refill: takes what it lacks for refilled.

        `outputs`: what it returned, where other tasks depend on it.
        """
        body: Json = {"task_id": task, **({"data_outputs": outputs} if outputs else {})}
        self.twin.call("POST", f"{self._path}/complete_manually", body)

    def outputs(self, task: str) -> Json:
        """What a task has returned, by name. Raises KeyError for a task that the run does not have."""
        for one in self.details()["tasks"]:
            if one["id"] == task:
                return dict(one["data_outputs"] or {})
        raise KeyError(f"run {self.id} has no task {task}")

    def prompts(self) -> List[Json]:
        """What persons are asked to do now; `complete` says that it is done."""
        return list(self.details()["prompts"])

    def labware(self) -> Dict[str, Tuple[str, int]]:
        """Where each piece is: its instrument and slot, by its name."""
        return {one["labware_id"]: (one["instrument_id"], one["slot"]) for one in self.details()["labware"]}

    def supplies(self) -> Dict[str, float]:
        """Units that are left of what tasks use up, by its name."""
        return {one["labware_id"]: one["units"] for one in self.details()["supplies"]}

    def cancelled(self) -> List[str]:
        """The tasks that were not needed, because a condition does not hold."""
        return [one["id"] for one in self.details()["tasks"] if one["state"] == "cancelled"]

    def skip(self, task: str) -> None:
        """Goes on without a failed task that offers `ignore`."""
        self._choose("skip", task)

    def _choose(self, choice: str, task: str) -> None:
        self.twin.call("POST", f"{self._path}/{choice}", {"task_id": task})

    def pause(self) -> None:
        """Pauses the run once what has begun has ended."""
        self.twin.call("POST", f"{self._path}/pause", {})

    def resume(self) -> None:
        """Goes on."""
        self.twin.call("POST", f"{self._path}/resume")

    def stop(self) -> None:
        """Ends the run."""
        self.twin.call("POST", f"{self._path}/stop")
