/**
 * The document of an exported page: motion samples and remarks.
 * @module-tag ci
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import type { ArmClient } from '../../contract/client.ts';
import type { RecordingDocument } from '../../contract/export-document.ts';
import type { Cell, Toolpath } from '../../contract/types.generated.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { RecordingPageBuilder } from './recorded-page.ts';
import { parseRecording } from './recording-format.ts';
import { replayRecording } from './replay.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-page-'));
const file = join(folder, 'run.recording');
let shown: RecordingDocument;

const GOAL = [0.3, 0.2, 0, 0, 0, 0] as const;

beforeAll(async () => {
  await withTwinClient({ record: file }, async ({ twin, arm }) => {
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [...GOAL] });
    await twin.advance(3);
    await arm.changeGlobals({ changes: [{ key: 'outputs.d1', value: true }] });
    for (const a0 of [1, 2, 3]) {
      await arm.setInputs({ values: { a0 } });
      await twin.advance(0.02);
    }
    await twin.advance(300);
    await arm.setInputs({ values: { a0: 4 } });
    await twin.advance(300);
  });
  const recording = parseRecording(readFileSync(file, 'utf8'));
  const arm = createSimulatedArm({ plant: 'fast' });
  const target = { driver: new FaultInjectingDriver(arm), world: arm.world };
  const pages: RecordingPageBuilder[] = [];
  await replayRecording(recording, target, (robot) => {
    pages.push(new RecordingPageBuilder(robot, target.world));
    return pages;
  });
  shown = pages[0]!.document('run', 'armtwin', recording.inputs.at(-1)!.tick);
});
afterAll(() => rmSync(folder, { recursive: true }));

function floats(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}

describe('the document of a recording', () => {
  it('has six positions and velocities per sample, at ascending times', () => {
    const { times_s, position_rad, velocity_rad_s } = shown.motion;
    expect(floats(position_rad)).toHaveLength(6 * times_s.length);
    expect(floats(velocity_rad_s)).toHaveLength(6 * times_s.length);
    expect(times_s.every((t_s, i) => i === 0 || t_s > times_s[i - 1]!)).toBe(true);
  });

  it('ends at the last pose and time, and has no samples during rest', () => {
    const { times_s, position_rad } = shown.motion;
    floats(position_rad)
      .slice(-6)
      .forEach((angle, joint) => {
        expect(angle).toBeCloseTo(GOAL[joint]!, 4);
      });
    expect(times_s.at(-1)).toBeGreaterThan(602.9);
    expect(times_s.length).toBeLessThan(200);
  });

  it('interpolates with the recorded velocities', () => {
    const { times_s, position_rad, velocity_rad_s } = shown.motion;
    const [angles, rates] = [floats(position_rad), floats(velocity_rad_s)];
    const fastest = times_s.reduce(
      (best, _, i) => (rates[6 * i]! > rates[6 * best]! ? i : best),
      0,
    );
    const slope =
      (angles[6 * (fastest + 1)]! - angles[6 * (fastest - 1)]!) /
      (times_s[fastest + 1]! - times_s[fastest - 1]!);
    expect(slope).toBeCloseTo(rates[6 * fastest]!, 2);
  });

  it('lists the remarks in order', () => {
    const words = shown.remarks.map((remark) => remark.words);
    expect(words.some((one) => one.startsWith('ready → running'))).toBe(true);
    expect(words).toContain('outputs.d1 true');
    expect(words.filter((one) => one.includes('a0'))).toEqual(['inputs.a0 1', 'inputs.a0 4']);
    const times = shown.remarks.map(({ at_s }) => at_s);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'));

/** The page of a recording, up to its end. */
async function pageOf(path: string): Promise<RecordingPageBuilder> {
  const recording = parseRecording(readFileSync(path, 'utf8'));
  const arm = createSimulatedArm({ plant: 'fast' });
  const target = { driver: new FaultInjectingDriver(arm), world: arm.world };
  let page: RecordingPageBuilder | null = null;
  await replayRecording(recording, target, (robot) => {
    page = new RecordingPageBuilder(robot, target.world);
    return [page];
  });
  return (page as RecordingPageBuilder | null)!;
}

async function pickAndPlace(arm: ArmClient): Promise<void> {
  await arm.moveCellObject({ object_name: 'part 1' }, { nest: 'A1' });
  await arm.run({ mode: 'automatic', loop: 1 });
  await arm.runUntil({ state: 'ready', limit_s: 60 });
}

it('reports each event of a cell once, also where a state is restored or a cell set', async () => {
  const cell = read('cells/trays') as Cell;
  const path = join(folder, 'events.recording');
  const texts: string[] = [];
  await withTwinClient({ record: path, cell }, async ({ arm, twin }) => {
    const note = async (from: number) => {
      const { events } = await arm.listCellEvents();
      texts.push(
        ...events.slice(from).flatMap(({ kind, text }) => (kind === 'sensor' ? [] : text)),
      );
      return events.length;
    };
    await arm.takeLock();
    const toolpath = read('toolpaths/pick-and-place') as Toolpath;
    await arm.useUnsavedToolpath({ name: 'path', toolpath });
    await pickAndPlace(arm);
    await arm.keepState({ name: 'after' });
    const count = await note(0);
    await pickAndPlace(arm);
    await note(count);
    await arm.restoreState({ name: 'after' });
    await pickAndPlace(arm);
    await note(count);
    await arm.setCell(cell);
    await pickAndPlace(arm);
    await twin.advance(0.1);
    await note(0);
  });
  const { remarks } = (await pageOf(path)).document('run', 'armtwin', 1e6);
  const reported = remarks.map(({ words }) => words).filter((words) => texts.includes(words));
  expect(reported).toEqual(texts);
});

it('has the cell with its changes, and what happened in it', async () => {
  const cell = read('cells/trays') as Cell;
  const path = join(folder, 'cell.recording');
  await withTwinClient({ record: path, cell }, async ({ arm, twin }) => {
    await arm.takeLock();
    await arm.useUnsavedToolpath({
      name: 'path',
      toolpath: read('toolpaths/pick-and-place') as Toolpath,
    });
    await pickAndPlace(arm);
    await twin.advance(1);
  });
  const builder = await pageOf(path);
  expect(builder.toolpath).toBe('path');
  const made = builder.document('run', 'armtwin', 1e6);
  const at = (name: string) => made.remarks.find(({ words }) => words.startsWith(name))!.at_s;
  const grasped_s = at('gripper grasped part 1');
  expect(made.cell[0]).toEqual({ at_s: 0, cell });
  const states = made.cell.flatMap(({ at_s, state }) => (state ? [{ at_s, ...state }] : []));
  const first = <Part>(list: (state: (typeof states)[number]) => readonly Part[], from_s: number) =>
    states.find((state) => state.at_s >= from_s && list(state).length > 0)!;
  expect(first((state) => state.objects, 0).objects[0]).toMatchObject({ at: 'A1' });
  const [gripper] = first((state) => state.grippers, grasped_s).grippers;
  expect(gripper?.holds).toBe('part 1');
  expect(gripper?.holds_at?.position.x).toBeCloseTo(0, 4);
  expect(gripper!.opening_m).toBeCloseTo(0.04, 3);
  const last = states.findLast(({ objects }) => objects.length > 0);
  expect(last?.objects[0]).toMatchObject({ at: 'B1', held_by: null });
  expect(JSON.stringify(made.cell).length).toBeLessThan(200_000);
});
