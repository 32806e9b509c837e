"""Cell culture of four plates: each is identified and imaged, then fed, or passaged where it has grown dense."""
from armtwin import OWN, Workcell, Workflow, start

lab = Workcell("cell lab", carry="20 s")
lab.add("incubator", slots=8)
lab.add("scanner")
lab.add("imager", data_outputs={"confluency": {"values": [0.4, 0.9, 0.6, 0.85]}})
lab.add("handler", slots=3, max_tasks=1)
lab.add("bin", slots=4, role="reject")

culture = Workflow("Feed or passage", lab)
with culture.deck as deck:
    cells = deck.plates(4, "incubator", name="cells", barcodes=["C-101", "C-102", "C-103", "C-104"])
    tips = deck.put("tips", "handler", 2, units=96)
    medium = deck.put("medium", "handler", 3, units=200, refill="A new bottle of medium for the handler, please")

with culture.each(cells) as plate:
    plate.step("scan", "scanner", "5 s", reads_barcode=True, on_failure={"retries": 1, "action": "continue_without"})
    image = plate.step("image", "imager", "2 min")
    with plate.when(image, "confluency", below=0.8):
        plate.step("feed", "handler", "3 min", uses={tips: 8, medium: 20})
    with plate.when(image, "confluency", at_least=0.8):
        plate.step("passage", "handler", "10 min", uses={tips: 16, medium: 60})
    back = plate.step("back", "incubator", "5 s", slot=OWN)
    plate.limit("out of the incubator", image.start, back.start, at_most="30 min")

if __name__ == "__main__":
    with start() as twin:
        print(culture.plan(twin))
        run = culture.run(twin, simulate_drivers=True).wait()
        run.assert_completed()
        run.assert_limits()
        print("not needed:", run.cancelled())
