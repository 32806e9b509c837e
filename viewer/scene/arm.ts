/**
 * The drawn arm: seven groups, one per link, posed by the forward kinematics of physics. Each link
 * holds one mesh per material. Tests read the joint angles back from the drawn groups.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Vector3,
} from 'three';
import { FLANGE_M, IS_DEFAULT_ARM, TURNS_ABOUT_Z } from '../../physics/arm/arm-model.ts';
import { jointAngle } from '../../physics/kinematics/chain-angles.ts';
import { createFrames, FRAME_SIZE, forward } from '../../physics/kinematics/forward.ts';
import type { Tool } from '../../physics/kinematics/tool.ts';
import { type ArmPart, armParts, lightRing, toolCylinder } from './arm-parts.ts';
import { capsuleParts } from './capsule-parts.ts';
import { applyPalette, createMaterials, type Materials, TRIM } from './materials.ts';
import { mergeGeometries, perPartAttribute } from './merge-geometries.ts';
import type { Palette } from './palette.ts';
import { shadowed } from './shadowed.ts';
import type { ShellMesh } from './shell-mesh.ts';

export interface Arm {
  readonly object: Group;
  /** The seven drawn objects, base first. */
  readonly links: readonly Group[];
  /** World frames of the last pose, in the layout of physics/kinematics/forward. */
  readonly frames: Float64Array;
  /** Poses the groups; joint angles in rad. */
  setPose(joints: ArrayLike<number>): void;
  /** Joint angles (rad) read back from the drawn objects. */
  drawnJoints(): number[];
  setShells(meshes: readonly ShellMesh[]): void;
  /** Coarse geometry of a link for the ghost: its first shell and the parts around it. */
  outline(link: number): readonly BufferGeometry[];
  /** Draws the tool cylinder that planning checks, from the flange to the tip. */
  setTool(tool: Tool): void;
  /** Whether the tool cylinder is drawn; a gripper of a cell stands in its place. */
  showTool(shown: boolean): void;
  setLight(colour: Color): void;
  /** Tints the links on both sides of a joint (0..5) in the fault colour; null for none. */
  tintJoint(joint: number | null): void;
  paint(palette: Palette): void;
}

const LINK_COUNT = 7;
/** A tool thinner or shorter than this is not drawn. */
const THINNEST_M = 1e-3;

/** Brightness of the gap fillers relative to the lids, whose material they share. */
const GAP_SHADE = 0.155;

/** Shells of a link in one mesh, and the rest of it in another. */
function addParts(links: readonly Group[], parts: readonly ArmPart[], materials: Materials): void {
  links.forEach((link, i) => {
    const own = parts.filter((part) => part.link === i);
    const shells = own.filter(isShell).map((part) => part.geometry);
    // Without shadows the overhanging motor leaves the base in flat shade.
    if (shells.length > 0) link.add(shadowing(mergeGeometries(shells), materials.shell));
    const others = own.filter((part) => !isShell(part));
    if (others.length === 0) return;
    const shapes = others.map((part) => part.geometry);
    const merged = mergeGeometries(shapes);
    merged.setAttribute('color', perPartAttribute(shapes, others.map(trimColour)));
    const mesh = new Mesh(merged, materials.trim);
    // Lids and fillers lie within the outline of their shells.
    mesh.castShadow = others.some(({ material }) => material === 'metal');
    mesh.receiveShadow = true;
    link.add(mesh);
  });
}

const isShell = ({ material }: ArmPart) => material === 'shell';

function trimColour({ material }: ArmPart): readonly number[] {
  const shade = material === 'gap' ? GAP_SHADE : 1;
  return [
    shade,
    shade,
    shade,
    material === 'metal' || material === 'ring' ? TRIM[material] : TRIM.cap,
  ];
}

/** A mesh that casts a shadow. */
function shadowing<T extends Material>(geometry: BufferGeometry, material: T) {
  const mesh = new Mesh<BufferGeometry, T>(geometry, material);
  mesh.castShadow = true;
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

/** Angle of joint `j`, from the matrices of the two links it connects. */
export function angleBetween(before: Matrix4, after: Matrix4, j: number): number {
  const e = relative.copy(before).invert().multiply(after).elements;
  return jointAngle(j, TURNS_ABOUT_Z[j] ? Math.atan2(e[1]!, e[0]!) : Math.atan2(e[2]!, e[0]!));
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
 * Draws `fine` but casts the shadow of `coarse`: the blurred edge looks the same at less than half
 * the triangles.
 */
function setShadowGeometry(mesh: Mesh, fine: BufferGeometry, coarse: BufferGeometry): void {
  const geometry = mergeGeometries([fine, coarse]);
  const [count, fewer] = [fine.index!.count, coarse.index!.count];
  geometry.setDrawRange(0, count);
  mesh.geometry = geometry;
  mesh.onBeforeShadow = () => geometry.setDrawRange(count, fewer);
  mesh.onAfterShadow = () => geometry.setDrawRange(0, count);
}

/** Replaces the geometry of a link's cast shell and keeps its mesh. */
function shellSetter(
  links: readonly Group[],
  materials: Materials,
  coarse: Map<number, BufferGeometry>,
): Arm['setShells'] {
  const shells = new Map<number, Mesh>();
  return (meshes) => {
    for (const mesh of meshes) {
      const old = shells.get(mesh.link);
      const shell = old ?? shadowed(new Mesh(new BufferGeometry(), materials.shell));
      if (!old) links[mesh.link]!.add(shell);
      shells.set(mesh.link, shell);
      const first = coarse.get(mesh.link);
      first?.dispose();
      if (first) setShadowGeometry(shell, shellGeometry(mesh), first);
      else shell.geometry = shellGeometry(mesh);
      if (!first) coarse.set(mesh.link, shell.geometry);
    }
  };
}

/** Shapes of a link besides its cast shell. */
function solidParts(parts: readonly ArmPart[], link: number): BufferGeometry[] {
  const shaping: readonly string[] = ['shell', 'cap', 'gap', link === 0 ? 'shell' : 'metal'];
  const own = parts.filter((part) => part.link === link && shaping.includes(part.material));
  return own.map(({ geometry }) => geometry);
}

function toolDrawer(flange: Group, materials: Materials): Pick<Arm, 'setTool' | 'showTool'> {
  let drawn: Mesh | null = null;
  let shown = true;
  function setTool(tool: Tool): void {
    if (drawn) {
      flange.remove(drawn);
      drawn.geometry.dispose();
      drawn = null;
    }
    const tip = new Vector3(...tool.offset_m);
    if (tip.length() < THINNEST_M || tool.radius_m < THINNEST_M) return;
    const geometry = toolCylinder(tool.radius_m * 1000, tip.length() * 1000);
    drawn = shadowed(new Mesh(geometry, materials.tool));
    drawn.position.z = FLANGE_M;
    drawn.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), tip.normalize());
    drawn.visible = shown;
    flange.add(drawn);
  }
  return {
    setTool,
    showTool(now) {
      shown = now;
      if (drawn) drawn.visible = now;
    },
  };
}

/** Share of the fault colour that a tinted link glows with. */
const TINT = 0.45;

/** Draws the links beside a joint with copies of their materials that glow. */
function jointTinter(links: readonly Group[], fault: Color): Arm['tintJoint'] {
  let restore: (() => void)[] = [];
  return (joint) => {
    for (const each of restore) each();
    restore = [];
    const beside = joint === null ? [] : [links[joint]!, links[joint + 1]!];
    for (const mesh of beside.flatMap((link) => link.children)) {
      if (!(mesh instanceof Mesh) || !(mesh.material instanceof MeshStandardMaterial)) continue;
      const plain = mesh.material;
      const tinted = plain.clone();
      tinted.emissive.copy(fault).multiplyScalar(TINT);
      mesh.material = tinted;
      restore.push(() => {
        mesh.material = plain;
        tinted.dispose();
      });
    }
  };
}

/** Builds the arm without its cast shells; `setShells` adds them. */
export function createArm(): Arm {
  const materials = createMaterials();
  const { object, links } = createLinks();
  // The covers and the light are those of the default arm.
  const parts = IS_DEFAULT_ARM ? armParts() : capsuleParts();
  addParts(links, parts, materials);
  if (IS_DEFAULT_ARM) links[5]!.add(new Mesh(lightRing(), materials.led));
  const frames = createFrames();
  const coarse = new Map<number, BufferGeometry>();
  const fault = new Color();
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
      return [...(shell ? [shell] : []), ...solidParts(parts, link)];
    },
    ...toolDrawer(links[6]!, materials),
    setLight: (colour) => materials.led.color.copy(colour),
    tintJoint: jointTinter(links, fault),
    paint: (palette) => {
      fault.copy(palette.fault);
      applyPalette(materials, palette);
    },
  };
  arm.setPose([0, 0, 0, 0, 0, 0]);
  return arm;
}
