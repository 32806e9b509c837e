/**
 * The messages of the arm in the schemas of Foxglove, for MCAP files and the live connection: joint
 * states, transforms of the frames, flange pose, signals, log, and scenes of path, obstacles,
 * contacts and cell. JSON with a schema per channel; units m, rad, rad/s, N m; frames as in the
 * exported URDF.
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
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
  type Tool,
} from '../../physics/kinematics/forward.ts';
import { matrixToQuaternion } from '../../physics/math/rotation.ts';
import { readInput } from '../robot/io.ts';
import type { RobotMemory } from '../robot/robot-context.ts';
import { type DiscreteFields, discreteFields } from './recording-format.ts';

/** A moment of Foxglove's messages. */
export interface Stamp {
  readonly sec: number;
  readonly nsec: number;
}

/** A moment as nanoseconds since 1970, from milliseconds. */
export function nanosecondsOf(epoch_ms: number): bigint {
  return BigInt(Math.round(epoch_ms * 1000)) * 1000n;
}

/** A moment from milliseconds since 1970. */
export function stampOf(epoch_ms: number): Stamp {
  const microseconds = Math.round(epoch_ms * 1000);
  const sec = Math.floor(microseconds / 1e6);
  return { sec, nsec: (microseconds - sec * 1e6) * 1000 };
}

type JsonSchema = Readonly<Record<string, unknown>>;

const number = { type: 'number' };
const text = { type: 'string' };
const integer = { type: 'integer' };
const list = (items: JsonSchema) => ({ type: 'array', items });
const record = (properties: Readonly<Record<string, JsonSchema>>) => ({
  type: 'object',
  properties,
});
const stamp = record({ sec: integer, nsec: integer });
const vector = record({ x: number, y: number, z: number });
const quaternion = record({ x: number, y: number, z: number, w: number });
const pose = record({ position: vector, orientation: quaternion });
const color = record({ r: number, g: number, b: number, a: number });
const solid = record({ pose, size: vector, color });

const scene = {
  name: 'foxglove.SceneUpdate',
  schema: record({
    deletions: list(record({ timestamp: stamp, type: integer, id: text })),
    entities: list(
      record({
        timestamp: stamp,
        frame_id: text,
        id: text,
        lifetime: stamp,
        frame_locked: { type: 'boolean' },
        metadata: list(record({ key: text, value: text })),
        cubes: list(solid),
        spheres: list(solid),
        cylinders: list(
          record({ pose, size: vector, bottom_scale: number, top_scale: number, color }),
        ),
        lines: list(
          record({
            type: integer,
            pose,
            thickness: number,
            scale_invariant: { type: 'boolean' },
            points: list(vector),
            color,
            colors: list(color),
            indices: list(integer),
          }),
        ),
      }),
    ),
  }),
};

/** The channels with name and schema of their messages. */
export const CHANNELS = {
  '/joints': {
    name: 'foxglove.JointStates',
    schema: record({
      timestamp: stamp,
      joints: list(record({ name: text, position: number, velocity: number, effort: number })),
    }),
  },
  '/tf': {
    name: 'foxglove.FrameTransforms',
    schema: record({
      transforms: list(
        record({
          timestamp: stamp,
          parent_frame_id: text,
          child_frame_id: text,
          translation: vector,
          rotation: quaternion,
        }),
      ),
    }),
  },
  '/flange': {
    name: 'foxglove.PoseInFrame',
    schema: record({ timestamp: stamp, frame_id: text, pose }),
  },
  '/log': {
    name: 'foxglove.Log',
    schema: record({ timestamp: stamp, level: integer, message: text, name: text }),
  },
  '/signals': { name: 'armtwin.Signals', schema: record({}) },
  '/temperatures': {
    name: 'armtwin.Temperatures',
    schema: record({ temperature_c: list(number) }),
  },
  '/path': scene,
  '/obstacles': scene,
  '/contacts': scene,
  '/cell': scene,
} as const;

export type Topic = keyof typeof CHANNELS;

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

/** The unit quaternion. */
export const NO_ROTATION = { x: 0, y: 0, z: 0, w: 1 };

/** A point as Foxglove writes it. */
export function pointOf([x, y, z]: readonly number[]): object {
  return { x, y, z };
}

/** Each frame in the one before it, and the tool (its tip, turned) in the flange where known. */
export function transformsMessage(feedback: Feedback, timestamp: Stamp, tool: Tool | null): object {
  const links = OFFSETS_M.map((offset_m, j) => {
    const half = feedback.position_rad[j]! / 2;
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
