/**
 * The arm as a glTF 2.0 scene: a node per frame of `forward`, so that turning the node of link
 * j + 1 about the axis in its `extras` moves joint j, under a root that turns z up into glTF's y
 * up. Metres. The meshes are the collision capsules, not the covers of the arm.
 */
import {
  FLANGE_M,
  FRAME_NAMES,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  JOINT_NAMES,
  OFFSETS_M,
  TURNS_ABOUT_Z,
} from '../arm/arm-model.ts';
import { CAPSULE_COUNT, CAPSULE_ENDS_M, CAPSULE_LINK, CAPSULE_RADIUS_M } from '../arm/geometry.ts';
import { cos, PI, sin } from '../math/portable.ts';
import { length3 } from '../math/vector.ts';

/** Quarter rings of a capsule's end, and vertices of a ring. */
const END_RINGS = 6;
const RING_VERTICES = 24;

/** Codes of the glTF specification. */
const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;

/** A node of the scene: a frame of the arm. */
interface FrameNode {
  readonly name: string;
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly mesh?: number;
  readonly children?: readonly number[];
  /** The joint that turns this node, its axis in the node's frame and its limits. */
  readonly extras?: {
    readonly joint: string;
    readonly axis: readonly number[];
    readonly limits_rad: readonly number[];
  };
}

interface BufferView {
  readonly buffer: 0;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly target: number;
}

interface Mesh {
  readonly positions: number[];
  readonly normals: number[];
  readonly indices: number[];
}

type Vector = readonly [number, number, number];

function normalised([x, y, z]: Vector): Vector {
  const length = length3(x, y, z);
  return [x / length, y / length, z / length];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Adds a ring of vertices around `centre`: at a polar angle from the axis `up`. */
function addRing(
  mesh: Mesh,
  centre: Vector,
  radius: number,
  frame: readonly Vector[],
  polar: number,
) {
  const [side, across, up] = frame as [Vector, Vector, Vector];
  const [rise, reach] = [cos(polar), sin(polar)];
  for (let i = 0; i <= RING_VERTICES; i++) {
    const turn = (2 * PI * i) / RING_VERTICES;
    const [c, s] = [reach * cos(turn), reach * sin(turn)];
    for (let k = 0; k < 3; k++) {
      const normal = side[k]! * c + across[k]! * s + up[k]! * rise;
      mesh.normals.push(normal);
      mesh.positions.push(centre[k]! + radius * normal);
    }
  }
}

/** Adds capsule `k`: half a sphere at each end, joined by the strip between the two equators. */
function addCapsule(mesh: Mesh, k: number): void {
  const [x = 0, y = 0, z = 0, ex = 0, ey = 0, ez = 0] = CAPSULE_ENDS_M.subarray(6 * k, 6 * k + 6);
  const up = normalised([ex - x, ey - y, ez - z]);
  const side = normalised(cross(up, up[0] * up[0] < 0.5 ? [1, 0, 0] : [0, 1, 0]));
  const frame = [side, cross(up, side), up];
  const first = mesh.positions.length / 3;
  for (let ring = 0; ring <= 2 * END_RINGS + 1; ring++) {
    const isUpper = ring <= END_RINGS;
    const polar = (PI * (isUpper ? ring : ring - 1)) / (2 * END_RINGS);
    addRing(mesh, isUpper ? [ex, ey, ez] : [x, y, z], CAPSULE_RADIUS_M[k]!, frame, polar);
  }
  const row = RING_VERTICES + 1;
  for (let ring = 0; ring <= 2 * END_RINGS; ring++) {
    for (let i = 0; i < RING_VERTICES; i++) {
      const a = first + ring * row + i;
      const b = a + row;
      // At the poles one of the two triangles has no area.
      if (ring !== 0) mesh.indices.push(a, b, a + 1);
      if (ring !== 2 * END_RINGS) mesh.indices.push(a + 1, b, b + 1);
    }
  }
}

function linkMesh(link: number): Mesh {
  const mesh: Mesh = { positions: [], normals: [], indices: [] };
  for (let k = 0; k < CAPSULE_COUNT; k++) if (CAPSULE_LINK[k] === link) addCapsule(mesh, k);
  return mesh;
}

/** Collects the binary data of the meshes, with its views and accessors. */
class MeshBuffer {
  readonly views: BufferView[] = [];
  readonly accessors: object[] = [];
  private readonly chunks: Uint8Array[] = [];
  private size = 0;

  private add(values: Float32Array | Uint16Array, target: number): number {
    this.views.push({
      buffer: 0,
      byteOffset: this.size,
      byteLength: values.byteLength,
      target,
    });
    const padded = new Uint8Array(Math.ceil(values.byteLength / 4) * 4);
    padded.set(new Uint8Array(values.buffer));
    this.chunks.push(padded);
    this.size += padded.length;
    return this.views.length - 1;
  }

  vectors(values: readonly number[]): number {
    const data = Float32Array.from(values);
    const axis = (k: number) => data.filter((_, i) => i % 3 === k);
    this.accessors.push({
      bufferView: this.add(data, ARRAY_BUFFER),
      componentType: FLOAT,
      count: data.length / 3,
      type: 'VEC3',
      min: [0, 1, 2].map((k) => axis(k).reduce((low, value) => Math.min(low, value))),
      max: [0, 1, 2].map((k) => axis(k).reduce((high, value) => Math.max(high, value))),
    });
    return this.accessors.length - 1;
  }

  indices(values: readonly number[]): number {
    this.accessors.push({
      bufferView: this.add(Uint16Array.from(values), ELEMENT_ARRAY_BUFFER),
      componentType: UNSIGNED_SHORT,
      count: values.length,
      type: 'SCALAR',
    });
    return this.accessors.length - 1;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }
}

/** A frame's node with its joint, its mesh and the next node; the root is node 0. */
function frameNode(name: string, frame: number): FrameNode {
  const j = frame - 1;
  const isJoint = j >= 0 && j < JOINT_NAMES.length;
  return {
    name,
    ...(isJoint && { translation: OFFSETS_M[j]! }),
    ...(name === 'flange' ? { translation: [0, 0, FLANGE_M] } : { mesh: frame }),
    ...(frame < FRAME_NAMES.length - 1 && { children: [frame + 2] }),
    ...(isJoint && {
      extras: {
        joint: JOINT_NAMES[j]!,
        axis: TURNS_ABOUT_Z[j] ? [0, 0, 1] : [0, -1, 0],
        limits_rad: [JOINT_MIN_RAD[j]!, JOINT_MAX_RAD[j]!],
      },
    }),
  };
}

/** A quarter turn about -x: z up becomes y up. */
const Z_UP_TO_Y_UP = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** The scene as glTF JSON without the place of its buffer, and the buffer's bytes. */
export function armAsGltf() {
  const buffer = new MeshBuffer();
  const meshes = FRAME_NAMES.slice(0, -1).map((name, link) => {
    const { positions, normals, indices } = linkMesh(link);
    const attributes = { POSITION: buffer.vectors(positions), NORMAL: buffer.vectors(normals) };
    const primitive = { attributes, indices: buffer.indices(indices), material: link % 2 };
    return { name, primitives: [primitive] };
  });
  const bytes = buffer.bytes();
  const material = (name: string, grey: number) => ({
    name,
    pbrMetallicRoughness: {
      baseColorFactor: [grey, grey, grey, 1],
      metallicFactor: 0,
      roughnessFactor: 0.6,
    },
  });
  const root: FrameNode = { name: 'arm', rotation: Z_UP_TO_Y_UP, children: [1] };
  const scene = {
    asset: { version: '2.0', generator: 'armtwin' },
    scene: 0,
    scenes: [{ name: 'arm', nodes: [0] }],
    nodes: [root, ...FRAME_NAMES.map(frameNode)],
    meshes,
    materials: [material('light', 0.85), material('dark', 0.35)],
    bufferViews: buffer.views,
    accessors: buffer.accessors,
    buffers: [{ byteLength: bytes.length }],
  };
  return { scene, bytes };
}
