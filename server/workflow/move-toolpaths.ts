/**
 * The toolpaths by which the arm moves labware, as a person would write them: from home over the
 * approach to the grip, close, back, and the same to put down (facts: transport instrument).
 */
import type { Action, Joints, Toolpath } from '../../contract/types.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { type ArmTransport, type Station, stationKey } from './model.ts';
import type { Place } from './plan/problem.ts';

const FORMAT = 2;
const HOME = 0;

function toolpathOf(
  { config }: ArmTransport,
  poses: readonly (readonly number[])[],
  timeline: readonly Action[],
): Toolpath {
  const modes = { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' } as const;
  return {
    metadata: {
      version: FORMAT,
      default_max_speed: config.default_max_speed,
      next_label_id: poses.length + 1,
      payload: 0,
      analog_modes: modes,
    },
    waypoints: poses.map((joints, i) => ({ label_id: i + 1, joints: [...joints] as Joints })),
    timeline: [...timeline],
  };
}

function joint(waypoint_id: number): Action {
  return { type: 'trajectory', trajectory: 'joint_space', waypoint_id };
}

function linear(waypoint_id: number): Action {
  return { type: 'trajectory', trajectory: 'linear', waypoint_id };
}

/** To a station's grip, the gripper, and back to its approach; waypoints at and at + 1. */
function visit({ config }: ArmTransport, at: number, closed: boolean): Action[] {
  const { location, type, index, settle_s } = config.gripper;
  const io = { location, type, index } as Extract<Action, { type: 'output-set' }>['io'];
  const wait: Action = { type: 'wait', condition: { type: 'time', duration: settle_s } };
  const set = { type: 'output-set', io, value: closed } as Action;
  return [joint(at), linear(at + 1), set, wait, linear(at)];
}

function posesOf({ approach, grip }: Station): (readonly number[])[] {
  return [approach, grip];
}

/** From home: fetch, carry, put down, home. Null where a place has no station. */
export function moveToolpath(arm: ArmTransport, from: Place, to: Place): Toolpath | null {
  const source = arm.stations.get(stationKey(from));
  const target = arm.stations.get(stationKey(to));
  if (!source || !target) return null;
  const { closed } = arm.config.gripper;
  const poses = [arm.config.home, ...posesOf(source), ...posesOf(target)];
  return toolpathOf(arm, poses, [
    { type: 'home', waypoint_id: HOME },
    ...visit(arm, 1, closed),
    ...visit(arm, 3, !closed),
    joint(HOME),
  ]);
}

/** From home with the labware in the gripper: put down, home. */
export function placeToolpath(arm: ArmTransport, to: Place): Toolpath | null {
  const target = arm.stations.get(stationKey(to));
  if (!target) return null;
  return toolpathOf(
    arm,
    [arm.config.home, ...posesOf(target)],
    [
      { type: 'home', waypoint_id: HOME },
      ...visit(arm, 1, !arm.config.gripper.closed),
      joint(HOME),
    ],
  );
}

/** How long a program of moves, outputs and timed waits takes in automatic mode (s). */
export function programTime_s({ steps, first }: Program): number {
  let time_s = 0;
  for (let at = first, left = steps.length; at >= 0 && left > 0; left--) {
    const step = steps[at]!;
    if (step.kind === 'move') time_s += step.move.automatic.duration_s;
    if (step.kind === 'wait' && step.condition.type === 'time') time_s += step.condition.duration;
    at = 'next' in step ? step.next : -1;
  }
  return time_s;
}
