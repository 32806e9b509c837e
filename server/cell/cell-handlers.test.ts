/** The cell through the API: the toolpaths of the fixtures move real parts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import { type ArmClient, connect } from '../../contract/client.ts';
import type { Cell, CellEvent, Toolpath } from '../../contract/types.generated.ts';
import { twinMatchers } from '../../testing/index.ts';
import { startTwin } from '../app/app.ts';
import { expectationProblems } from '../cli/commands/expectation-problems.ts';
import { configOf } from '../cli/twin-options.ts';
import { parseRecording } from '../recording/recording-format.ts';
import { replayRecording } from '../recording/replay.ts';
import { type TwinAndClient, withTwinClient } from '../service/simulation/twin-client.cases.ts';

function fixture<Type>(path: string): Type {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8'));
}

const TRAYS = fixture<Cell>('cells/trays.json');
const PICK_AND_PLACE = fixture<Toolpath>('toolpaths/pick-and-place.json');

const TOKEN = 'token-of-the-cell-tests-0123456789';

/** Runs a toolpath once from its home. */
async function runOnce(arm: ArmClient, toolpath: Toolpath, limit_s: number): Promise<void> {
  const { toolpath: saved } = await arm.createToolpath({ name: 'path', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.id });
  await arm.home();
  expect((await arm.runUntil({ state: 'ready', limit_s: 60 })).reached).toBe(true);
  await arm.run({ mode: 'automatic', loop: 1 });
  expect((await arm.runUntil({ state: 'ready', limit_s })).reached).toBe(true);
}

const kindsOf = (events: readonly CellEvent[]) => events.map(({ kind }) => kind);

describe('the trays', () => {
  it('says why the jaws missed', { tags: ['slow'] }, async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.setCell(TRAYS);
      await arm.moveCellObject(
        { object_name: 'part 1' },
        { position: { x: 0.35, y: -0.235, z: 0.11 } },
      );
      await runOnce(arm, PICK_AND_PLACE, 60);
      const { events } = await arm.listCellEvents();
      const missed = events.find(({ kind }) => kind === 'missed');
      expect(missed?.text).toBe('gripper missed: jaws closed 5 mm beside part 1');
      const { pass, message } = twinMatchers.toHaveObjectAt(twin, 'part 1', 'B1');
      expect(pass).toBe(false);
      expect(message()).toMatch(/never grasped: jaws closed 5 mm beside part 1 at \d+\.\d\d s$/);
      expect(twinMatchers.toHold(twin, 'gripper', 'part 1').pass).toBe(false);
    });
  });
});

describe('over HTTP', () => {
  it('a late sensor reports later by its fault, and sees no change that ends before', async () => {
    await withTwinClient({ driver: 'fast', cell: TRAYS }, async ({ arm, twin }) => {
      const path = { object_name: 'part 1' };
      /** When the sensor reports after the part was put to a nest, from then on (s). */
      const reportAfter = async (nest: string) => {
        const start_s = twin.now_s();
        const { events: before } = await arm.listCellEvents();
        await arm.moveCellObject(path, { nest });
        await arm.advanceClock({ seconds: 2 });
        const { events } = await arm.listCellEvents();
        const own = events.slice(before.length).filter(({ kind }) => kind === 'sensor');
        return own.map(({ at_s }) => Math.round((at_s - start_s) * 1000) / 1000);
      };
      const [usual_s] = await reportAfter('B1');
      await reportAfter('A1');
      const late = {
        kind: 'sensor',
        sensor: 'tray B occupied',
        fault: 'late',
        late_s: 0.5,
      } as const;
      await arm.addFault(late);
      expect(await reportAfter('B1')).toEqual([usual_s! + 0.5]);
      expect((await arm.getCellObject(path)).faults).toEqual(['tray B occupied is 0.5 s late']);
      await arm.moveCellObject(path, { nest: 'A1' });
      await arm.advanceClock({ seconds: 0.4 });
      expect(await reportAfter('B1')).toEqual([]);
      await arm.clearFaults();
      expect((await arm.getCellObject(path)).faults).toEqual([]);
    });
  });

  it('jaws that close on nothing report that they are closed, whenever they are', async () => {
    await withTwinClient({ driver: 'fast' }, async ({ arm }) => {
      const [jaws] = TRAYS.grippers!;
      if (jaws?.kind !== 'jaws') throw new Error('no jaws');
      await arm.takeLock();
      const reported: boolean[] = [];
      for (let extra_ms = 0; extra_ms < 4; extra_ms++) {
        const closing_time_s = 0.2 + extra_ms / 1000;
        const gripper = { ...jaws, closing_time_s, closed_input: 'ee_d1' } as const;
        await arm.setCell({ name: 'jaws', grippers: [gripper] });
        for (const value of [true, false]) {
          await arm.changeGlobals({ changes: [{ key: `outputs.${jaws.output}`, value }] });
          await arm.advanceClock({ seconds: 0.5 });
          reported.push((await arm.getSnapshot()).snapshot['global.inputs'].ee_d1);
        }
      }
      expect(reported).toEqual([true, false, true, false, true, false, true, false]);
    });
  });

  it('an analog input saturates where its sensor gives more than its range', async () => {
    const position = { x: 1, y: 0, z: 0.5 };
    const sensor = { kind: 'distance', name: 'height', input: 'a0', position } as const;
    const range = { range_m: 0.5, at_zero: 4, at_full_scale: 20 };
    const sensors = [{ ...sensor, ...range, direction: { x: 0, y: 0, z: -1 } }];
    const shape = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
    const objects = [{ name: 'box', shape, mass_kg: 0.1, position: { x: 1, y: 0, z: 0 } }];
    await withTwinClient({ driver: 'fast' }, async ({ arm }) => {
      const measured = async () => {
        await arm.advanceClock({ seconds: 0.1 });
        return (await arm.getSnapshot()).snapshot['global.inputs'].a0;
      };
      await arm.setCell({ name: 'height', objects, sensors });
      expect(await measured()).toBe(10);
      await arm.setInputs({ values: { a0_mode: 'current' } });
      expect(await measured()).toBeCloseTo(4 + 0.8 * 16, 9);
      await arm.moveCellObject({ object_name: 'box' }, { position: { x: 1, y: 1, z: 0 } });
      expect(await measured()).toBe(20);
    });
  });

  it('waits and matchers for what the cell does not have are refused', async () => {
    await withTwinClient({ driver: 'fast', cell: TRAYS }, async ({ arm, twin }) => {
      const wait = { object: 'part 1', limit_s: 100 };
      const nowhere = arm.runUntilObject({ ...wait, at: 'C1' });
      await expect(nowhere).rejects.toThrow(/\/at.*the cell has no place “C1”/);
      const unheld = arm.runUntilObject({ ...wait, held_by: 'hand' });
      await expect(unheld).rejects.toThrow(/\/held_by.*the cell has no gripper “hand”/);
      const unknown = arm.runUntilObject({ ...wait, object: 'part 9', at: 'A1' });
      await expect(unknown).rejects.toThrow(/the cell has no object “part 9”: it has .*part 1/);
      const both = arm.runUntilObject({ ...wait, at: 'A1', held_by: 'gripper' });
      await expect(both).rejects.toThrow(/\/at.*excludes held_by: what is held rests nowhere/);
      expect((await arm.getClock()).tick).toBe(0);
      for (const at of ['floor', 'tray B', 'B1', 'tube 1']) {
        expect((await arm.runUntilObject({ ...wait, at, limit_s: 0 })).reached).toBe(false);
      }
      const { toHaveObjectAt, toHold, toHaveDropped } = twinMatchers;
      expect(() => toHaveObjectAt(twin, 'part 1', 'C1')).toThrow('the cell has no place “C1”');
      expect(() => toHaveObjectAt(twin, 'part 9', 'A1')).toThrow('the cell has no object “part 9”');
      expect(() => toHold(twin, 'hand', 'part 1')).toThrow('the cell has no gripper “hand”');
      expect(() => toHaveDropped(twin, 'part 9')).toThrow('the cell has no object “part 9”');
    });
  });

  it('waits, expectations and matchers take a distance only from a nest', async () => {
    const part = { object: 'part 1', limit_s: 1 };
    const reason = 'counts from a nest, which “tray A” is not';
    await withTwinClient({ driver: 'fast', cell: TRAYS }, async ({ arm, twin }) => {
      const wrong = { at: 'tray A', within_mm: 1 };
      const { toHaveObjectAt } = twinMatchers;
      await expect(arm.runUntilObject({ ...part, ...wrong })).rejects.toThrow(reason);
      expect(() =>
        toHaveObjectAt(twin, part.object, 'tray A', { within_mm: wrong.within_mm }),
      ).toThrow(reason);
      expect(expectationProblems(TRAYS, { objects: [{ object: part.object, ...wrong }] })).toEqual([
        { path: '/objects/0/within_mm', problem: reason },
      ]);
      await expect(arm.runUntilObject({ ...part, within_mm: 1 })).rejects.toThrow('needs at');
      expect(() => toHaveObjectAt(twin, part.object, part.object)).toThrow('the object itself');
      for (const within_mm of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
        const place = () => toHaveObjectAt(twin, part.object, 'A1', { within_mm });
        expect(place).toThrow(`within_mm: is ${within_mm}, but must be a number of mm, at least 0`);
      }
      expect(toHaveObjectAt(twin, part.object, 'A1', { within_mm: 1 }).pass).toBe(true);
    });
  });

  it('an object is put only where it can be', async () => {
    await withTwinClient({ driver: 'fast', cell: TRAYS }, async ({ arm }) => {
      const path = { object_name: 'part 1' };
      const wrong: readonly (readonly [x: number, y: number, z: number, problem: RegExp])[] = [
        [1, 1, 10.1, /\/position.*part 1 is farther than 10 m .limit cell_reach_m. .* along z/],
        [-11, 1, 0, /along x/],
        [1, 1, -0.01, /part 1 lies below the floor/],
        [0.35, -0.2, 0.05, /part 1 overlaps tray A by/],
      ];
      for (const [x, y, z, problem] of wrong) {
        const place = { position: { x, y, z } };
        await expect(arm.moveCellObject(path, place)).rejects.toThrow(problem);
      }
      await expect(arm.moveCellObject(path, { nest: 'A2' })).rejects.toThrow(
        /\/nest.*part 1 overlaps tube 1 by/,
      );
      expect((await arm.getCellObject(path)).object.at).toBe('A1');
      await arm.moveCellObject(path, { position: { x: 1, y: 1, z: 9.9 } });
      const { clock } = await arm.runUntilObject({ object: 'part 1', at: 'floor', limit_s: 5 });
      expect(clock.now_s).toBeCloseTo(Math.sqrt((2 * 9.9) / 9.80665), 1);
      await arm.addFault({ kind: 'object', object: 'tube 1', fault: 'missing' });
      await arm.moveCellObject(path, { nest: 'A2' });
      await expect(arm.moveCellObject({ object_name: 'tube 1' }, { nest: 'A1' })).rejects.toThrow(
        /is missing by an injected fault; clear the fault first/,
      );
      expect((await arm.getCellObject({ object_name: 'tube 1' })).object.status).toBe('missing');
    });
  });

  it('unknown outputs and inputs are refused with their path, and nothing changes', async () => {
    await withTwinClient({ driver: 'fast' }, async ({ arm }) => {
      const [gripper] = TRAYS.grippers!;
      const [sensor] = TRAYS.sensors!;
      const belt = { position: { x: 1, y: 0, z: 0 }, size_m: { x: 1, y: 0.1, z: 0.1 } };
      const conveyor = { name: 'belt', ...belt, speed_m_s: 0.1 };
      const encoder = { span_m: 1, at_zero: 0, at_full_scale: 10 };
      const wrong: readonly (readonly [change: object, place: string])[] = [
        [{ grippers: [{ ...gripper, output: 'd4' }] }, '/grippers/0/output'],
        [{ grippers: [{ ...gripper, output: 'a0' }] }, '/grippers/0/output'],
        [
          { grippers: [{ ...gripper, part_present_input: 'ee_d2' }] },
          '/grippers/0/part_present_input',
        ],
        [{ sensors: [{ ...sensor, input: 'd4' }] }, '/sensors/0/input'],
        [{ sensors: [{ ...sensor, input: 'a0' }] }, '/sensors/0/input'],
        [{ conveyors: [{ ...conveyor, output: 'd9' }] }, '/conveyors/0/output'],
        [
          { conveyors: [{ ...conveyor, encoder: { ...encoder, input: 'd0' } }] },
          '/conveyors/0/encoder/input',
        ],
        [{ controls: [{ kind: 'button', name: 'go', input: 'ee_a0' }] }, '/controls/0/input'],
      ];
      for (const [change, place] of wrong) {
        const refused = await arm.setCell({ ...TRAYS, ...change }).catch((error: unknown) => error);
        const { status, details } = refused as { status: number; details: unknown };
        expect(status, place).toBe(400);
        expect(JSON.stringify(details), place).toContain(place);
      }
      expect((await arm.getCell()).cell).toBeNull();
    });
  });
});

describe.each(['fast', 'rapier'] as const)('an arm that is put elsewhere on %s', (driver) => {
  it('has what it holds in its gripper there, at rest', {
    tags: driver === 'rapier' ? ['slow'] : [],
  }, async () => {
    const twin = await startTwin(configOf({ driver, cell: TRAYS, clock: 'stepped', token: TOKEN }));
    try {
      const arm = connect({ baseUrl: twin.url, token: TOKEN });
      const { toolpath } = await arm.createToolpath({ name: 'path', toolpath: PICK_AND_PLACE });
      await arm.takeLock();
      await arm.useToolpath({ toolpath_id: toolpath.id });
      await arm.home();
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      await arm.run({ mode: 'automatic', loop: 1 });
      await arm.runUntilObject({ object: 'part 1', held_by: 'gripper', limit_s: 60 });
      const heldAt = async () => (await arm.getCellObject({ object_name: 'part 1' })).object;
      const { x: before } = (await heldAt()).position;
      await arm.setEmergencyStop({ engaged: true });
      await arm.advanceClock({ seconds: 1 });
      twin.loop.applyWorldAction({ kind: 'place', joints: [2, 0, 0, 0, 0, 0] });
      const { x: after, ...rest } = (await heldAt()).position;
      expect(Math.abs(after - before)).toBeGreaterThan(0.1);
      await arm.advanceClock({ seconds: 1 });
      const later = await heldAt();
      expect(later).toMatchObject({ status: 'held', held_by: 'gripper' });
      for (const [axis, value] of Object.entries({ x: after, ...rest })) {
        expect(later.position[axis as 'x']).toBeCloseTo(value, 2);
      }
      const { events } = await arm.listCellEvents();
      expect(kindsOf(events)).not.toContain('slipped');
    } finally {
      await twin.close();
    }
  });
});

describe('a cell that explodes', () => {
  it.each([
    ['fast', 'stepped'],
    ['fast', 'max'],
    ['rapier', 1],
  ] as const)('on %s stops a clock at %s and is named', async (driver, clock) => {
    const twin = await startTwin(configOf({ driver, cell: TRAYS, clock, token: TOKEN }));
    try {
      const arm = connect({ baseUrl: twin.url, token: TOKEN });
      const stop = twin.loop.keepAwake();
      const cell = twin.world!.cell!;
      cell.move(0, Float64Array.of(0.35, 0, 0.5, 1, 0, 0, 0));
      const { bodies, states } = cell;
      const start = twin.loop.tick;
      if (driver === 'rapier') bodies.push(0, [1e5, 0, 0], [...states.poses.slice(0, 3)]);
      else states.velocities[0] = Number.NaN;
      const problem = expect.stringMatching(/^The clock stands: the simulation of “part 1” failed/);
      const refusal = { status: 400, error_code: 1, details: problem };
      await expect(arm.advanceClock({ seconds: 1 })).rejects.toMatchObject(refusal);
      const { tick, paused } = await arm.getClock();
      expect([paused, tick - start < 20]).toEqual([true, true]);
      await expect(arm.stepClock({ ticks: 5 })).rejects.toMatchObject(refusal);
      await arm.setClock({ paused: false });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await arm.getClock()).tick).toBe(tick);
      // At max a session would end between two calls of a busy machine.
      await arm.setClock({ pace: 'stepped' });
      await arm.setCell(TRAYS);
      expect((await arm.advanceClock({ seconds: 1 })).tick).toBeGreaterThan(tick + 200);
      stop();
    } finally {
      await twin.close();
    }
  });
});

/** The arm has taken the part to the other nest, and sensors have seen it. */
async function expectPlaced({ arm, twin }: TwinAndClient): Promise<void> {
  const { object, events } = await arm.getCellObject({ object_name: 'part 1' });
  expect(object).toMatchObject({ at: 'B1', status: 'resting', held_by: null });
  expect(kindsOf(events)).toEqual(['grasped', 'sensor', 'released', 'settled']);
  expect((await arm.getSnapshot()).snapshot['global.inputs'].d2).toBe(true);
  const there = twinMatchers.toHaveObjectAt(twin, 'part 1', 'B1', { within_mm: 1 });
  expect(there.pass).toBe(true);
  expect(twinMatchers.toHaveDropped(twin, 'part 1').pass).toBe(false);
}

describe.each(['fast', 'rapier'] as const)('the trays on %s', (driver) => {
  it('the arm places a part; a restore in its grasp and a replay give the same bits', {
    tags: driver === 'rapier' ? ['slow'] : [],
    timeout: 120_000,
  }, async () => {
    await withTwinClient({ driver }, async (client) => {
      const { arm } = client;
      await arm.setCell(TRAYS);
      await arm.startRecording();
      const { toolpath } = await arm.createToolpath({ name: 'path', toolpath: PICK_AND_PLACE });
      await arm.takeLock();
      await arm.useToolpath({ toolpath_id: toolpath.id });
      await arm.home();
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      await arm.run({ mode: 'automatic', loop: 1 });
      const wanted = { object: 'part 1', held_by: 'gripper', limit_s: 60 };
      expect((await arm.runUntilObject(wanted)).reached).toBe(true);
      await arm.keepState({ name: 'held' });
      const runOn = async () => {
        await arm.advanceClock({ seconds: 6 });
        return { ...(await arm.getCell()), robot: (await arm.getSnapshot()).snapshot };
      };
      const first = await runOn();
      await expectPlaced(client);
      await arm.restoreState({ name: 'held' });
      expect((await arm.getCell()).state?.objects[0]).toMatchObject({ held_by: 'gripper' });
      expect(await runOn()).toEqual(first);
      await arm.stopRecording();
      const { tape } = await arm.getTape();
      const joints = createSimulatedArm({ plant: driver, seed: 1 });
      const target = { driver: new FaultInjectingDriver(joints), world: joints.world };
      const { divergence, ticks } = await replayRecording(parseRecording(tape), target);
      expect(ticks).toBeGreaterThan(1000);
      expect(divergence).toBeNull();
    });
  });
});
