/**
 * Build and go_to figures of bench/motion.bench.ts: toolpaths of 100 motions between random poses
 * in front of the base. It measures processor time, and excludes the first quarter of the rounds as
 * warm-up.
 */

import type { Joints, Toolpath } from '../contract/types.generated.ts';
import { createPrng } from '../physics/math/prng.ts';
import type { MotionCaps } from '../physics/motion/motion-caps.ts';
import { buildToolpath } from '../physics/toolpath/build.ts';
import { planGoTo } from '../physics/toolpath/go-to.ts';
import { type Figure, quantileOf } from './figure-table.ts';
import { type BaselineMove, planTrapezoidJoints, planTrapezoidLine } from './motion.baseline.ts';

const CENTRE: Joints = [0, 0.3284, -2.0147, 0, -1.4553, 0];
const MOTIONS = 100;
const GO_TOS = 1000;
const random = createPrng(1);

function pose(): Joints {
  return CENTRE.map((angle) => angle + (random() - 0.5) * 0.5) as Joints;
}

function toolpathOf(kind: 'joint_space' | 'linear', default_max_speed: number): Toolpath {
  const waypoints = Array.from({ length: MOTIONS + 1 }, (_, label_id) => ({
    label_id,
    joints: pose(),
  }));
  const motions = waypoints.slice(1).map((_, i) => ({
    type: 'trajectory' as const,
    trajectory: kind,
    waypoint_id: i + 1,
  }));
  const modes = { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' } as const;
  return {
    metadata: {
      version: 2,
      default_max_speed,
      payload: 0,
      next_label_id: MOTIONS + 1,
      analog_modes: modes,
    },
    waypoints,
    timeline: [{ type: 'home', waypoint_id: 0 }, ...motions],
  };
}

/** Figures of builds, each of a new toolpath. */
export function* buildFigures(): Iterable<Figure> {
  for (const [kind, goal, rounds] of [
    ['joint_space', 10, 60],
    ['linear', 150, 8],
  ] as const) {
    for (const speed of [0.25, 1.5]) {
      for (const program of [false, true]) {
        const toolpaths = Array.from({ length: rounds }, () => toolpathOf(kind, speed));
        const options = { program, trajectory: !program };
        const times = toolpaths.map((next) => processor_ms(() => buildToolpath(next, options)));
        const plain = timeBaseline(kind, toolpaths[0]!, speed);
        const measured = quantileOf(times.slice(rounds / 4), 0.5);
        const made = program ? 'program' : 'reply';
        const what = `build of ${MOTIONS} ${kind} at ${speed} m/s, ${made}`;
        yield { what, measured, goal, unit: 'ms, p50', baseline: plain };
      }
    }
  }
}

export function* goToFigures(): Iterable<Figure> {
  for (const mode of ['teach', 'automatic'] as const) {
    const times = Array.from({ length: GO_TOS }, () => {
      const request = { start: pose(), joints: pose(), mode, max_speed: 1.5 };
      return processor_ms(() => planGoTo(request));
    });
    const measured = quantileOf(times.slice(GO_TOS / 4), 0.99);
    yield { what: `go_to, ${mode}`, measured, goal: 2, unit: 'ms, p99' };
  }
}

function timeBaseline(
  kind: 'joint_space' | 'linear',
  { waypoints }: Toolpath,
  speed: number,
): number {
  const caps: MotionCaps = { tool_speed_m_s: speed, tool_offset_m: [0, 0, 0] };
  const poses = waypoints.map(({ joints }) => Float64Array.from(joints));
  const moves = poses.slice(1).map((end, i) => ({ start: poses[i]!, end }));
  const plan =
    kind === 'linear' ? (it: BaselineMove) => planTrapezoidLine(it, caps) : planTrapezoidJoints;
  return Math.min(...[1, 2, 3].map(() => processor_ms(() => moves.forEach((it) => void plan(it)))));
}

function processor_ms(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
