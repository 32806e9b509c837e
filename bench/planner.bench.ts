/**
 * What it costs to build toolpaths and to plan go_to, as calls and runs ask for it: toolpaths of
 * 100 motions between random poses in front of the base. Processor time, so that a busy machine
 * tells about the same; the first rounds warm up and do not count. `npx tsx bench/planner.bench.ts`
 */
import type { Joints, Toolpath, TrajectoryAction } from '../contract/types.ts';
import { type BuildOptions, buildToolpath } from '../physics/toolpath/build.ts';
import { planGoTo } from '../physics/toolpath/go-to.ts';

const CENTRE: Joints = [0, 0.3284, -2.0147, 0, -1.4553, 0];
const MOTIONS = 100;
const WARM_UP = 3;
const ROUNDS = 12;
const GO_TOS = 1000;

let state = 7;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return (state >>> 0) / 4294967296;
}

function pose(): Joints {
  return CENTRE.map((angle) => angle + (random() - 0.5) * 0.5) as Joints;
}

function toolpath(trajectory: TrajectoryAction['trajectory'], default_max_speed: number): Toolpath {
  const waypoints = Array.from({ length: MOTIONS + 1 }, (_, label_id) => ({
    label_id,
    joints: pose(),
  }));
  const motions = waypoints.slice(1).map((_, i) => ({
    type: 'trajectory' as const,
    trajectory: trajectory ?? 'joint_space',
    waypoint_id: i + 1,
  }));
  return {
    metadata: {
      version: 2,
      default_max_speed,
      payload: 0,
      next_label_id: MOTIONS + 1,
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    },
    waypoints,
    timeline: [{ type: 'home', waypoint_id: 0 }, ...motions],
  };
}

function processorTime_ms(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function report(name: string, times: number[], goal = ''): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(2);
  console.log(`${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms${goal && `   goal ${goal}`}`);
}

const REPLY: BuildOptions = { program: false, trajectory: true };
const PROGRAM: BuildOptions = { program: true, trajectory: false };

for (const [kind, speed, goal] of [
  ['joint_space', 1.5, '10 ms'],
  ['joint_space', 0.25, '10 ms'],
  ['linear', 0.25, '150 ms'],
] as const) {
  for (const [what, options] of [
    ['reply', REPLY],
    ['program', PROGRAM],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < WARM_UP + ROUNDS; i++) {
      const next = toolpath(kind, speed);
      const time = processorTime_ms(() => buildToolpath(next, options));
      if (i >= WARM_UP) times.push(time);
    }
    report(`${MOTIONS} ${kind} motions at ${speed} m/s, ${what}`, times, goal);
  }
}

for (const mode of ['teach', 'automatic'] as const) {
  const times: number[] = [];
  for (let i = 0; i < GO_TOS; i++) {
    const request = { start: pose(), joints: pose(), mode, max_speed: 1.5 };
    times.push(processorTime_ms(() => planGoTo(request)));
  }
  report(`go_to, ${mode}`, times, '2 ms at p99');
}
