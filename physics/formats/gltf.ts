/**
 * The arm as a glTF 2.0 scene: a node per frame of `forward`, so that turning the node of link
 * j + 1 about the axis in its `extras` moves joint j, under a root that turns z up into glTF's y
 * up. Metres. The meshes are the collision capsules, not the covers of the arm. A cell adds a node
 * per part, with its solids.
 */
import {
  FLANGE_M,
  FRAME_NAMES,
  JOINT_AXES,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  JOINT_NAMES,
  OFFSETS_M,
  ZERO_TURN_RAD,
  zeroQuaternion,
} from '../arm/arm-model.ts';
import { CAPSULE_COUNT, CAPSULE_LINK } from '../arm/geometry.ts';
import type { CellModel } from '../cell/cell-model.ts';
import { type CellPart, partsInFrames } from './cell-parts.ts';
import { MeshBuffer } from './mesh-buffer.ts';
import { addCapsule, solidMesh, type TriangleMesh } from './triangle-mesh.ts';

/** A node of the scene: a frame of the arm, a part of the cell or one of its solids. */
interface SceneNode {
  readonly name?: string;
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly mesh?: number;
  readonly children?: readonly number[];
  /**
   * The joint that turns this node, its axis in the node's frame and its limits; of a part of the
   * cell its kind and its name there.
   */
  readonly extras?: {
    readonly joint?: string;
    readonly axis?: readonly number[];
    readonly limits_rad?: readonly number[];
    readonly kind?: CellPart['kind'];
    readonly name?: string;
    readonly mass_kg?: number;
  };
}

function linkMesh(link: number): TriangleMesh {
  const mesh: TriangleMesh = { positions: [], normals: [], indices: [] };
  for (let k = 0; k < CAPSULE_COUNT; k++) if (CAPSULE_LINK[k] === link) addCapsule(mesh, k);
  return mesh;
}

/** The turn of a joint's frame at angle 0 as x, y, z, w. */
function zeroRotation(j: number): readonly number[] {
  const [w = 1, x = 0, y = 0, z = 0] = zeroQuaternion(j);
  return [x, y, z, w];
}

/** A frame's node with its joint, its mesh and the next node; the root is node 0. */
function frameNode(name: string, frame: number): SceneNode {
  const j = frame - 1;
  const isJoint = j >= 0 && j < JOINT_NAMES.length;
  return {
    name,
    ...(isJoint && { translation: OFFSETS_M[j]! }),
    ...(isJoint && ZERO_TURN_RAD[j] !== 0 && { rotation: zeroRotation(j) }),
    ...(name === 'flange' ? { translation: [0, 0, FLANGE_M] } : { mesh: frame }),
    ...(frame < FRAME_NAMES.length - 1 && { children: [frame + 2] }),
    ...(isJoint && {
      extras: {
        joint: JOINT_NAMES[j]!,
        axis: JOINT_AXES[j]!,
        limits_rad: [JOINT_MIN_RAD[j]!, JOINT_MAX_RAD[j]!],
      },
    }),
  };
}

/** A quarter turn about -x: z up becomes y up. */
const Z_UP_TO_Y_UP = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

interface Mesh {
  readonly name: string;
  readonly primitives: readonly {
    readonly attributes: { readonly POSITION: number; readonly NORMAL: number };
    readonly indices: number;
    readonly material: number;
  }[];
}

/** Collects nodes and meshes of the scene. */
class SceneBuilder {
  readonly nodes: SceneNode[] = [];
  readonly meshes: Mesh[] = [];
  readonly buffer = new MeshBuffer();

  addMesh(name: string, { positions, normals, indices }: TriangleMesh, material: number): number {
    const { buffer } = this;
    const attributes = { POSITION: buffer.vectors(positions), NORMAL: buffer.vectors(normals) };
    const primitive = { attributes, indices: buffer.indices(indices), material };
    return this.meshes.push({ name, primitives: [primitive] }) - 1;
  }

  /** Adds a node to its parent, which must be there; returns its number. */
  addNode(node: SceneNode, parent: number): number {
    const number = this.nodes.push(node) - 1;
    const { children = [], ...above } = this.nodes[parent]!;
    this.nodes[parent] = { ...above, children: [...children, number] };
    return number;
  }

  /** Adds a part of the cell with its solids. */
  addPart(part: CellPart): void {
    const { frame, kind, name, mass, solids } = part;
    const parent = this.nodes.findIndex((node) => node.name === part.parent);
    const extras = { kind, name, ...(mass && { mass_kg: mass.mass_kg }) };
    const at = this.addNode({ name: frame, ...placed(part.pose), extras }, parent);
    for (const { solid, pose } of solids) {
      const mesh = this.addMesh(frame, solidMesh(solid), MATERIAL_OF[kind]);
      this.addNode({ ...placed(pose), mesh }, at);
    }
  }
}

function placed([x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0]: Float64Array) {
  return { translation: [x, y, z], rotation: [qx, qy, qz, qw] };
}

/** Numbers of the materials of the cell's solids; 0 and 1 are the arm's. */
const MATERIAL_OF = { fixture: 2, conveyor: 1, object: 3, nest: 2, gripper: 2 } as const;

/** Red, green and blue of the materials (linear). */
const MATERIALS = [
  { name: 'light', color: [0.85, 0.85, 0.85] },
  { name: 'dark', color: [0.35, 0.35, 0.35] },
  { name: 'fixture', color: [0.45, 0.5, 0.55] },
  { name: 'object', color: [0.1, 0.4, 0.75] },
];

/**
 * The scene as glTF JSON without the place of its buffer, and the buffer's bytes; with a cell, its
 * parts are nodes below the frames on which they stand.
 */
export function armAsGltf(cell: CellModel | null = null) {
  const scene = new SceneBuilder();
  FRAME_NAMES.slice(0, -1).forEach((name, link) => {
    scene.addMesh(name, linkMesh(link), link % 2);
  });
  scene.nodes.push({ name: 'arm', rotation: Z_UP_TO_Y_UP, children: [1] });
  scene.nodes.push(...FRAME_NAMES.map(frameNode));
  for (const part of cell ? partsInFrames(cell) : []) scene.addPart(part);
  const { nodes, meshes, buffer } = scene;
  const bytes = buffer.bytes();
  return {
    bytes,
    scene: {
      asset: { version: '2.0', generator: 'armtwin' },
      scene: 0,
      scenes: [{ name: 'arm', nodes: [0] }],
      nodes,
      meshes,
      materials: MATERIALS.slice(0, cell ? MATERIALS.length : 2).map(({ name, color }) => ({
        name,
        pbrMetallicRoughness: {
          baseColorFactor: [...color, 1],
          metallicFactor: 0,
          roughnessFactor: 0.6,
        },
      })),
      bufferViews: buffer.views,
      accessors: buffer.accessors,
      buffers: [{ byteLength: bytes.length }],
    },
  };
}
