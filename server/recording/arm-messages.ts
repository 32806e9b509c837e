/**
 * The messages of the arm in the schemas of Foxglove: joint states, transforms of the frames,
 * flange pose, signals and log. Units m, rad, rad/s, N m; frames as in the exported URDF.
 */
import type { Feedback } from '../../bridge/arm-driver.ts';
import {
  FLANGE_M,
  FRAME_NAMES,
  JOINT_COUNT,
  JOINT_NAMES,
  OFFSETS_M,
  TURNS_ABOUT_Z,
} from '../../physics/arm/arm-model.ts';
import { chainAngle } from '../../physics/kinematics/chain-angles.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import type { Tool } from '../../physics/kinematics/tool.ts';
import { matrixToQuaternion } from '../../physics/math/rotation.ts';
import { readInput } from '../robot/io.ts';
import type { RobotMemory } from '../robot/memory.ts';
import { type DiscreteFields, discreteFields } from './discrete-fields.ts';
import { NO_ROTATION, pointOf } from './foxglove-pose.ts';
import type { Stamp } from './stamp.ts';

/** Joint states of a feedback. */
export function jointsMessage(feedback: Feedback, timestamp: Stamp): object {
  return {
    timestamp,
    joints: JOINT_NAMES.map((name, j) => ({
      name,
      position: feedback.position_rad[j],
      velocity: feedback.velocity_rad_s[j],
      effort: feedback.torque_n_m[j],
    })),
  };
}

/** State, inputs and outputs as the API has them: an open analog input shows its noise. */
export function signalsMessage(
  memory: Readonly<RobotMemory>,
  moment: { readonly tick: number; readonly seed: number },
): DiscreteFields {
  const fields: Record<string, unknown> = { ...discreteFields(memory) };
  for (const key in memory.io.inputs) {
    fields[`inputs.${key}`] = readInput(memory.io, key, moment.tick, moment.seed);
  }
  return fields;
}

/** Drive temperatures of a feedback (°C). */
export function temperaturesMessage(feedback: Feedback): object {
  return { temperature_c: Array.from(feedback.temperature_c) };
}

/** Each frame in the one before it, and the tool (its tip, turned) in the flange where known. */
export function transformsMessage(feedback: Feedback, timestamp: Stamp, tool: Tool | null): object {
  const links = OFFSETS_M.map((offset_m, j) => {
    const half = chainAngle(j, feedback.position_rad[j]!) / 2;
    const [sin, w] = [Math.sin(half), Math.cos(half)];
    const about = TURNS_ABOUT_Z[j] ? { x: 0, y: 0, z: sin, w } : { x: 0, y: -sin, z: 0, w };
    return { child: FRAME_NAMES[j + 1]!, parent: FRAME_NAMES[j]!, at_m: offset_m, turn: about };
  });
  const wrist = { child: 'flange', parent: FRAME_NAMES[JOINT_COUNT]! };
  const flange = { ...wrist, at_m: [0, 0, FLANGE_M], turn: NO_ROTATION };
  const tip = tool && { at_m: [...tool.offset_m], turn: matrixToQuaternion(tool.rotation) };
  const tools = tip ? [{ child: 'tool', parent: 'flange', ...tip }] : [];
  return {
    transforms: [...links, flange, ...tools].map(({ parent, child, at_m, turn }) => ({
      timestamp,
      parent_frame_id: parent,
      child_frame_id: child,
      translation: pointOf(at_m),
      rotation: turn,
    })),
  };
}

const frames = createFrames();

/** Pose of the flange in the base. */
export function flangeMessage(feedback: Feedback, timestamp: Stamp): object {
  forward(feedback.position_rad, frames);
  const at = FLANGE_FRAME * FRAME_SIZE;
  return {
    timestamp,
    frame_id: FRAME_NAMES[0],
    pose: {
      position: pointOf([...frames.subarray(at + 9, at + 12)]),
      orientation: matrixToQuaternion(frames, at),
    },
  };
}

/** Foxglove's numbers of log levels. */
const LOG_LEVELS = { info: 2, warning: 3, error: 4 } as const;

/** A line of the robot's log. */
export function logMessage(
  event: { readonly level: keyof typeof LOG_LEVELS; readonly text: string },
  timestamp: Stamp,
): object {
  return { timestamp, level: LOG_LEVELS[event.level], message: event.text, name: 'robot' };
}
