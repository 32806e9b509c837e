/** The exported glTF, read by the validator of Khronos and by its own nodes and buffers. */
import { readFileSync } from 'node:fs';
// @ts-expect-error: the package has no types.
import validator from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { FRAME_NAMES } from '../arm/arm-model.ts';
import { CAPSULE_ENDS_M, CAPSULE_LINK, CAPSULE_RADIUS_M } from '../arm/geometry.ts';
import { compileCell } from '../cell/cell-model.ts';
import { segmentsSquared } from '../collision/distance.ts';
import { randomPoses } from '../dynamics/states.cases.ts';
import { createFrames, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { multiplyMatrices } from '../math/rotation.ts';
import { largestDifference } from '../math/vector.ts';
import { armAsGltf } from './gltf.ts';

const SEED = 24;
const STATES = 500;
const TOLERANCE = 1e-9;

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Rotation by `angle` (rad) about +z or -y. */
function turnAbout(axis: readonly number[], angle: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (axis[2] === 1) return Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1);
  return Float64Array.of(c, 0, -s, 0, 1, 0, s, 0, c);
}

describe('glTF, read by the validator of Khronos', () => {
  const { scene, bytes } = armAsGltf();

  it('passes without an error or a warning', async () => {
    const uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
    const file = { ...scene, buffers: [{ byteLength: bytes.length, uri }] };
    const report = await validator.validateString(JSON.stringify(file));
    // A hint: the flange has no mesh.
    const flange = { code: 'NODE_EMPTY', pointer: '/nodes/8', severity: 2 };
    expect(report.issues.messages).toEqual([expect.objectContaining(flange)]);
  });

  it('has the forward kinematics of the twin, its root turned y up', () => {
    const { nodes } = scene;
    const frames = createFrames();
    const turned = new Float64Array(9);
    let worst = 0;
    for (const q of randomPoses(SEED, STATES)) {
      forward(q, frames);
      // From the root's child on: translation, then the turn of the joint about its axis.
      let place = { rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), origin: [0, 0, 0] };
      FRAME_NAMES.forEach((name, i) => {
        const node = nodes.find((each) => each.name === name)!;
        const [x = 0, y = 0, z = 0] = node.translation ?? [];
        const r = place.rotation;
        const origin = place.origin.map(
          (from, k) => from + r[3 * k]! * x + r[3 * k + 1]! * y + r[3 * k + 2]! * z,
        );
        const turn = node.extras?.axis ? turnAbout(node.extras.axis, q[i - 1]!) : IDENTITY;
        multiplyMatrices(r, 0, turn, 0, turned, 0);
        place = { rotation: turned.slice(), origin };
        const ours = frames.subarray(FRAME_SIZE * i, FRAME_SIZE * (i + 1));
        worst = Math.max(worst, largestDifference([...place.rotation, ...origin], ours));
      });
    }
    expect(worst, `seed ${SEED}`).toBeLessThan(TOLERANCE);
  });

  it('has every vertex on a capsule of its link', () => {
    for (const [link, mesh] of scene.meshes.entries()) {
      const { byteOffset, byteLength } =
        scene.bufferViews[mesh.primitives[0]!.attributes.POSITION]!;
      const points = new Float32Array(bytes.buffer, byteOffset, byteLength / 4);
      const capsules = Array.from(CAPSULE_LINK.keys()).filter((k) => CAPSULE_LINK[k] === link);
      expect(points.length / 3).toBeGreaterThan(300 * capsules.length);
      for (let i = 0; i < points.length; i += 3) {
        const point = [...points.subarray(i, i + 3), ...points.subarray(i, i + 3)];
        const off_m = capsules.map((k) =>
          Math.abs(
            Math.sqrt(segmentsSquared(point, 0, CAPSULE_ENDS_M, 6 * k)) - CAPSULE_RADIUS_M[k]!,
          ),
        );
        expect(Math.min(...off_m)).toBeLessThan(1e-7);
      }
    }
  });

  it('has faces that look outward, also of a cell', () => {
    const cell = JSON.parse(readFileSync('fixtures/cells/trays.json', 'utf8'));
    const { scene, bytes } = armAsGltf(compileCell(cell));
    expect(scene.meshes.length).toBe(7 + 5);
    for (const { primitives } of scene.meshes) {
      const { attributes, indices } = primitives[0]!;
      const view = (accessor: number) => scene.bufferViews[accessor]!;
      const numbers = (accessor: number) =>
        new Float32Array(bytes.buffer, view(accessor).byteOffset, view(accessor).byteLength / 4);
      const [points, normals] = [numbers(attributes.POSITION), numbers(attributes.NORMAL)];
      const { byteOffset, byteLength } = view(indices);
      const corners = new Uint16Array(bytes.buffer, byteOffset, byteLength / 2);
      for (let i = 0; i < corners.length; i += 3) {
        const [a, b, c] = Array.from(corners.subarray(i, i + 3), (corner) => 3 * corner);
        const side = (to: number) => [0, 1, 2].map((k) => points[to + k]! - points[a! + k]!);
        const [[ux, uy, uz], [vx, vy, vz]] = [side(b!), side(c!)] as [number[], number[]];
        const face = [uy! * vz! - uz! * vy!, uz! * vx! - ux! * vz!, ux! * vy! - uy! * vx!];
        const facing = face.reduce((sum, value, k) => sum + value * normals[a! + k]!, 0);
        expect(facing).toBeGreaterThan(0);
      }
    }
  });
});
