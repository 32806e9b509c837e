/**
 * The tray cell recorded in real time, with a restore in the middle of a grasp, is repeated bit by
 * bit at the greatest pace, each time in another process of the built program.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { runBuilt, withBuiltProgram } from './built-program.cases.ts';
import { TRAYS } from './cells.cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-repeated-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HELD = { object: 'part 1', held_by: 'gripper', limit_s: 60 };
const PLACED = { object: 'part 1', at: 'B1', limit_s: 60 };
const polling = { timeout: 120_000, interval: 20 };

/** Picks in real time, keeps the state while the part is held, and places; returns the cell. */
async function pickAndPlace(arm: ArmClient) {
  const { toolpath } = await arm.createToolpath({ name: 'path', toolpath: TRAYS.toolpath });
  await arm.setCell(TRAYS.cell);
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: toolpath.id });
  const robotState = async () => (await arm.getSnapshot()).snapshot.control.state;
  await arm.home();
  await expect.poll(robotState, polling).toBe('ready');
  await arm.run({ mode: 'automatic', loop: 1 });
  expect((await arm.runUntilObject(HELD)).reached).toBe(true);
  await arm.keepState({ name: 'held' });
  const runOn = async () => {
    expect((await arm.runUntilObject(PLACED)).reached).toBe(true);
    await expect.poll(robotState, polling).toBe('ready');
    const { state } = await arm.getCell();
    return { state, events: (await arm.listCellEvents()).events };
  };
  const first = await runOn();
  await arm.restoreState({ name: 'held' });
  const { object } = await arm.getCellObject({ object_name: 'part 1' });
  expect(object.held_by).toBe('gripper');
  expect(await runOn()).toEqual(first);
}

it.each(['fast', 'rapier'] as const)('a recording of the tray cell on %s', async (plant) => {
  const file = join(folder, `${plant}.recording`);
  const start_ms = performance.now();
  await withBuiltProgram(['--driver', plant, '--clock', '1', '--record', file], pickAndPlace);
  const recorded_s = (performance.now() - start_ms) / 1000;
  expect(recorded_s).toBeGreaterThan(10);
  const replays = [await runBuilt(['replay', file]), await runBuilt(['replay', file])];
  for (const [code, text] of replays) expect([code, text]).toEqual([0, expect.any(String)]);
  expect(replays[0]![1]).toMatch(/^equal: every bit of \d{4,} ticks/);
  expect(replays[1]).toEqual(replays[0]);

  // With parts that are heavier by 0.1 mg at most it is another run.
  const text = readFileSync(file, 'utf8');
  const changed = text.replaceAll(/("mass_kg":0\.\d+)/g, '$1000001');
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
  const [code] = await runBuilt(['replay', file]);
  expect(code).toBe(1);
});
