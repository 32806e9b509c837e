/** An arm on the path does not deviate; an arm beside it deviates by its distance. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import { DeviationTrace } from './deviation.ts';
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
