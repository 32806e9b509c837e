/** The way of the arm out of a station and home, and what a cell shows of a carry. */

import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { objectState } from '../../physics/cell/cell-state.ts';
import { createPoseReader, FLANGE_TOOL } from '../../physics/kinematics/tool.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { jointStateAt } from '../../physics/motion/joint-stop.ts';
import type { ArmMotion } from '../arm-port.ts';
import { CONFIG, HOME, pose } from '../definition/small-model.cases.ts';
import { CarryWatch } from './carry-watch.ts';
import { jointsAt, rangeTowards, SmallArm } from './small-arm.cases.ts';
import { bodyOf, grip, put, smallCell } from './small-cell.cases.ts';
import { type NamedStation, stationAt, stationsOf } from './stations.ts';
import { planHomeway, planWithdrawal } from './withdrawal.ts';

/** The station goes straight down from (0.35, -0.2, 0.3) by 0.1 m. */
const [X_M, Y_M, TOP_M, DEPTH_M] = [0.35, -0.2, 0.3, 0.1];

function stationTo(name: string, x_m = X_M, depth_m = DEPTH_M): NamedStation {
  return {
    name,
    approach: jointsAt([x_m, Y_M, TOP_M]),
    grip: jointsAt([x_m, Y_M, TOP_M - depth_m]),
  };
}

/** Joints at a depth below the approach pose, beside its line and turned. */
function inside(depth_m: number, { along_m = 0, aside_m = 0, turn_rad = 0 } = {}) {
  return jointsAt([X_M + along_m, Y_M + aside_m, TOP_M - depth_m], turn_rad);
}

describe('an arm stands in a station', () => {
  const station = stationTo('hotel slot 1');

  it.each([
    ['at the grip pose', inside(0.1), true],
    ['between both poses', inside(0.05), true],
    ['at the approach pose', inside(0), false],
    ['behind the approach pose', inside(-0.01), false],
    ['just inside of it', inside(0.0012), true],
    ['just outside of it', inside(0.0008), false],
    ['a little beside the line', inside(0.05, { along_m: 0.029 }), true],
    ['too far beside the line', inside(0.05, { along_m: 0.031 }), false],
    ['a little beside it in both directions', inside(0.05, { along_m: 0.02, aside_m: 0.02 }), true],
    ['too far in both directions', inside(0.05, { along_m: 0.022, aside_m: 0.022 }), false],
    ['a little below the grip pose', inside(0.125), true],
    ['a little below and beside it', inside(0.125, { along_m: 0.015 }), true],
    ['far below the grip pose', inside(0.135), false],
    ['far below and beside it', inside(0.125, { along_m: 0.02 }), false],
    ['turned a little', inside(0.05, { turn_rad: 0.49 }), true],
    ['turned far', inside(0.05, { turn_rad: 0.51 }), false],
  ])('%s', (_, joints, isThere) => {
    expect(stationAt([station], joints)).toBe(isThere ? station : null);
  });

  it('turned like either of its poses', () => {
    const turned = { ...station, grip: inside(0.1, { turn_rad: 0.6 }) };
    expect(stationAt([turned], inside(0.05, { turn_rad: 0.9 }))).toBe(turned);
    expect(stationAt([turned], inside(0.05, { turn_rad: -0.3 }))).toBe(turned);
    expect(stationAt([turned], inside(0.05, { turn_rad: -0.55 }))).toBeNull();
  });

  it('that has a length only', () => {
    expect(stationAt([stationTo('flat', X_M, 0.0008)], inside(0.0012))).toBeNull();
    expect(stationAt([stationTo('short', X_M, 0.002)], inside(0.0019))?.name).toBe('short');
    expect(stationAt([stationTo('none', X_M, 0)], inside(0.01))).toBeNull();
  });

  it('and in the nearest of several', () => {
    const near = stationTo('near', X_M + 0.004);
    const far = stationTo('far', X_M - 0.02);
    const same = { ...near, name: 'same' };
    const out = stationTo('out', X_M + 0.2);
    expect(stationAt([far, out, near], inside(0.05))).toBe(near);
    expect(stationAt([near, far, out], inside(0.05))).toBe(near);
    expect(stationAt([near, same], inside(0.05))).toBe(near);
    expect(stationAt([out], inside(0.05))).toBeNull();
    expect(stationAt([], inside(0.05))).toBeNull();
  });
});

describe('the stations of instruments', () => {
  it('have names, and only complete ones count', () => {
    const station = { approach: pose(0.1), grip: pose(0.2) };
    const stations = {
      hotel: {
        1: station,
        2: { approach: pose(0.1) },
        3: { ...station, grip: [1, 2] },
        4: null,
        5: { ...station, approach: 'home66' },
        6: { grip: pose(0.1) },
      },
      none: null,
      reader: { 7: station },
    };
    const found = stationsOf([
      { id: 'hotel', type: 'hotel' },
      { id: 'arm', type: 'transport', config: { stations } },
      { id: 'other', type: 'transport', config: {} },
    ]);
    expect(found).toEqual([
      { ...station, name: 'hotel slot 1' },
      { ...station, name: 'reader slot 7' },
    ]);
  });
});

const readPose = createPoseReader();

function positionOf(joints: ArrayLike<number>): number[] {
  return [...readPose(Float64Array.from(joints), FLANGE_TOOL).slice(9)];
}

/** Joint angles of a planned motion after a share of its time. */
function jointsOf({ path, profile }: ArmMotion, share: number): Float64Array {
  return jointStateAt(path, profile, share * profile.duration_s).position;
}

/** A planned motion; fails for a fault. */
function motionOf<Motion>(way: Motion | { readonly fault: string }): Motion {
  if (way && typeof way === 'object' && 'fault' in way) throw new Error(way.fault);
  return way as Motion;
}

describe('the way home', () => {
  it('ends at the home pose, at the speed of the configuration', () => {
    const small = new SmallArm(pose(0.3));
    const start = Float64Array.from(pose(0.3));
    const home = motionOf(planHomeway(small.port, { start, config: CONFIG }));
    expect([...jointsOf(home, 0)]).toEqual([...start]);
    expect(largestDifference(jointsOf(home, 1), HOME)).toBeLessThan(1e-9);
    expect(home.start).toBe(start);
    const tool_offset_m = [0, 0, 0];
    expect(home.caps).toMatchObject({ tool_speed_m_s: 0.5, tool_offset_m, payload_kg: 0 });
    expect(home.caps.timing).toBe(small.robot.memory.timing);
  });

  it('turns the joints and keeps to the highest speed of the arm', () => {
    const small = new SmallArm(pose(1));
    const start = Float64Array.from(pose(1));
    const config = { ...CONFIG, default_max_speed: 9 };
    const home = motionOf(planHomeway(small.port, { start, config }));
    expect(home.caps.tool_speed_m_s).toBe(limits.speed_automatic_m_per_s);
    const [x, y] = positionOf(jointsOf(home, 0.5));
    const [x0, y0] = positionOf(HOME);
    expect(Math.hypot(x!, y!)).toBeCloseTo(Math.hypot(x0!, y0!), 6);
  });

  it('is a fault where the goal is out of reach', () => {
    const small = new SmallArm();
    const config = { ...CONFIG, home: pose(9) };
    const home = planHomeway(small.port, { start: Float64Array.from(HOME), config });
    expect(home).toEqual({ fault: expect.stringMatching(/.+/) });
  });
});

describe('the way out of a station', () => {
  const station = stationTo('hotel slot 1');

  it('goes straight to the approach pose', () => {
    const small = new SmallArm(inside(0.08, { along_m: 0.02 }));
    const way = motionOf(planWithdrawal(small.port, [station], 0.2));
    expect(way!.station).toBe(station);
    const { motion } = way!;
    expect([...motion.start]).toEqual([...small.robot.restPose]);
    expect(motion.caps.tool_speed_m_s).toBe(0.2);
    const [x, y, z] = positionOf(jointsOf(motion, 0.5));
    expect(y).toBeCloseTo(Y_M, 6);
    expect((x! - X_M) / 0.02).toBeCloseTo((TOP_M - z!) / 0.08, 4);
    expect(TOP_M - z!).toBeCloseTo(0.04, 2);
    expect(largestDifference(jointsOf(motion, 1), station.approach)).toBeLessThan(1e-6);
  });

  it('is none outside of all stations', () => {
    expect(planWithdrawal(new SmallArm().port, [station], 0.2)).toBeNull();
  });

  it('is a fault that names the station where there is no straight line', () => {
    const start = inside(0.08);
    const small = new SmallArm(start, rangeTowards(start, station.approach));
    const way = planWithdrawal(small.port, [station], 0.2);
    expect(way).toEqual({ fault: expect.stringContaining('hotel slot 1') });
  });
});

const PIECE = {
  id: 'plate_1',
  instrument_id: 'hotel',
  slot: 2,
  from: { instrument_id: 'hotel', slot: 1 },
};

/** A watch of a carry of plate_1 from the first to the second slot of the hotel. */
function watched(piece = PIECE): { cell: CellPlant; watch: CarryWatch } {
  const cell = smallCell();
  return { cell, watch: CarryWatch.of(() => cell, piece)! };
}

function report(cell: CellPlant, kind: 'missed' | 'dropped' | 'settled', body: string | null) {
  const index = body === null ? null : bodyOf(cell, body);
  cell.events.add({ kind, body: index, by: 'cup', at: null, text: `it ${kind}`, steps: 0 });
}

describe('a carry in a cell', () => {
  it('is watched where there is a cell with the piece', () => {
    const cell = smallCell();
    expect(CarryWatch.of(() => null, PIECE)).toBeNull();
    expect(CarryWatch.of(() => cell, null)).toBeNull();
    expect(CarryWatch.of(() => cell, { ...PIECE, id: 'other' })).toBeNull();
    expect(CarryWatch.of(() => cell, { ...PIECE, id: 'tray' })).toBeInstanceOf(CarryWatch);
  });

  it('has grasped once the gripper holds the piece', () => {
    const { cell, watch } = watched();
    expect(watch.grasped()).toBe('pending');
    grip(cell, true);
    expect([watch.grasped(), watch.carried()]).toEqual(['done', 'pending']);
  });

  it('fails with another piece in the gripper', () => {
    const { cell, watch } = watched({ ...PIECE, id: 'plate_2' });
    grip(cell, true);
    expect(watch.grasped()).toEqual({ reason: 'cup grasped plate_1, not plate_2' });
  });

  it('fails where the cell was replaced', () => {
    let current: CellPlant | null = smallCell();
    const watch = CarryWatch.of(() => current, PIECE)!;
    current = smallCell();
    expect(watch.grasped()).toEqual({ reason: 'the cell was replaced' });
    current = null;
    expect(watch.carried()).toEqual({ reason: 'the cell was replaced' });
  });

  it('fails when its piece drops, not for another piece or another event', () => {
    const { cell, watch } = watched();
    report(cell, 'dropped', 'plate_2');
    report(cell, 'settled', 'plate_1');
    expect([watch.grasped(), watch.carried()]).toEqual(['pending', 'pending']);
    report(cell, 'dropped', 'plate_1');
    const reason = 'plate_1: it dropped';
    expect([watch.grasped(), watch.carried()]).toEqual([{ reason }, { reason }]);
  });

  it('does not fail for what was before it', () => {
    const cell = smallCell();
    report(cell, 'dropped', 'plate_1');
    const watch = CarryWatch.of(() => cell, PIECE)!;
    expect(watch.carried()).toBe('pending');
    report(cell, 'missed', null);
    expect(watch.carried()).toEqual({ reason: 'it missed' });
  });

  it('fails for a missed grasp, and says where the piece is instead', () => {
    const missed = (change: (cell: CellPlant) => void) => {
      const { cell, watch } = watched();
      change(cell);
      report(cell, 'missed', null);
      const state = watch.grasped();
      return typeof state === 'string' ? state : state.reason;
    };
    expect(missed(() => {})).toBe('it missed');
    expect(missed((cell) => cell.setMissing(bodyOf(cell, 'plate_1'), true))).toBe('it missed');
    const advice = 'put it back and retry (it missed)';
    expect(missed((cell) => put(cell, 'plate_1', 'hotel nest 2'))).toBe(
      `plate_1 is not in hotel slot 1 but resting at hotel nest 2; ${advice}`,
    );
    expect(missed((cell) => put(cell, 'plate_1', 'reader nest 1'))).toBe(
      `plate_1 is not in hotel slot 1 but resting at reader nest 1; ${advice}`,
    );
    expect(missed((cell) => grip(cell, true))).toBe(
      `plate_1 is not in hotel slot 1 but held; ${advice}`,
    );
  });
});

describe('the end of a carry in a cell', () => {
  it('is reached in the slot of the target', () => {
    const { cell, watch } = watched();
    expect(watch.isPlaced).toBe(false);
    put(cell, 'plate_1', 'hotel nest 2');
    expect([watch.isPlaced, watch.placed()]).toEqual([true, 'done']);
    put(cell, 'plate_1', 'reader nest 1');
    expect(watch.isPlaced).toBe(false);
  });

  it('is not reached while a gripper holds the piece', () => {
    const { cell, watch } = watched({ ...PIECE, slot: 1 });
    expect(watch.isPlaced).toBe(true);
    grip(cell, true);
    expect(watch.isPlaced).toBe(false);
  });

  it.each([
    ['floor', 'plate_1 is resting at floor, not in hotel slot 2'],
    ['reader nest 1', 'plate_1 is resting at reader nest 1, not in hotel slot 2'],
    ['hotel nest 1', 'plate_1 is resting at hotel nest 1, not in hotel slot 2'],
  ] as const)('is missed at once at %s', (place, reason) => {
    const { cell, watch } = watched();
    put(cell, 'plate_1', place);
    expect(watch.placed()).toEqual({ reason });
  });

  it('is missed with a piece that is gone', () => {
    const { cell, watch } = watched();
    cell.setMissing(bodyOf(cell, 'plate_1'), true);
    const reason = 'plate_1 is missing at no place, not in hotel slot 2';
    expect(watch.placed()).toEqual({ reason });
  });

  it('waits 5 s for a piece that is held or moves', () => {
    const held = watched();
    grip(held.cell, true);
    const moving = watched();
    moving.cell.move(bodyOf(moving.cell, 'plate_1'), Float64Array.of(0.6, 0.6, 1, 1, 0, 0, 0));
    expect(objectState(moving.cell, bodyOf(moving.cell, 'plate_1')).status).toBe('moving');
    for (const { watch } of [held, moving]) {
      const states = Array.from({ length: 1249 }, () => watch.placed());
      expect(states.every((one) => one === 'pending')).toBe(true);
    }
    expect([held.watch.placed(), moving.watch.placed()]).toEqual([
      { reason: 'plate_1 is held by cup, not in hotel slot 2' },
      { reason: 'plate_1 is moving at no place, not in hotel slot 2' },
    ]);
  });
});
