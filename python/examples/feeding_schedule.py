"""Feeding of four cultures for three days: new medium every 24 h, an image after each feed, never long outside."""
from armtwin import Workcell, Workflow, start

DAYS = 3

lab = Workcell("culture lab", carry="20 s")
lab.add("incubator", slots=4)
lab.add("feeder")
lab.add("imager")

feeding = Workflow("Feeding schedule", lab)
with feeding.deck as deck:
    cultures = deck.plates(4, "incubator", name="culture")

for n, culture in enumerate(cultures, start=1):
    fed = None
    for day in range(1, DAYS + 1):
        feed = feeding.task(f"feed {culture} on day {day}", "feeder", "6 min", labware=culture)
        look = feeding.task(f"image {culture} on day {day}", "imager", "2 min", labware=culture)
        back = feeding.task(
            f"grow {culture} on day {day}", "incubator", "20 h", labware=culture, slots={culture: n}
        )
        feeding.limit(f"{culture} cold on day {day}", feed.start, back.start, at_most="20 min")
        if fed:
            feeding.limit(f"{culture} fed on day {day}", fed.start, feed.start, at_least="23 h", at_most="25 h")
        fed = feed

if __name__ == "__main__":
    with start() as twin:
        print(feeding.plan(twin))
        run = feeding.run(twin, simulate_drivers=True).wait()
        run.assert_completed()
        run.assert_limits()
