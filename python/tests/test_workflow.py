"""Workflows that are written in Python: what they make, and what a twin says of them."""
from datetime import timedelta

import pytest

from armtwin import OWN, InvalidWorkflow, Twin, Workcell, Workflow
from armtwin.durations import seconds, whole_seconds


def bench() -> Workcell:
    cell = Workcell("bench", carry="5 s")
    cell.add("hotel", slots=3)
    cell.add("washer")
    cell.add("incubator", slots=3)
    return cell


def washing(plates: int = 2, **fields: object) -> Workflow:
    workflow = Workflow("washing", bench())
    with workflow.deck as deck:
        pieces = deck.plates(plates, "hotel")
    with workflow.each(pieces) as plate:
        wash = plate.step("wash", "washer", "2 min", **fields)
        rest = plate.step("rest", "incubator", "10 min", slot=OWN)
        plate.limit("wet", wash.end, rest.start, at_most="1 min")
    return workflow


@pytest.mark.parametrize(
    "given, wanted",
    [(90, 90), ("90 s", 90), ("1.5 min", 90), ("2 h", 7200), ("1 h 30 min", 5400), ("2d", 172800),
     (timedelta(minutes=2), 120)],
)
def test_durations_are_numbers_or_texts(given, wanted) -> None:
    assert seconds(given) == wanted


@pytest.mark.parametrize("given", ["", "soon", "5", "5 minutes", "5 min or so", -1, float("nan")])
def test_other_texts_are_no_durations(given) -> None:
    with pytest.raises(ValueError, match="duration"):
        seconds(given)


def test_definitions_have_whole_seconds() -> None:
    assert whole_seconds("0.5 min") == 30
    with pytest.raises(ValueError, match="parts of a second"):
        whole_seconds(1.5)


def test_mistakes_in_the_script_are_named_at_once() -> None:
    cell = bench()
    with pytest.raises(ValueError, match="has an instrument washer already"):
        cell.add("washer")
    workflow = Workflow("one", cell)
    with pytest.raises(ValueError, match="4 plates do not fit into hotel, which has 3 slots"):
        workflow.deck.plates(4, "hotel")
    with pytest.raises(ValueError, match="no instrument shelf; there are hotel, washer, incubator"):
        workflow.deck.plates(1, "shelf")
    workflow.deck.put("plate", "hotel", 1)
    with pytest.raises(ValueError, match="hotel slot 1 holds plate already"):
        workflow.deck.put("lid", "hotel", 1)
    with pytest.raises(ValueError, match="there is labware plate already"):
        workflow.deck.put("plate", "hotel", 2)
    wash = workflow.task("wash", "washer", 5, labware="plate")
    with pytest.raises(ValueError, match="there is a task wash already"):
        workflow.task("wash", "washer", 5)
    with pytest.raises(ValueError, match="neither at_least nor at_most"):
        workflow.limit("nothing", wash.start, wash.end)


def test_a_template_becomes_tasks_which_are_shown(twin: Twin) -> None:
    workflow = washing()
    workflow.validate(twin)
    run = workflow.run(twin, simulate_drivers=True)
    [head] = twin.call("GET", "/workflow/v1/workflows")["workflows"]
    shown = twin.call("GET", f"/workflow/v1/workflows/{head['id']}")["workflow"]["definition"]["workflow"]
    assert list(shown["tasks"]) == ["wash_plate_1", "rest_plate_1", "wash_plate_2", "rest_plate_2"]
    assert "templates" not in shown
    assert shown["tasks"]["rest_plate_2"]["labware_sources"] == {
        "plate_2": {
            "type": "labware_source",
            "source_task": "wash_plate_2",
            "labware_id": "plate_2",
            "destination_slot": 2,
        }
    }
    assert [one["id"] for one in shown["time_constraints"]] == ["wet_plate_1", "wet_plate_2"]
    run.wait().assert_completed()


def test_templates_follow_each_other_and_other_tasks_follow_them(twin: Twin) -> None:
    workflow = washing()
    first = workflow.each(["plate_1", "plate_2"])
    rinse = first.step("rinse", "washer", 10)
    first.step("back", "hotel", 1, slot=OWN)
    workflow.task("tidy up", "washer", 30, after=first.all(rinse))
    plan = workflow.plan(twin)
    assert plan.start_s("rinse_plate_1") >= plan.end_s("rest_plate_1")
    assert plan.start_s("tidy up") >= max(plan.end_s("rinse_plate_1"), plan.end_s("rinse_plate_2"))
    assert "tidy up" in str(plan)
    with pytest.raises(KeyError, match="no task wash; it has"):
        plan.start_s("wash")


def test_a_task_takes_a_piece_from_its_template_but_no_template_from_a_task(twin: Twin) -> None:
    workflow = washing()
    pool = workflow.task("pool", "hotel", 60, labware=["plate_1", "plate_2"], slots={"plate_2": 2})
    plan = workflow.plan(twin)
    assert plan.start_s(pool.name) >= max(plan.end_s("rest_plate_1"), plan.end_s("rest_plate_2"))
    with pytest.raises(ValueError, match="plate_1 has the task pool already: begin the template before"):
        workflow.each(["plate_1"])


def test_errors_are_named_where_the_template_has_them(twin: Twin) -> None:
    workflow = Workflow("wrong", bench())
    pieces = workflow.deck.plates(2, "hotel")
    with workflow.each([*pieces, "lost"]) as plate:
        plate.step("wash", "washer", 10)
    with pytest.raises(InvalidWorkflow) as found:
        workflow.validate(twin)
    assert found.value.errors == [
        {"path": "/workflow/templates/0/for_each/2", "message": "there is no labware lost"}
    ]


def test_a_cycle_in_a_template_is_named(twin: Twin) -> None:
    workflow = Workflow("cycle", bench())
    pieces = workflow.deck.plates(1, "hotel")
    with workflow.each(pieces) as plate:
        plate.step("wash", "washer", 10, dependencies=["rest"])
        plate.step("rest", "incubator", 10)
    with pytest.raises(InvalidWorkflow, match="in a cycle: wash_plate_1, rest_plate_1"):
        workflow.run(twin)


def test_a_failed_run_says_why(twin: Twin) -> None:
    run = washing().run(
        twin, simulate_drivers=True, faults=[{"task_id": "wash_plate_1", "error": "no liquid"}]
    )
    assert run.wait().state == "paused"
    with pytest.raises(AssertionError, match="run 1 has not completed: it is paused.*no liquid"):
        run.assert_completed()
    run.retry("wash_plate_1")
    run.resume()
    run.wait().assert_completed()
    states = [one["body"]["state"] for one in run.events() if one["hook_type"] == "RunStateChangeHook"]
    assert states == ["started", "paused", "resumed", "stopped"]


def test_a_wait_has_a_limit(twin: Twin) -> None:
    run = washing().run(twin, simulate_drivers=True)
    with pytest.raises(TimeoutError, match="run 1 goes on after 30 s: it is started"):
        run.wait("30 s")
    run.stop()
    assert run.state == "stopped"


def test_the_report_is_exported(twin: Twin, tmp_path) -> None:
    run = washing(1).run(twin, simulate_drivers=True).wait()
    run.export(tmp_path / "report.csv")
    assert "wash_plate_1" in (tmp_path / "report.csv").read_text()
    assert run.report()["run"]["id"] == run.id


def test_a_broken_limit_is_asserted(twin: Twin) -> None:
    workflow = washing(1, mock_behaviour={"execution_time": 600})
    wash = workflow.task("look", "washer", 10)
    workflow.limit("soon", wash.start, wash.end, at_most="5 min")
    workflow._tasks["look"]["mock_behaviour"] = {"execution_time": 900}
    run = workflow.run(twin, simulate_drivers=True).wait()
    with pytest.raises(AssertionError, match="broke limits: .*soon"):
        run.assert_limits()


def test_definitions_are_saved_as_the_server_reads_them(twin: Twin, tmp_path) -> None:
    import json

    workflow = washing()
    workflow.hook("http://127.0.0.1:9/", "TaskStateChangeHook", task_ids=["wash_plate_1"])
    workflow.save(tmp_path / "washing.json")
    document = json.loads((tmp_path / "washing.json").read_text())
    assert document == workflow.to_json()
    assert twin.call("POST", "/workflow/v1/workflows/validate", document)["is_valid"]


def culture(**labware: object) -> Workflow:
    cell = Workcell("culture", carry="5 s")
    cell.add("hotel", slots=3)
    cell.add("imager", data_outputs={"confluency": {"values": [0.4, 0.9]}})
    cell.add("handler", slots=2, max_tasks=1)
    workflow = Workflow("culture", cell)
    with workflow.deck as deck:
        pieces = deck.plates(2, "hotel", name="cells", barcodes=["C-1", "C-2"])
        tips = deck.put("tips", "handler", 2, **{"units": 8, **labware})
    with workflow.each(pieces) as plate:
        image = plate.step("image", "imager", "1 min", reads_barcode=True)
        with plate.when(image, "confluency", below=0.8):
            plate.step("feed", "handler", "3 min", uses={tips: 8})
        plate.step("back", "hotel", "5 s", slot=OWN)
    return workflow


def test_conditions_say_nothing_by_themselves_and_end_with_their_block() -> None:
    workflow = culture()
    [template] = workflow.to_json()["workflow"]["templates"]
    conditions = [step.get("only_if") for step in template["steps"]]
    assert conditions == [None, [{"task_id": "image", "output": "confluency", "below": 0.8}], None]
    with pytest.raises(ValueError, match="when image returns confluency: say equals, not_equals"):
        with workflow.each(["cells_1"]) as plate, plate.when(plate.step("image", "imager", 1), "confluency"):
            pass


def test_barcodes_are_one_for_each_plate() -> None:
    with pytest.raises(ValueError, match="2 plates have 2 barcodes, not 1"):
        culture().deck.plates(2, "hotel", name="more", barcodes=["C-3"])


def test_a_branch_is_taken_by_what_was_returned_and_uses_what_it_says(twin: Twin) -> None:
    run = culture(refill="More tips").run(twin, simulate_drivers=True).wait()
    run.assert_completed()
    [not_fed] = run.cancelled()
    assert not_fed in ("feed_cells_1", "feed_cells_2")
    plate = not_fed[len("feed_"):]
    assert run.outputs(f"image_{plate}")["confluency"] == 0.9
    assert run.outputs(f"image_{plate}")["barcode"] == {"cells_1": "C-1", "cells_2": "C-2"}[plate]


def test_a_run_that_lacks_tips_asks_and_goes_on_once_they_are_refilled(twin: Twin) -> None:
    both = {"data_outputs": {"confluency": 0.1}}
    faults = [{"task_id": f"image_cells_{n}", **both} for n in (1, 2)]
    run = culture(refill="More tips").run(twin, simulate_drivers=True, faults=faults)
    [prompt] = run.wait("20 min").prompts()
    with pytest.raises(AssertionError, match="asks: More tips.*tips has 0 of the 8 units"):
        run.assert_completed()
    assert (prompt["prompt"], run.supplies()) == ("More tips", {"tips": 0})
    run.complete(prompt["task_id"])
    run.wait().assert_completed()


def test_what_a_person_has_seen_decides_too(twin: Twin) -> None:
    workflow = Workflow("looked at", bench())
    workflow.deck.put("plate", "hotel", 1)
    look = workflow.task("look", "washer", "1 min", labware="plate", prompt="Look at the plate")
    with workflow.when(look, "dirty", equals=True):
        workflow.task("rest", "incubator", "10 min", labware="plate")
    run = workflow.run(twin, simulate_drivers=True)
    twin.advance(20)
    run.complete("look", dirty=False)
    run.wait().assert_completed()
    assert run.cancelled() == ["rest"]
