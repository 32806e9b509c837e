"""ELISA of four plates: coat, block, sample, antibody, substrate, read. Nothing may dry out or react too long."""
from armtwin import OWN, Workcell, Workflow, start

bench = Workcell("elisa bench", carry="15 s")
bench.add("hotel", slots=8)
bench.add("washer")
bench.add("dispenser")
bench.add("incubator", slots=4)
bench.add("reader")

elisa = Workflow("ELISA of four plates", bench)
with elisa.deck as deck:
    plates = deck.plates(4, "hotel")

with elisa.each(plates) as plate:
    plate.step("block", "dispenser", "1 min")
    for reagent, minutes in [("sample", 60), ("antibody", 30)]:
        wash = plate.step(f"wash before {reagent}", "washer", "2 min")
        add = plate.step(f"add {reagent}", "dispenser", "1 min")
        bind = plate.step(f"bind {reagent}", "incubator", f"{minutes} min", slot=OWN)
        plate.limit(f"wet before {reagent}", wash.end, add.start, at_most="5 min")
        plate.limit(f"bound {reagent}", add.end, bind.end, at_most=f"{minutes + 10} min")
    plate.step("last wash", "washer", "2 min")
    substrate = plate.step("substrate", "dispenser", "1 min")
    read = plate.step("read", "reader", "3 min")
    plate.limit("colour", substrate.end, read.start, at_least="1 min", at_most="8 min")
    plate.step("store", "hotel", "5 s", slot=OWN)

if __name__ == "__main__":
    with start() as twin:
        print(elisa.plan(twin))
        run = elisa.run(twin, simulate_drivers=True).wait()
        run.assert_completed()
        run.assert_limits()
        run.export("elisa.csv")
