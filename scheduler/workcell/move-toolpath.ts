/** The toolpath of a labware move by the arm, and its times. */

import type { Action, Joints, Toolpath } from '../../contract/types.generated.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import type { ArmStation, ArmTransportSetup } from '../definition/workflow-model.ts';
import { locationKey, type SlotLocation } from '../plan/slot-location.ts';

const FORMAT = 2;
const HOME = 0;

function toolpathOf(
  { config }: ArmTransportSetup,
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

/** Visits a station: approach, grip, gripper output, approach; waypoints `at` and `at + 1`. */
function visit({ config }: ArmTransportSetup, at: number, closed: boolean): Action[] {
  const { location, type, index, settle_s } = config.gripper;
  const io = { location, type, index } as Extract<Action, { type: 'output-set' }>['io'];
  const wait: Action = { type: 'wait', condition: { type: 'time', duration: settle_s } };
  const set = { type: 'output-set', io, value: closed } as Action;
  return [joint(at), linear(at + 1), set, wait, linear(at)];
}

function stationPoses({ approach, grip }: ArmStation): (readonly number[])[] {
  return [approach, grip];
}

/** Toolpath of a move: home, pick up, put down, home. Null if a location has no station. */
export function moveToolpath(
  arm: ArmTransportSetup,
  from: SlotLocation,
  to: SlotLocation,
): Toolpath | null {
  const source = arm.stations.get(locationKey(from));
  const target = arm.stations.get(locationKey(to));
  if (!source || !target) return null;
  const { closed } = arm.config.gripper;
  const poses = [arm.config.home, ...stationPoses(source), ...stationPoses(target)];
  return toolpathOf(arm, poses, [
    { type: 'home', waypoint_id: HOME },
    ...visit(arm, 1, closed),
    ...visit(arm, 3, !closed),
    joint(HOME),
  ]);
}

/** Toolpath to put down labware that is in the gripper: home, put down, home. */
export function putDownToolpathFor(arm: ArmTransportSetup, to: SlotLocation): Toolpath | null {
  const target = arm.stations.get(locationKey(to));
  if (!target) return null;
  return toolpathOf(
    arm,
    [arm.config.home, ...stationPoses(target)],
    [
      { type: 'home', waypoint_id: HOME },
      ...visit(arm, 1, !arm.config.gripper.closed),
      joint(HOME),
    ],
  );
}

/** The times of a program of moves, outputs and timed waits in automatic mode (s). */
export interface CarryTimes {
  readonly total_s: number;
  /** When it sets each output. */
  readonly outputs_s: readonly number[];
}

/** Returns the times of a program that starts at its home waypoint. */
export function carryTimes({ steps, first }: Program): CarryTimes {
  let total_s = 0;
  const outputs_s: number[] = [];
  for (let at = first, left = steps.length; at >= 0 && left > 0; left--) {
    const step = steps[at]!;
    if (step.kind === 'move') total_s += step.move.automatic.duration_s;
    if (step.kind === 'wait' && step.condition.type === 'time') total_s += step.condition.duration;
    if (step.kind === 'output') outputs_s.push(total_s);
    at = 'next' in step ? step.next : -1;
  }
  return { total_s, outputs_s };
}
