/**
 * The channels of the arm in the schemas of Foxglove, for MCAP files and the live connection. JSON
 * with a schema per channel.
 */

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
