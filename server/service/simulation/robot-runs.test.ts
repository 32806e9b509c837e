/**
 * Kept runs: the list, and replays as it was, with a fault and with another toolpath.
 * @module-tag ci
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../../bridge/simulated/simulated-arm.ts';
import type { RecordingDocument } from '../../../contract/export-document.ts';
import { limits } from '../../../contract/limits.ts';
import type {
  Cell,
  ReplayRunReply,
  RobotRun,
  Toolpath,
} from '../../../contract/types.generated.ts';
import { parseRecording } from '../../recording/recording-format.ts';
import { RecordingReplay } from '../../recording/replay.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { RobotRuns } from './robot-runs.ts';
import { type RunReplayTask, replayRun } from './run-replay.ts';
import { withTwinClient } from './twin-client.cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-runs-'));
afterAll(() => rmSync(folder, { recursive: true }));

function createTarget() {
  const arm = createSimulatedArm({ plant: 'fast' });
  return { driver: new FaultInjectingDriver(arm), world: arm.world };
}

let runs: RobotRuns;
let listed: RobotRun[];

/** Records a finished and a cancelled run, and keeps the runs of the recording. */
beforeAll(async () => {
  const record = join(folder, 'runs.recording');
  await withTwinClient({ record }, async ({ arm, twin }) => {
    await arm.takeLock();
    await arm.useUnsavedToolpath({ name: 'Small', toolpath: smallToolpath() });
    await arm.run({ mode: 'automatic', loop: 1 });
    await arm.runUntil({ state: 'ready', limit_s: 60 });
    await arm.run({ mode: 'automatic', loop: 1 });
    await twin.advance(0.4);
    await arm.pause();
    await arm.cancel();
    await arm.home({ mode: 'teach' });
    await arm.runUntil({ state: 'ready', limit_s: 60 });
    listed = (await arm.listRobotRuns()).runs;
  });
  const { header, inputs } = parseRecording(readFileSync(record, 'utf8'));
  const [start, ...lines] = inputs;
  if (start?.kind !== 'image') throw new Error('no start');
  const { driver, world } = createTarget();
  const replay = new RecordingReplay({ driver, world }, { header, start }, await driver.start());
  replay.restore(start);
  const { robot, loop } = replay;
  const parts = { robot, loop, world, driverFaults: driver, driver: 'fast', recorded_by: 'test' };
  runs = new RobotRuns(parts, () => []);
  loop.subscribe(runs);
  for (const line of lines) await replay.runLine(line, async () => undefined);
});

/** Replays the first run. */
async function replayFirst(change: RunReplayTask['change'] = null): Promise<ReplayRunReply> {
  const run = runs.find(1)!;
  const task = {
    driver: 'fast',
    recorded_by: 'test',
    run,
    isReadable: true,
    end_tick: run.watch.tick,
    change,
  };
  const result = await replayRun(task, createTarget());
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

/** Another toolpath for a replay. */
function otherOf(toolpath: Toolpath) {
  const json = new TextEncoder().encode(JSON.stringify(toolpath));
  const task = { toolpath: json, timing: null, range: null };
  return { hash: 'other', metadata: toolpath.metadata, task };
}

const tickAt = (time_s: number) => runs.find(1)!.start.tick + Math.ceil(time_s / 0.004);
const documentOf = ({ recording }: ReplayRunReply) => JSON.parse(recording) as RecordingDocument;

describe('kept runs', () => {
  it('are listed with their outcomes; home is none', () => {
    const shown = listed.map(({ id, name, outcome }) => [id, name, outcome]);
    expect(shown).toEqual([
      [2, 'Small', 'cancelled'],
      [1, 'Small', 'finished'],
    ]);
    expect(runs.list()).toEqual(listed);
  });

  it('are kept without the program of the toolpath, which may be large', () => {
    const { loaded } = runs.find(1)!.start;
    expect(loaded).toMatchObject({ name: 'Small', source: { timing: null } });
    expect(loaded).not.toHaveProperty('program');
  });

  it('are replayed as they were', async () => {
    const { outcome, duration_s, signals, findings, toolpath, recording } = await replayFirst();
    const kept = listed[1]!;
    expect([outcome, duration_s, signals]).toEqual(['finished', kept.duration_s, kept.signals]);
    expect(findings).toEqual([]);
    expect(JSON.parse(toolpath!)).toEqual(smallToolpath());
    expect(JSON.parse(recording)).toMatchObject({ kind: 'recording', name: 'Small' });
    expect((await replayFirst()).recording).toBe(recording);
  });

  it('are replayed with a fault from a tick on', async () => {
    const fault = { kind: 'driver', joint: 2, fault: 'overheated' } as const;
    const at_s = 0.5;
    const was = documentOf(await replayFirst());
    const branch = await replayFirst({ tick: tickAt(at_s), fault, toolpath: null });
    expect(branch.outcome).toBe('error');
    expect(branch.duration_s).toBeGreaterThanOrEqual(at_s);
    expect(branch.duration_s).toBeLessThan(listed[1]!.duration_s);
    expect(branch.findings.length).toBeGreaterThan(0);
    const early = (times: readonly number[]) => times.filter((time_s) => time_s < at_s);
    const { motion } = documentOf(branch);
    expect(early(motion.times_s)).toEqual(early(was.motion.times_s));
  });

  it('are replayed with another toolpath from a tick on', async () => {
    const toolpath = otherOf(smallToolpath());
    const branch = await replayFirst({ tick: tickAt(0.5), fault: null, toolpath });
    expect([branch.outcome, branch.findings]).toEqual(['finished', []]);
    expect(branch.duration_s).toBeGreaterThan(listed[1]!.duration_s);
  });

  it('keep the lock on a long way to the home of another toolpath', async () => {
    const small = smallToolpath();
    const slow = { ...small, metadata: { ...small.metadata, default_max_speed: 0.02 } };
    const branch = await replayFirst({ tick: tickAt(0.5), fault: null, toolpath: otherOf(slow) });
    expect(branch.duration_s).toBeGreaterThan(limits.lock_expiry_teach_s);
    expect([branch.outcome, branch.findings]).toEqual(['finished', []]);
  });

  it('refuse a fault that the cell does not have', async () => {
    const run = runs.find(1)!;
    const fault = { kind: 'gripper', gripper: 'no such', fault: 'jammed' } as const;
    const task = {
      driver: 'fast',
      recorded_by: 'test',
      run,
      isReadable: true,
      end_tick: run.watch.tick,
    };
    const change = { tick: tickAt(1), fault, toolpath: null };
    const result = await replayRun({ ...task, change }, createTarget());
    expect(result).toMatchObject({ refused: 'invalid_arguments' });
  });
});

it('a replay of a run in teach mode keeps the lock for another toolpath', async () => {
  const small = smallToolpath();
  const slow = { ...small, metadata: { ...small.metadata, default_max_speed: 0.02 } };
  await withTwinClient({}, async ({ arm, twin }) => {
    await arm.takeLock();
    await arm.useUnsavedToolpath({ name: 'small', toolpath: small });
    await arm.home();
    await arm.runUntil({ state: 'ready', limit_s: 5 });
    await arm.run({ mode: 'teach', loop: 1 });
    await twin.advance(0.5);
    await arm.runUntil({ state: 'ready', limit_s: 4 });
    const change = { at_s: 0.3, toolpath: slow };
    const branch = await arm.replayRobotRun({ robot_run_id: 1 }, change);
    expect(branch.duration_s).toBeGreaterThan(2 * limits.lock_expiry_teach_s);
    expect([branch.outcome, branch.findings]).toEqual(['finished', []]);
  });
});

describe('kept runs of a twin', () => {
  it('contain what happened in the world meanwhile', async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.useUnsavedToolpath({ name: 'Small', toolpath: smallToolpath() });
      await arm.home();
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      await arm.run({ mode: 'automatic', loop: 1 });
      await twin.advance(0.4);
      await arm.addFault({ kind: 'driver', joint: 2, fault: 'overheated' });
      await twin.advance(1);
      const [kept] = (await arm.listRobotRuns()).runs;
      expect(kept).toMatchObject({ outcome: 'error', replayable: true });
      const { outcome, duration_s } = await arm.replayRobotRun({ robot_run_id: 1 }, {});
      expect([outcome, duration_s]).toEqual(['error', kept!.duration_s]);
    });
  });

  it('end with a restore of the state before them, or with a reset', async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      const ids = async () => (await arm.listRobotRuns()).runs.map(({ id }) => id);
      await arm.takeLock();
      await arm.useUnsavedToolpath({ name: 'Small', toolpath: smallToolpath() });
      await arm.home();
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      await arm.run({ mode: 'automatic', loop: 1 });
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      await arm.keepState({ name: 'before' });
      await arm.run({ mode: 'automatic', loop: 1 });
      await twin.advance(0.4);
      await arm.keepState({ name: 'within' });
      expect(await ids()).toEqual([2, 1]);
      await arm.restoreState({ name: 'before' });
      expect(await ids()).toEqual([1]);
      await arm.restoreState({ name: 'within' });
      expect(await ids()).toEqual([3, 1]);
      await arm.resetTwin({ scopes: ['recording'] });
      expect(await ids()).toEqual([]);
    });
  });
});

it('a replay shows what happened in the cell during the run, and nothing from before', async () => {
  const read = (path: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../../fixtures/${path}.json`, import.meta.url), 'utf8'));
  await withTwinClient({ cell: read('cells/trays') as Cell }, async ({ arm }) => {
    await arm.takeLock();
    const toolpath = read('toolpaths/pick-and-place') as Toolpath;
    await arm.useUnsavedToolpath({ name: 'trays', toolpath });
    let before = 0;
    for (let run = 1; run <= 2; run++) {
      await arm.moveCellObject({ object_name: 'part 1' }, { nest: 'A1' });
      before = (await arm.listCellEvents()).events.length;
      await arm.run({ mode: 'automatic', loop: 1 });
      await arm.runUntil({ state: 'ready', limit_s: 60 });
    }
    for (const run of (await arm.listRobotRuns()).runs) expect(run.signals).toBeGreaterThan(4);
    const { events } = await arm.listCellEvents();
    const texts = events.flatMap(({ kind, text }) => (kind === 'sensor' ? [] : text));
    const during = events.slice(before).filter(({ kind }) => kind !== 'sensor');
    const reply = await arm.replayRobotRun({ robot_run_id: 2 }, {});
    const reported = documentOf(reply).remarks.filter(({ words }) => texts.includes(words));
    expect(reported.map(({ words }) => words)).toEqual(during.map(({ text }) => text));
    expect(before).toBeGreaterThan(0);
  });
});
