/**
 * The drawn arm: seven objects, one per link, posed by the forward kinematics of physics. Each
 * holds one mesh per substance. The angles of the drawn objects can be read back, which is how
 * tests know that the picture follows the robot.
 */
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  Group,
  type Material,
  Matrix4,
  Mesh,
  Vector3,
} from 'three';
import { FLANGE_M, TURNS_ABOUT_Z } from '../../physics/arm/arm-model.ts';
import { createFrames, FRAME_SIZE, forward } from '../../physics/kinematics/forward.ts';
import type { Tool } from '../../physics/kinematics/tool.ts';
import { armParts, lightRing, type Part, toolCylinder } from './arm-parts.ts';
import { joined, perPart } from './joined-geometry.ts';
import { createMaterials, type Materials, paint, type Substance } from './materials.ts';
import type { ShellMesh } from './mesh-worker.ts';
import type { Palette } from './palette.ts';

export interface Arm {
  readonly object: Group;
  /** The seven drawn objects, base first. */
  readonly links: readonly Group[];
  /** World frames of the pose last set, as physics/kinematics/forward lays them out. */
  readonly frames: Float64Array;
  /** Poses the objects; joint angles in rad. */
  setPose(joints: ArrayLike<number>): void;
  /** Joint angles (rad) read back from the drawn objects. */
  drawnJoints(): number[];
  setShells(meshes: readonly ShellMesh[]): void;
  /** A light copy of a link: its first, coarse shell and the parts that shape it. */
  outline(link: number): readonly BufferGeometry[];
  /** Draws the cylinder that planning checks, from the flange to the tip. */
  setTool(tool: Tool): void;
  setLight(colour: Color): void;
  paint(palette: Palette): void;
}

const LINK_COUNT = 7;
/** A tool thinner or shorter than this is not drawn. */
const THINNEST_M = 1e-3;

/** How bright the fillers between the shells are beside the lids, whose material they share. */
const GAP_SHADE = 0.155;

function addParts(links: readonly Group[], materials: Materials): void {
  const parts = armParts();
  for (let link = 0; link < LINK_COUNT; link++) {
    for (const substance of ['shell', 'cap', 'metal', 'ring'] as const) {
      const same = parts.filter((part) => part.link === link && drawnAs(part) === substance);
      if (same.length === 0) continue;
      const shapes = same.map((part) => part.geometry);
      const merged = joined(shapes);
      const shades = same.map((part) => Array(3).fill(part.substance === 'gap' ? GAP_SHADE : 1));
      const shaded = substance === 'cap' || substance === 'metal';
      if (shaded) merged.setAttribute('color', perPart(shapes, shades));
      const mesh = cast(new Mesh(merged, materials[substance]), substance);
      // The overhanging motor would keep the base in flat shade; a studio's soft light reaches it.
      if (link === 0 && substance === 'shell') mesh.receiveShadow = false;
      links[link]!.add(mesh);
    }
  }
}

function drawnAs({ substance }: Part): Exclude<Part['substance'], 'gap'> {
  return substance === 'gap' ? 'cap' : substance;
}

function cast<T extends Material>(mesh: Mesh<BufferGeometry, T>, substance: Substance): Mesh {
  // Lids and fillers lie within the outline of their shells.
  mesh.castShadow = substance === 'shell' || substance === 'metal' || substance === 'tool';
  mesh.receiveShadow = substance !== 'ring';
  return mesh;
}

/** Writes frame `i` of `frames` into a matrix. */
export function frameMatrix(frames: Float64Array, i: number, out: Matrix4): Matrix4 {
  const f = (k: number) => frames[i * FRAME_SIZE + k]!;
  return out.set(
    f(0),
    f(1),
    f(2),
    f(9),
    f(3),
    f(4),
    f(5),
    f(10),
    f(6),
    f(7),
    f(8),
    f(11),
    0,
    0,
    0,
    1,
  );
}

const relative = new Matrix4();

/** Angle by which joint `j` turns, from the matrices of the two links it joins. */
export function angleBetween(before: Matrix4, after: Matrix4, j: number): number {
  const e = relative.copy(before).invert().multiply(after).elements;
  return TURNS_ABOUT_Z[j] ? Math.atan2(e[1]!, e[0]!) : Math.atan2(e[2]!, e[0]!);
}

function shellGeometry(mesh: ShellMesh): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
  geometry.setIndex(new BufferAttribute(mesh.indices, 1));
  return geometry;
}

function createLinks(): { object: Group; links: Group[] } {
  const object = new Group();
  const links = Array.from({ length: LINK_COUNT }, () => {
    const link = new Group();
    link.matrixAutoUpdate = false;
    return link;
  });
  object.add(...links);
  return { object, links };
}

/**
 * Draws `fine` and casts the shadow of `coarse`: nobody sees the difference in a blurred edge, and
 * it is less than half of the triangles.
 */
function shadeBy(mesh: Mesh, fine: BufferGeometry, coarse: BufferGeometry): void {
  const geometry = joined([fine, coarse]);
  const [count, fewer] = [fine.index!.count, coarse.index!.count];
  geometry.setDrawRange(0, count);
  mesh.geometry = geometry;
  mesh.onBeforeShadow = () => geometry.setDrawRange(count, fewer);
  mesh.onAfterShadow = () => geometry.setDrawRange(0, count);
}

/** Swaps the geometry of a link's cast shell, keeping its mesh. */
function shellSetter(
  links: readonly Group[],
  materials: Materials,
  coarse: Map<number, BufferGeometry>,
): Arm['setShells'] {
  const shells = new Map<number, Mesh>();
  return (meshes) => {
    for (const mesh of meshes) {
      const old = shells.get(mesh.link);
      const shell = old ?? cast(new Mesh(new BufferGeometry(), materials.shell), 'shell');
      if (!old) links[mesh.link]!.add(shell);
      shells.set(mesh.link, shell);
      const first = coarse.get(mesh.link);
      first?.dispose();
      if (first) shadeBy(shell, shellGeometry(mesh), first);
      else shell.geometry = shellGeometry(mesh);
      if (!first) coarse.set(mesh.link, shell.geometry);
    }
  };
}

/** What shapes a link beside its cast shell; the base has a turned one. */
function solidParts(links: readonly Group[], link: number, materials: Materials): BufferGeometry[] {
  const { shell, cap, metal } = materials;
  const shaping: readonly unknown[] = link === 0 ? [shell, cap] : [cap, metal];
  return links[link]!.children.flatMap((child) =>
    child instanceof Mesh && shaping.includes(child.material) ? [child.geometry] : [],
  );
}

function toolSetter(flange: Group, materials: Materials): Arm['setTool'] {
  let drawn: Mesh | null = null;
  return (tool) => {
    if (drawn) {
      flange.remove(drawn);
      drawn.geometry.dispose();
      drawn = null;
    }
    const tip = new Vector3(...tool.offset_m);
    if (tip.length() < THINNEST_M || tool.radius_m < THINNEST_M) return;
    const geometry = toolCylinder(tool.radius_m * 1000, tip.length() * 1000);
    drawn = cast(new Mesh(geometry, materials.tool), 'tool');
    drawn.position.z = FLANGE_M;
    drawn.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), tip.normalize());
    flange.add(drawn);
  };
}

/** Builds the arm without its cast shells, which arrive by `setShells`. */
export function createArm(): Arm {
  const materials = createMaterials();
  const { object, links } = createLinks();
  addParts(links, materials);
  links[5]!.add(new Mesh(lightRing(), materials.led));
  const frames = createFrames();
  const coarse = new Map<number, BufferGeometry>();
  const arm: Arm = {
    object,
    links,
    frames,
    setPose(joints) {
      forward(joints, frames);
      for (let i = 0; i < LINK_COUNT; i++) {
        frameMatrix(frames, i, links[i]!.matrix);
        links[i]!.matrixWorldNeedsUpdate = true;
      }
    },
    drawnJoints: () =>
      links.slice(1).map((link, j) => angleBetween(links[j]!.matrix, link.matrix, j)),
    setShells: shellSetter(links, materials, coarse),
    outline: (link) => {
      const shell = coarse.get(link);
      return [...(shell ? [shell] : []), ...solidParts(links, link, materials)];
    },
    setTool: toolSetter(links[6]!, materials),
    setLight: (colour) => materials.led.color.copy(colour),
    paint: (palette) => paint(materials, palette),
  };
  arm.setPose([0, 0, 0, 0, 0, 0]);
  return arm;
}
