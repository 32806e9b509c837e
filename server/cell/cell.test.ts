/** The cell through the API: the toolpaths of the fixtures move real parts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import type { Cell, CellEvent, Toolpath } from '../../contract/types.ts';
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
  it('the arm takes a part from one nest to the other, and sensors see it', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.setCell(TRAYS);
      await runOnce(arm, PICK_AND_PLACE, 60);
      const { object, events } = await arm.getCellObject({ object_name: 'part 1' });
      expect(object).toMatchObject({ at: 'B1', status: 'resting', held_by: null });
      expect(kindsOf(events)).toEqual(['grasped', 'sensor', 'released', 'settled']);
      expect((await arm.getSnapshot()).snapshot['global.inputs'].d2).toBe(true);
    });
  });

  it('says why the jaws missed', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.setCell(TRAYS);
      await arm.moveCellObject(
        { object_name: 'part 1' },
        { position: { x: 0.35, y: -0.235, z: 0.11 } },
      );
      await runOnce(arm, PICK_AND_PLACE, 60);
      const { events } = await arm.listCellEvents();
      const missed = events.find(({ kind }) => kind === 'missed');
      expect(missed?.text).toBe('gripper missed: jaws closed 5 mm beside part 1');
    });
  });
});
