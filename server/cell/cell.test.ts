/** The cell through the API: the toolpaths of the fixtures move real parts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated-arm.ts';
import type { ArmClient } from '../../contract/client.ts';
import type { Cell, CellEvent, Toolpath } from '../../contract/types.ts';
import { twinMatchers } from '../../testing/index.ts';
import { parseRecording } from '../recording/recording-format.ts';
import { replayRecording } from '../recording/replay.ts';
import { withTwinClient } from '../simulation/twin-client.cases.ts';

function fixture<Type>(path: string): Type {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8'));
}

const TRAYS = fixture<Cell>('cells/trays.json');
const PICK_AND_PLACE = fixture<Toolpath>('toolpaths/pick-and-place.json');

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
  it.each(['fast', 'rapier'] as const)(
    'on %s the arm takes a part to the other nest, and sensors see it',
    async (driver) => {
      await withTwinClient({ driver, cell: TRAYS }, async ({ arm, twin }) => {
        await runOnce(arm, PICK_AND_PLACE, 60);
        const { object, events } = await arm.getCellObject({ object_name: 'part 1' });
        expect(object).toMatchObject({ at: 'B1', status: 'resting', held_by: null });
        expect(kindsOf(events)).toEqual(['grasped', 'sensor', 'released', 'settled']);
        expect((await arm.getSnapshot()).snapshot['global.inputs'].d2).toBe(true);
        const there = twinMatchers.toHaveObjectAt(twin, 'part 1', 'B1', { within_mm: 1 });
        expect(there.pass).toBe(true);
        expect(twinMatchers.toHaveDropped(twin, 'part 1').pass).toBe(false);
      });
    },
  );

  it('says why the jaws missed', async () => {
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

describe.each(['fast', 'rapier'] as const)('determinism on %s', (driver) => {
  it('a restore in the middle of a grasp and a replay give the same bits', async () => {
    await withTwinClient({ driver }, async ({ arm }) => {
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
      expect(first.state?.objects[0]).toMatchObject({ at: 'B1' });
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
  }, 120_000);
});
