/** The path of the loaded toolpath as a scene. Units m, in the base. */
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { createPathSample, samplePath } from '../../physics/motion/joint-path.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { NO_ROTATION, pointOf } from './foxglove-pose.ts';
import { sceneMessage } from './scene-message.ts';
import type { Stamp } from './stamp.ts';

const frames = createFrames();

/** Samples of a move, and points of the whole path, at most: more would not be seen. */
const SAMPLES_PER_MOVE = 24;
const PATH_POINTS_MAX = 6000;
const PATH_COLOR = { r: 0.1, g: 0.5, b: 0.9, a: 1 };
const UNTURNED = { position: { x: 0, y: 0, z: 0 }, orientation: NO_ROTATION };

/** The way of the tool's tip through each move of a loaded toolpath. */
export function pathMessage(program: Program | null, timestamp: Stamp): object {
  const moves = (program?.steps ?? []).filter((step) => 'move' in step);
  const most = Math.floor(PATH_POINTS_MAX / Math.max(moves.length, 1));
  const samples = Math.max(2, Math.min(SAMPLES_PER_MOVE, most));
  const sample = createPathSample();
  const [x, y, z] = program?.tool_offset_m ?? [0, 0, 0];
  const at = FLANGE_FRAME * FRAME_SIZE;
  const lines = moves.slice(0, PATH_POINTS_MAX / 2).map(({ move }) => ({
    type: 0,
    pose: UNTURNED,
    thickness: 2,
    scale_invariant: true,
    points: Array.from({ length: samples }, (_, i) => {
      samplePath(move.path, i / (samples - 1), sample);
      forward(sample.q, frames);
      const f = frames.subarray(at, at + FRAME_SIZE);
      const tip = (row: number) =>
        f[3 * row]! * x + f[3 * row + 1]! * y + f[3 * row + 2]! * z + f[9 + row]!;
      return pointOf([tip(0), tip(1), tip(2)]);
    }),
    color: PATH_COLOR,
    colors: [],
    indices: [],
  }));
  return sceneMessage(lines.length > 0 ? [{ id: 'toolpath', lines }] : [], timestamp);
}
