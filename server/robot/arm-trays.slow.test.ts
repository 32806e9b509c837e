/**
 * The arm of this process at the tray cell, on its emulated servos with factory gains: it takes a part
 * from one tray to the other and back, hour after hour, and no contact is false. For another arm set
 * ARMTWIN_ARM, for another time ARMTWIN_TRAY_HOURS.
 */
import { expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { EMULATED_CALIBRATION } from '../../bridge/dynamixel/emulated-calibration.ts';
import { DEFAULT_SERVOS, LINE_BAUD } from '../../bridge/dynamixel/emulator/servo-setup.ts';
import { JAWS } from '../../bridge/servo/emulator/emulated-jaws.ts';
import { ARM_NAME, IS_DEFAULT_ARM, PAYLOAD_MAX_KG, REACH_M } from '../../physics/arm/arm-model.ts';
import { MODEL_RANGE } from '../../physics/arm/arm-range.ts';
import { solveInverse } from '../../physics/kinematics/inverse.ts';
import { FLANGE_TOOL, toolPoseAt } from '../../physics/kinematics/tool.ts';
import { GrippingRobot } from './gripping-robot.cases.ts';
import { ADA } from './robot-harness.cases.ts';

const HOURS = Number(process.env['ARMTWIN_TRAY_HOURS'] ?? 0.05);
const SPEED_M_S = 0.5;
/** The trays of the cell (fixtures/cells/trays.json), in proportion to the reach of its arm. */
const CELL = IS_DEFAULT_ARM
  ? { scale: 1, x_m: 0.35, y_m: 0.2, at_m: 0.25, above_m: 0.33 }
  : { scale: REACH_M / 0.75, x_m: 0.3, y_m: 0.17, at_m: 0.17, above_m: 0.24 };
const TRAYS_M = [-1, 1].map(
  (side) => [CELL.x_m * CELL.scale, side * CELL.y_m * CELL.scale] as const,
);
const [GRIPS_M, ABOVE_M] = [CELL.at_m * CELL.scale, CELL.above_m * CELL.scale];
const PART_KG = 0.2 * PAYLOAD_MAX_KG;
const PART = 0.5;
/** How near to its place a part is put (m). */
const PLACED_M = 0.02;

const gripper = EMULATED_CALIBRATION.gripper ?? {
  ...{ id: 9, open_ticks: 2700, closed_ticks: 2048, grip_current_a: 0.64, temperature_max_c: 70 },
  ...{ output: 'ee_d0', part_present_input: 'ee_d0' },
};
const servos = EMULATED_CALIBRATION.gripper
  ? DEFAULT_SERVOS
  : [
      ...DEFAULT_SERVOS,
      { id: 9, joint: JAWS, model: 'XM430-W350', registers: { baud: LINE_BAUD } } as const,
    ];
const START = IS_DEFAULT_ARM ? [0, 0.4, -1.4, 0, -1, 0] : [0, -0.3, 0.3, 0, 0.3, 0];

/** Joints (rad) with the flange over a tray at a height, its approach straight down. */
function over(
  [x, y]: readonly [number, number],
  z: number,
  guess: ArrayLike<number>,
): Float64Array {
  const pose = Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1, x, y, z);
  const found = solveInverse({
    pose,
    guess: Float64Array.from(guess),
    tool: FLANGE_TOOL,
    range: MODEL_RANGE,
  });
  if (!found.ok) throw new Error(`${found.message} at ${[x, y, z].join(', ')}`);
  return found.joints;
}

it(`${ARM_NAME} moves all trays for ${HOURS} h without a false contact`, {
  timeout: 7_200_000,
}, async () => {
  const calibration = { ...EMULATED_CALIBRATION, gripper };
  const arm = await GrippingRobot.started({ calibration, servos, start: START });
  const { plant } = arm.fixture.emulator;
  const detects = { kind: 'collision_detection', caller: ADA, enabled: true } as const;
  arm.loop.apply({ ...detects, sensitivity: 'high' });
  const [from, to] = TRAYS_M.map((place) => {
    const above = over(place, ABOVE_M, START);
    return { place, above, at: over(place, GRIPS_M, above) };
  }) as [Place, Place];
  const move = async (joints: ArrayLike<number>) => {
    await arm.goTo(joints, SPEED_M_S);
    expect([moved, arm.state]).toEqual([moved, 'ready']);
  };
  let moved = 0;
  for (let [a, b] = [from, to]; arm.loop.tick * TICK_S < 3600 * HOURS; [a, b] = [b, a]) {
    await move(a.above);
    await move(a.at);
    arm.jaws.part = PART;
    arm.set(true);
    await arm.advance(2, () => arm.hasPart === true);
    expect([moved, arm.hasPart]).toEqual([moved, true]);
    plant.setPayload(PART_KG);
    await move(a.above);
    await move(b.above);
    await move(b.at);
    expect([moved, arm.hasPart]).toEqual([moved, true]);
    const [x, y] = toolPoseAt(Float64Array.from(plant.position_rad), FLANGE_TOOL).subarray(9, 11);
    expect(Math.hypot(x! - b.place[0], y! - b.place[1])).toBeLessThan(PLACED_M);
    arm.set(false);
    await arm.advance(1.5);
    expect([moved, arm.hasPart]).toEqual([moved, false]);
    plant.setPayload(0);
    arm.jaws.part = null;
    await move(b.above);
    moved += 1;
  }
  expect(moved).toBeGreaterThan(100 * HOURS);
  await arm.close();
});

interface Place {
  readonly place: readonly [number, number];
  readonly above: Float64Array;
  readonly at: Float64Array;
}
