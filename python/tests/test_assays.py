"""The assays of docs/workflows.md, as their scripts say, and one more by plain tasks."""
import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import List

import pytest

from armtwin import OWN, Run, Twin, Workcell, Workflow

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def spans(run: Run) -> dict:
    """When each task started and ended, in seconds since the start of the run."""
    return {one["id"]: (one["started_at_s"], one["ended_at_s"]) for one in run.details()["tasks"]}


def run_of(workflow: Workflow, twin: Twin) -> Run:
    assert workflow.validate(twin) in ([], ["There is no transport instrument: moves only take their time"])
    run = workflow.run(twin, simulate_drivers=True).wait()
    run.assert_completed()
    run.assert_limits()
    return run


@pytest.mark.parametrize(
    "name, tasks",
    [("elisa", 44), ("pcr_setup", 18), ("feeding_schedule", 36), ("feed_or_passage", 20)],
)
def test_an_assay_completes_within_its_limits(twin: Twin, name: str, tasks: int) -> None:
    workflow = load(name)
    found = [one for one in vars(workflow).values() if isinstance(one, Workflow)]
    assert len(found) == 1
    run = run_of(found[0], twin)
    assert len(spans(run)) == tasks


def test_cells_are_fed_or_passaged_by_what_was_seen(twin: Twin) -> None:
    run = run_of(load("feed_or_passage").culture, twin)
    seen = {one["id"]: one["data_outputs"] or {} for one in run.details()["tasks"]}
    dense = {
        name[len("image_"):]
        for name, values in seen.items()
        if name.startswith("image_") and values["confluency"] >= 0.8
    }
    assert len(dense) == 2
    wanted = {f"{'feed' if name in dense else 'passage'}_{name}" for name in (f"cells_{n}" for n in range(1, 5))}
    assert set(run.cancelled()) == wanted


def test_a_plate_that_is_another_one_is_rejected_and_the_rest_goes_on(twin: Twin) -> None:
    culture = load("feed_or_passage").culture
    wrong = [{"task_id": "scan_cells_2", "data_outputs": {"barcode": "C-103"}, "times": 2}]
    run = culture.run(twin, simulate_drivers=True, faults=wrong).wait()
    with pytest.raises(AssertionError, match="C-103, not C-102; that is the barcode of cells_3"):
        run.assert_completed()
    places = {one["labware_id"]: one["instrument_id"] for one in run.details()["labware"]}
    assert places["cells_2"] == "bin"
    assert [places[f"cells_{n}"] for n in (1, 3, 4)] == ["incubator"] * 3


def test_the_plates_of_the_elisa_overlap(twin: Twin) -> None:
    elisa = load("elisa").elisa
    plan = elisa.plan(twin)
    alone_s = 60 + (120 + 60 + 3600) + (120 + 60 + 1800) + 120 + 60 + 180
    assert alone_s < plan.makespan_s < 2 * alone_s
    assert plan.lower_bound_s <= plan.makespan_s


def scripts_of_docs() -> List[str]:
    page = (EXAMPLES.parents[1] / "docs" / "workflows.md").read_text()
    return re.findall(r"```py\n(.*?)```", page, re.DOTALL)


def test_the_loop_of_the_docs_answers_what_a_run_asks(twin: Twin) -> None:
    bench = Workcell("bench")
    bench.add("table", type="table")
    workflow = Workflow("asked twice", bench)
    workflow.deck.put("plate", "table", 1)
    workflow.task("look", "table", "1 min", labware="plate", prompt="Is it dry?")
    workflow.task("seal", "table", "1 min", labware="plate", prompt="Seal it")
    run = workflow.run(twin, simulate_drivers=True)
    _, answering = scripts_of_docs()
    exec(compile(answering, "workflows.md", "exec"), {"run": run})
    run.assert_completed()
    assert run.labware() == {"plate": ("table", 1)}


def test_the_script_of_the_docs_runs(twin: Twin, monkeypatch, tmp_path: Path) -> None:
    script, _ = scripts_of_docs()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("armtwin.start", lambda *_: _Kept(twin))
    exec(compile(script, "workflows.md", "exec"), {})
    assert "store_plate_4" in (tmp_path / "report.csv").read_text()


def test_the_scripts_have_20_to_40_lines() -> None:
    for script in EXAMPLES.glob("*.py"):
        assert 20 <= len(script.read_text().splitlines()) <= 40, script


def test_a_script_runs_as_it_stands(twin: Twin, monkeypatch, tmp_path: Path) -> None:
    # It prints the plan and exports the report; the twin of the test stands for the one that it starts.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("armtwin.start", lambda *_: _Kept(twin))
    source = (EXAMPLES / "elisa.py").read_text()
    exec(compile(source, "elisa.py", "exec"), {"__name__": "__main__"})
    rows = (tmp_path / "elisa.csv").read_text().splitlines()
    assert len(rows) > 44
    assert any("bind sample_plate_4" in row for row in rows)


class _Kept:
    """A `with` that leaves the twin running."""

    def __init__(self, twin: Twin) -> None:
        self.twin = twin

    def __enter__(self) -> Twin:
        return self.twin

    def __exit__(self, *_: object) -> None:
        pass




def test_a_script_says_the_same_as_600_lines_of_json_and_the_arm_carries(twin: Twin) -> None:
    written = json.loads((EXAMPLES.parents[1] / "fixtures" / "workflows" / "assay.json").read_text())
    cell = Workcell("assay")
    for name in ("hotel", "incubator"):
        cell.add(name, slots=3)
    for name in ("dispenser", "washer", "reader"):
        cell.add(name)
    cell.arm(next(one["config"] for one in written["workcell"]["instruments"] if "config" in one))
    assay = Workflow("Assay of three plates", cell)
    with assay.each(assay.deck.plates(3, "hotel")) as plate:
        plate.step("dispense", "dispenser", 25)
        incubate = plate.step("incubate", "incubator", "10 min", slot=OWN)
        wash = plate.step("wash", "washer", 40)
        plate.limit("wash soon", incubate.end, wash.start, at_most="2 min")
        plate.step("read", "reader", 45)
        plate.step("store", "hotel", 5, slot=OWN)
    del written["workflow"]["hooks"]
    fixture = twin.call("POST", "/workflow/v1/workflows/validate?plan=1", written)["plan"]
    plan = assay.plan(twin)
    assert (plan.makespan_s, plan.lower_bound_s) == (fixture["makespan"], fixture["lower_bound"])
    run = assay.run(twin, deck="as_defined").wait()
    run.assert_completed()
    run.assert_limits()
    moved = {one["labware_id"] for one in run.details()["moves"]}
    assert moved == {"plate_1", "plate_2", "plate_3"}
