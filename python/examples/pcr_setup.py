"""PCR set-up of three plates: cold master mix, template, seal, spin, cycle. Enzyme and template do not wait."""
from armtwin import OWN, Workcell, Workflow, start

cell = Workcell("pcr cell", carry="12 s")
cell.add("cooler", slots=6)
cell.add("dispenser")
cell.add("pipettor")
cell.add("sealer")
cell.add("centrifuge")
for n in (1, 2, 3):
    cell.add(f"cycler {n}", type="cycler")
cell.add("store", slots=6)

pcr = Workflow("PCR set-up", cell)
with pcr.deck as deck:
    plates = deck.plates(3, "cooler")

with pcr.each(plates) as plate:
    mix = plate.step("master mix", "dispenser", "90 s")
    template = plate.step("template", "pipettor", "4 min")
    seal = plate.step("seal", "sealer", "20 s", on_failure={"retries": 2, "retry_delay_s": 5})
    spin = plate.step("spin", "centrifuge", "1 min")
    cycle = plate.step("cycle", "cycler", "1 h 25 min", action="35 cycles")
    plate.step("keep", "store", "5 s", slot=OWN)
    plate.limit("open", mix.end, seal.start, at_most="10 min", on_violation="pause")
    plate.limit("on ice no longer", template.end, cycle.start, at_most="5 min")

if __name__ == "__main__":
    with start() as twin:
        print(f"all plates after {pcr.plan(twin).makespan_s / 60:.0f} min")
        run = pcr.run(twin, simulate_drivers=True).wait()
        run.assert_completed()
        run.assert_limits()
