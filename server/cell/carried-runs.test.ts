/**
 * What a run carries on what it holds, beyond the first run: again, after a cancel on the way, and
 * after a reset on the way. On both plants.
 */
import { describe, expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import type { Cell } from '../../contract/types.generated.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { TRAYS } from './cells.cases.ts';

const [PART, LID] = ['part 1', 'lid'];
const LIDDED: Cell = {
  ...TRAYS.cell,
  objects: [
    ...TRAYS.cell.objects!,
    {
      name: LID,
      shape: { kind: 'box', size_m: { x: 0.04, y: 0.04, z: 0.004 } },
      mass_kg: 0.01,
      lid_of: PART,
    },
  ],
};
const HELD = { object: PART, held_by: 'gripper', limit_s: 60 };
/** Height of the part, from its lower side to that of its lid (m). */
const LID_ABOVE_PART_M = 0.04;

/** The arm at the home of the toolpath, beside the lidded part. */
async function prepare(arm: ArmClient): Promise<void> {
  const { toolpath } = await arm.createToolpath({ name: 'carry', toolpath: TRAYS.toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: toolpath.id });
  await goHome(arm);
}

async function goHome(arm: ArmClient): Promise<void> {
  await arm.home();
  expect((await arm.runUntil({ state: 'ready', limit_s: 60 })).reached).toBe(true);
}

/** Runs to the end; what happened to part and lid meanwhile. */
async function run(arm: ArmClient): Promise<readonly string[]> {
  const before = (await arm.listCellEvents()).events.at(-1)?.id ?? 0;
  await arm.run({ mode: 'automatic', loop: 1 });
  expect((await arm.runUntil({ state: 'ready', limit_s: 60 })).reached).toBe(true);
  await arm.advanceClock({ seconds: 1 });
  const { events } = await arm.listCellEvents();
  const own = events.filter(({ id, object }) => id > before && [PART, LID].includes(object!));
  return own.map(({ kind, object }) => `${kind} ${object}`);
}

/** Where the part is, and how far its lid is from its place on it (m). */
async function placeOf(arm: ArmClient) {
  const { object: part } = await arm.getCellObject({ object_name: PART });
  const { object: lid } = await arm.getCellObject({ object_name: LID });
  const [from, to] = [part.position, lid.position];
  const off_m = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z - LID_ABOVE_PART_M);
  return { at: part.at, held_by: part.held_by, off_m };
}

const CARRIED = ['grasped part 1', 'carried lid', 'released part 1', 'settled part 1'];

describe.each(['fast', 'rapier'] as const)('a part with its lid on %s', (driver) => {
  const withStage = (use: (arm: ArmClient) => Promise<void>) =>
    withTwinClient({ driver, cell: LIDDED }, async ({ arm }) => {
      await prepare(arm);
      await use(arm);
    });

  const expectAtGoal = async (arm: ArmClient) => {
    const { off_m, ...place } = await placeOf(arm);
    expect(place).toEqual({ at: 'B1', held_by: null });
    expect(off_m).toBeLessThan(0.002);
  };

  it('does the same in the second run, when it is put back', async () => {
    await withStage(async (arm) => {
      const first = await run(arm);
      expect(first).toEqual(expect.arrayContaining(CARRIED));
      await expectAtGoal(arm);
      await arm.setCell(LIDDED);
      expect(await run(arm)).toEqual(first);
      await expectAtGoal(arm);
    });
  });

  it('stays in the gripper with its lid after a cancel, and the next run brings both', async () => {
    await withStage(async (arm) => {
      await arm.run({ mode: 'automatic', loop: 1 });
      expect((await arm.runUntilObject(HELD)).reached).toBe(true);
      await arm.advanceClock({ seconds: 1.5 });
      await arm.pause();
      expect((await arm.runUntil({ state: 'paused', limit_s: 10 })).reached).toBe(true);
      await arm.cancel();
      expect((await arm.runUntil({ state: 'ready', limit_s: 10 })).reached).toBe(true);
      await arm.advanceClock({ seconds: 30 });
      const { held_by, off_m } = await placeOf(arm);
      expect(held_by).toBe('gripper');
      expect(off_m).toBeLessThan(0.002);
      expect(await run(arm)).toEqual(expect.arrayContaining(['released part 1', 'settled part 1']));
      await expectAtGoal(arm);
    });
  });

  it('is back at its place with its lid after a reset, and is carried again', async () => {
    await withStage(async (arm) => {
      const before = await placeOf(arm);
      await arm.run({ mode: 'automatic', loop: 1 });
      expect((await arm.runUntilObject(HELD)).reached).toBe(true);
      await arm.advanceClock({ seconds: 1.5 });
      await arm.resetTwin({ scopes: ['state'] });
      expect(await placeOf(arm)).toEqual(before);
      await arm.takeLock();
      const [toolpath] = (await arm.listToolpaths()).toolpaths;
      await arm.useToolpath({ toolpath_id: toolpath!.id });
      await goHome(arm);
      expect(await run(arm)).toEqual(expect.arrayContaining(CARRIED));
      await expectAtGoal(arm);
    });
  });
});
