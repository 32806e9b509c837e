/**
 * An arm on the path does not deviate; an arm beside it deviates by its distance. A replay has its
 * deviation and its plan at the times of the run.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import { plannedTime } from './beside-path.ts';
import { DeviationTrace, deviationOf, noDeviation } from './deviation.ts';
import { previewToolpath } from './preview.ts';
import { createTrajectoryPoint, sampleTimedPath, type TimedPath } from './timed-path.ts';

const url = new URL('../../fixtures/toolpaths/sorter.json', import.meta.url);
const toolpath = JSON.parse(readFileSync(url, 'utf8')) as Toolpath;
const outcome = previewToolpath(toolpath);
if (!outcome.ok) throw new Error(outcome.error.message);
const path: TimedPath = outcome.value.path({});
const tool = createTool(toolpath.metadata.tcp_config);
const trajectoryPoint = createTrajectoryPoint();

function poseAt(time_s: number, beside_rad = 0): number[] {
  sampleTimedPath(path, time_s, trajectoryPoint);
  return Array.from(trajectoryPoint.joints, (angle, joint) =>
    joint === 0 ? angle + beside_rad : angle,
  );
}

/** Feeds the whole path as poses 43 ms apart, as the stream does. */
function runDeviation(beside_rad = 0): DeviationTrace {
  const trace = new DeviationTrace(path, tool);
  for (let time_s = 0; time_s < path.duration_s; time_s += 0.043) {
    trace.addPose(poseAt(time_s, beside_rad));
  }
  return trace;
}

describe('a deviation trace', () => {
  it('finds no deviation of an arm on the path, and its position', () => {
    const trace = runDeviation();
    expect(trace.deviations.length).toBeGreaterThan(300);
    expect(trace.max()!.tool_m).toBeLessThan(2e-5);
    const last_s = 0.043 * Math.floor(path.duration_s / 0.043);
    expect(trace.deviations.at(-1)!.time_s).toBeCloseTo(last_s, 2);
  });

  it('measures an arm whose base is off by a milliradian', () => {
    const { tool_m, joint_rad } = runDeviation(1e-3).max()!;
    expect(joint_rad).toBeLessThan(1.1e-3);
    expect(tool_m).toBeGreaterThan(2e-4);
    expect(tool_m).toBeLessThan(6e-4);
  });

  it('waits for an arm that is still approaching the start', () => {
    const trace = new DeviationTrace(path, tool);
    for (const short_rad of [0.3, 0.1, 0.03, 0.005]) {
      expect(trace.addPose(poseAt(0, short_rad))).toBeNull();
    }
    expect(trace.addPose(poseAt(0, 0.001))).toBeNull();
    expect(trace.addPose(poseAt(0.2))!.tool_m).toBeLessThan(1e-5);
    expect(trace.deviations).toHaveLength(1);
  });

  it('restarts with another loop, and ignores a pose elsewhere', () => {
    const trace = runDeviation();
    expect(trace.addPose([3, -2, 0, 1, -2, 1])).toBeNull();
    for (const time_s of [0.02, 0.06, 0.1, 0.3]) trace.addPose(poseAt(time_s));
    expect(trace.deviations.length).toBeLessThan(3);
    expect(trace.deviations.at(-1)!.time_s).toBeCloseTo(0.3, 2);
    expect(trace.max()!.tool_m).toBeLessThan(2e-5);
  });
});

/** A run of the path in which the arm pauses at a time, and from another one on is beside the path. */
function runWith(
  pause: { at_s: number; for_s: number },
  beside: { from_s: number; by_rad: number },
) {
  const samples: { at_s: number; joints: number[] }[] = [];
  for (let time_s = 0; time_s < path.duration_s; time_s += 0.02) {
    const joints = poseAt(time_s, time_s >= beside.from_s ? beside.by_rad : 0);
    const at_s = time_s + (time_s >= pause.at_s ? pause.for_s : 0);
    // A pause has a sample at either end.
    if (time_s >= pause.at_s && (samples.at(-1)?.at_s ?? 0) < pause.at_s)
      samples.push({ at_s: at_s - 0.02, joints: samples.at(-1)!.joints });
    samples.push({ at_s, joints });
  }
  return samples;
}

describe('the plan beside a run', () => {
  const PAUSE = { at_s: 1, for_s: 5 };

  it('is where the arm is on it, at the time of the run', async () => {
    const samples = runWith(PAUSE, { from_s: 4, by_rad: 1e-3 });
    const { deviations, most } = await deviationOf({ path, toolpath }, samples);
    const run = { deviations, most, why: '' };
    for (const time_s of [0.5, 0.9, 1.3, 3]) {
      const at_s = time_s + (time_s >= PAUSE.at_s ? PAUSE.for_s : 0);
      expect(plannedTime(run, at_s)).toBeCloseTo(time_s, 2);
    }
    // It waits with the arm.
    expect(plannedTime(run, 3.5)).toBeCloseTo(PAUSE.at_s, 1);
    expect(plannedTime(run, 0.01)).toBeCloseTo(0.01, 2);
    const before = deviations.filter(({ at_s }) => at_s < 4 + PAUSE.for_s);
    expect(Math.max(...before.map(({ tool_m }) => tool_m))).toBeLessThan(2e-5);
    expect(most!.at_s).toBeGreaterThan(4 + PAUSE.for_s);
    expect(most!.tool_m).toBeGreaterThan(2e-4);
  });

  it('stays where the arm has left it', async () => {
    const samples = runWith(PAUSE, { from_s: 2, by_rad: 0.5 });
    const run = await deviationOf({ path, toolpath }, samples);
    expect(plannedTime(run, 3 + PAUSE.for_s)).toBeCloseTo(2, 1);
  });

  it('says of an arm that never was on it that it was not', async () => {
    const run = await deviationOf({ path, toolpath }, runWith(PAUSE, { from_s: 0, by_rad: 0.5 }));
    expect(run).toEqual(noDeviation('The arm was never on the plan of this run.'));
    expect(plannedTime(run, 3)).toBe(0);
  });
});
