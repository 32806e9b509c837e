/** An arm on the way deviates by nothing, one beside it by as much as it is beside it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import { DeviationTrace } from './deviation.ts';
import { previewToolpath } from './preview.ts';
import { createStretchMoment, sampleWay, type Way } from './way.ts';

const url = new URL('../../fixtures/toolpaths/sorter.json', import.meta.url);
const toolpath = JSON.parse(readFileSync(url, 'utf8')) as Toolpath;
const outcome = previewToolpath(toolpath);
if (!outcome.ok) throw new Error(outcome.error.message);
const way: Way = outcome.value.way({});
const tool = createTool(toolpath.metadata.tcp_config);
const moment = createStretchMoment();

function poseAt(time_s: number, beside_rad = 0): number[] {
  sampleWay(way, time_s, moment);
  return Array.from(moment.joints, (angle, joint) => (joint === 0 ? angle + beside_rad : angle));
}

/** Follows the whole way with poses 43 ms apart, as a stream brings them. */
function followed(beside_rad = 0): DeviationTrace {
  const trace = new DeviationTrace(way, tool);
  for (let time_s = 0; time_s < way.duration_s; time_s += 0.043) {
    trace.take(poseAt(time_s, beside_rad));
  }
  return trace;
}

describe('a deviation trace', () => {
  it('finds nothing where the arm is on its way, and where on the way it is', () => {
    const trace = followed();
    expect(trace.deviations.length).toBeGreaterThan(300);
    expect(trace.most()!.tool_m).toBeLessThan(2e-5);
    const last_s = 0.043 * Math.floor(way.duration_s / 0.043);
    expect(trace.deviations.at(-1)!.time_s).toBeCloseTo(last_s, 2);
  });

  it('finds an arm that turns its base a milliradian too far', () => {
    const { tool_m, joint_rad } = followed(1e-3).most()!;
    expect(joint_rad).toBeLessThan(1.1e-3);
    expect(tool_m).toBeGreaterThan(2e-4);
    expect(tool_m).toBeLessThan(6e-4);
  });

  it('waits for an arm that is still on its way to the start', () => {
    const trace = new DeviationTrace(way, tool);
    for (const short_rad of [0.3, 0.1, 0.03, 0.005]) {
      expect(trace.take(poseAt(0, short_rad))).toBeNull();
    }
    expect(trace.take(poseAt(0, 0.001))).toBeNull();
    expect(trace.take(poseAt(0.2))!.tool_m).toBeLessThan(1e-5);
    expect(trace.deviations).toHaveLength(1);
  });

  it('begins anew with another loop, and is not led astray by a pose elsewhere', () => {
    const trace = followed();
    expect(trace.take([3, -2, 0, 1, -2, 1])).toBeNull();
    for (const time_s of [0.02, 0.06, 0.1, 0.3]) trace.take(poseAt(time_s));
    expect(trace.deviations.length).toBeLessThan(3);
    expect(trace.deviations.at(-1)!.time_s).toBeCloseTo(0.3, 2);
    expect(trace.most()!.tool_m).toBeLessThan(2e-5);
  });
});
