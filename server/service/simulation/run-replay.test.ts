/** Replays of kept runs without a twin: the commands, faults and contacts that they show. */

import { describe, expect, it } from 'vitest';
import type { Contact } from '../../../bridge/arm-world.ts';
import type { RecordingDocument } from '../../../contract/export-document.ts';
import type { Joints, ReplayRunReply, RunMode } from '../../../contract/types.generated.ts';
import type { Command } from '../../robot/commands.ts';
import {
  ADA,
  createTarget,
  type LiveArm,
  liveArm,
  otherToolpath,
  SMALL,
  TICKS_PER_S,
  waypoint,
} from './live-arm.cases.ts';
import type { KeptRobotRun } from './robot-runs.ts';
import { type RunReplayResult, type RunReplayTask, replayRun } from './run-replay.ts';

/** The last run of what happens to the arm. */
async function keptRun(happens: (arm: LiveArm) => void): Promise<KeptRobotRun> {
  const arm = await liveArm();
  happens(arm);
  return arm.runs.find(arm.runs.list()[0]!.id)!;
}

interface Change {
  readonly at_s: number;
  readonly fault?: NonNullable<RunReplayTask['change']>['fault'];
  readonly toolpath?: NonNullable<RunReplayTask['change']>['toolpath'];
}

async function replayOrRefusal(run: KeptRobotRun, changed?: Change): Promise<RunReplayResult> {
  const change = changed && {
    tick: run.start.tick + Math.round(changed.at_s * TICKS_PER_S),
    fault: changed.fault ?? null,
    toolpath: changed.toolpath ?? null,
  };
  const end_tick = run.watch.tick;
  const task = {
    driver: 'fast',
    recorded_by: 'test',
    run,
    isReadable: false,
    end_tick,
    change: change ?? null,
  };
  return replayRun(task, createTarget());
}

async function replayed(run: KeptRobotRun, changed?: Change): Promise<ReplayRunReply> {
  const result = await replayOrRefusal(run, changed);
  if ('refused' in result) throw new Error(JSON.stringify(result));
  return result;
}

const duration_s = (run: KeptRobotRun) => (run.watch.tick - run.start.tick) / TICKS_PER_S;
const documentOf = ({ recording }: ReplayRunReply) => JSON.parse(recording) as RecordingDocument;
const shownFor_s = (reply: ReplayRunReply) => documentOf(reply).motion.times_s.at(-1)!;
const logOf = (reply: ReplayRunReply) => documentOf(reply).remarks.map(({ words }) => words);

const input = (value: boolean): Command => ({ kind: 'inputs', values: { d2: value } });
const OVERHEATED = { kind: 'driver', joint: 2, fault: 'overheated' } as const;

describe('a replay of a run as it was', () => {
  it('ends with the run', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.advance(20);
    });
    const reply = await replayed(run);
    expect(reply).toMatchObject({ outcome: 'finished', findings: [] });
    expect(reply.duration_s).toBeCloseTo(duration_s(run), 3);
    expect(shownFor_s(reply)).toBeCloseTo(reply.duration_s, 1);
  });

  it('executes the commands at their times, also the one that ended the run', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.advance(0.2);
      arm.apply(input(true));
      arm.advance(0.1);
      arm.apply({ kind: 'pause', caller: ADA });
      arm.advance(3);
      arm.apply({ kind: 'cancel', caller: ADA });
      arm.advance(5);
    });
    expect(run.watch).toMatchObject({ outcome: 'cancelled', signals: 1 });
    const reply = await replayed(run);
    expect(reply).toMatchObject({ outcome: 'cancelled', signals: 1 });
    expect(reply.duration_s).toBeCloseTo(duration_s(run), 3);
    const changed = documentOf(reply).remarks.find(({ kind }) => kind === 'signal');
    expect(changed!.at_s).toBeCloseTo(0.2, 2);
  });

  it('goes no further than the run has got, and is running then', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.advance(0.3);
      arm.apply(input(true));
    });
    const reply = await replayed(run);
    expect(reply).toMatchObject({ outcome: 'running', duration_s: 0.3, findings: [] });
    expect(shownFor_s(reply)).toBeCloseTo(0.3, 1);
  });

  it('shows a second more after a run that ended with an error, and the error', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.advance(0.3);
      arm.apply(input(true));
      arm.loop.applyWorldAction({ kind: 'joint_fault', joint: 2, fault: 'overheated' });
      arm.advance(5);
    });
    const reply = await replayed(run);
    expect(reply).toMatchObject({ outcome: 'error', duration_s: 0.304 });
    expect(shownFor_s(reply)).toBeCloseTo(1.3, 1);
    expect(reply.findings).toEqual([expect.stringMatching(/^0\.30 s: .*J3/)]);
  });

  it('lists the contacts of the run with times in it, and none from before', async () => {
    const cube = { x: 0.3, y: 0.3, z: 0.05 };
    const upright = { w: 1, x: 0, y: 0, z: 0 };
    const run = await keptRun((arm) => {
      const lid = (name: string) => {
        const place = { position: { x: 0, y: 0, z: 0.12 }, half: cube, orientation: upright };
        const obstacles = name === '' ? [] : [{ name, ...place, stiffness_n_per_m: 25_000 }];
        arm.loop.applyWorldAction({ kind: 'obstacles', obstacles });
      };
      lid('before');
      arm.advance(0.1);
      lid('');
      arm.advance(0.1);
      arm.run();
      arm.advance(0.2);
      lid('during');
      arm.advance(20);
    });
    const contacts = (await replayed(run)).findings.filter((text) => text.includes('touched'));
    expect(contacts.length).toBeGreaterThan(0);
    for (const text of contacts) {
      expect(text).toMatch(/^0\.\d\d s: \w+[\w ]* touched “during”, \d+ N at most$/);
      expect(Number.parseFloat(text)).toBeCloseTo(0.2, 1);
    }
  });
});

it('a replay lists a contact that begins as the run starts, and none from before', async () => {
  const run = await keptRun((arm) => {
    arm.run();
    arm.advance(20);
  });
  const contactAt = (id: number, at_s: number): Contact => ({
    ...{ id, at_s, ended_s: at_s, link: 6, obstacle: `post ${id}`, place_m: [0, 0, 0] },
    ...{ speed_m_s: 0.1, peak_force_n: 5, force_n: 0, detected: false },
  });
  const start_s = run.start.tick / TICKS_PER_S;
  const { driver, world } = createTarget();
  // The log of contacts is what the test says; all else is the world's own.
  const list = () => [contactAt(1, start_s - 0.001), contactAt(2, start_s)];
  Object.defineProperty(world, 'contacts', { value: { revision: 0, list } });
  const end_tick = run.watch.tick;
  const task = {
    driver: 'fast',
    recorded_by: 'test',
    run,
    isReadable: false,
    end_tick,
    change: null,
  };
  const reply = (await replayRun(task, { driver, world })) as ReplayRunReply;
  const findings = [expect.stringMatching(/^0\.00 s: \w+[\w ]* touched “post 2”, 5 N at most$/)];
  expect(reply.findings).toEqual(findings);
});

describe('a replay of a run with a fault from a tick on', () => {
  it('executes the commands before, at and after that tick, each once', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      const atTimes = [[true], [false], [true, false], [true]];
      for (const values of atTimes) {
        arm.advance(0.1);
        for (const value of values) arm.apply(input(value));
      }
      arm.advance(20);
    });
    const reply = await replayed(run, { at_s: 0.3, fault: { kind: 'stuck_input', input: 'd3' } });
    expect(reply).toMatchObject({ outcome: 'finished', signals: 5, findings: [] });
    const signals = documentOf(reply).remarks.filter(({ kind }) => kind === 'signal');
    expect(signals.map(({ at_s }) => Math.round(at_s * 10))).toEqual([1, 2, 4]);
    expect(shownFor_s(reply)).toBeCloseTo(duration_s(run), 1);
  });

  it('executes no command after the fault has ended the run', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.advance(0.4);
      arm.apply(input(true));
      arm.advance(20);
    });
    const reply = await replayed(run, { at_s: 0.2, fault: OVERHEATED });
    expect(reply).toMatchObject({ outcome: 'error', signals: 0 });
    expect(reply.duration_s).toBeCloseTo(0.2, 2);
    expect(shownFor_s(reply)).toBeCloseTo(1.2, 1);
  });

  it('keeps the inputs stuck that were', async () => {
    const run = await keptRun((arm) => {
      arm.apply({ kind: 'stick_inputs', stuck: { d2: true } });
      arm.run();
      arm.advance(0.3);
      arm.apply(input(true));
      arm.advance(20);
    });
    expect(run.watch.signals).toBe(0);
    const reply = await replayed(run, { at_s: 0.1, fault: { kind: 'stuck_input', input: 'd3' } });
    expect(reply).toMatchObject({ outcome: 'finished', signals: 0 });
  });

  it('is the run as it was where the fault comes after its end', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.advance(20);
    });
    const reply = await replayed(run, { at_s: 60, fault: OVERHEATED });
    expect(reply).toEqual(await replayed(run));
  });

  it('starts from the state alone where the commands are too many to be kept', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.advance(20);
    });
    const reply = await replayed({ ...run, inputs: null });
    expect(reply).toMatchObject({ outcome: 'finished', findings: [] });
  });
});

describe('a replay of a run with another toolpath from a tick on', () => {
  const finished = (mode: RunMode) =>
    keptRun((arm) => {
      arm.run(mode);
      arm.advance(4);
    });

  it('is refused with the problem of a toolpath that has no motion', async () => {
    const under: Joints = [0, -2.3, 0, 0, 0, 0];
    const waypoints = [SMALL.waypoints[0]!, { label_id: 2, joints: under }];
    const toolpath = otherToolpath({}, waypoints);
    const result = await replayOrRefusal(await finished('automatic'), { at_s: 0.2, toolpath });
    expect(result).toMatchObject({
      refused: 'toolpath_error',
      details: {
        code: 'plane_collision',
        path: expect.stringMatching(/^\/timeline\/\d/),
        error: expect.stringContaining('cannot be made'),
      },
    });
  });

  it('goes home after a stop and runs once, in the mode of the run', async () => {
    const far = [0, 1.2].map((joint, i) => waypoint(i + 1, joint));
    const toolpath = otherToolpath({ default_max_speed: 1 }, far);
    const automatic = await replayed(await finished('automatic'), { at_s: 0.2, toolpath });
    const teach = await replayed(await finished('teach'), { at_s: 0.2, toolpath });
    for (const reply of [automatic, teach]) {
      expect(reply).toMatchObject({ outcome: 'finished', findings: [] });
      expect(shownFor_s(reply)).toBeCloseTo(reply.duration_s, 1);
    }
    expect(teach.duration_s).toBeGreaterThan(automatic.duration_s + 0.1);
  });

  it('logs that it loads the other one, which has no name', async () => {
    const run = await finished('automatic');
    const reply = await replayed(run, { at_s: 0.2, toolpath: otherToolpath() });
    expect(logOf(reply).filter((words) => words.includes('loaded'))).toEqual([
      'Toolpath “” loaded',
    ]);
  });

  it('takes the lock where the run went on without', async () => {
    const run = await keptRun((arm) => {
      arm.run();
      arm.apply({ kind: 'release_lock', caller: ADA });
      arm.advance(20);
    });
    const reply = await replayed(run, { at_s: 0.2, toolpath: otherToolpath() });
    expect(reply).toMatchObject({ outcome: 'finished', findings: [] });
    expect(reply.duration_s).toBeGreaterThan(duration_s(run));
  });

  it('ends where the robot cannot go home, and says so', async () => {
    const post = {
      name: 'post',
      position: { x: 0.2, y: 0.15, z: 0 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
      dimensions: { x: 0.3, y: 0.02, z: 1 },
      avoid: 'inside',
    } as const;
    const waypoints = [1, 1.2].map((joint, i) => waypoint(i + 1, joint));
    const toolpath = otherToolpath({ avoidance_zones: [post] }, waypoints);
    const reply = await replayed(await finished('automatic'), { at_s: 0.2, toolpath });
    const findings = [expect.stringMatching(/^0\.\d\d s: home was refused: motion_refused$/)];
    expect(reply).toMatchObject({ outcome: 'error', findings });
    expect(shownFor_s(reply)).toBeCloseTo(reply.duration_s + 1, 1);
  });

  it('ends with the error of a fault that stops the robot first', async () => {
    const run = await finished('automatic');
    const reply = await replayed(run, {
      at_s: 0.2,
      fault: OVERHEATED,
      toolpath: otherToolpath(),
    });
    expect(reply).toMatchObject({ outcome: 'error', findings: [expect.stringMatching(/^0\.20/)] });
    expect(logOf(reply).filter((words) => words.includes('loaded'))).toEqual([]);
  });

  it('goes on as it was where the run has ended before', async () => {
    const run = await finished('automatic');
    const reply = await replayed(run, { at_s: 60, toolpath: otherToolpath() });
    expect(reply).toEqual(await replayed(run));
  });
});
