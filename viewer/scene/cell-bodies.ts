/**
 * Objects and grippers of a cell in the scene. What a gripper holds moves with the drawn flange;
 * loose objects glide to where the twin has them. Metres, robot frame.
 */
import {
  type BufferGeometry,
  type Color,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';
import type { Cell, CellGripper, CellObjectState, CellState } from '../../contract/types.ts';
import { FLANGE_M } from '../../physics/arm/arm-model.ts';
import type { Arm } from './arm.ts';
import {
  cupGeometry,
  heightOf,
  jawGeometry,
  objectColour,
  objectGeometry,
  poseMatrix,
} from './cell-shapes.ts';
import type { Palette } from './palette.ts';

/** A loose body moves to a new place within about this time (ms); farther jumps are immediate. */
const GLIDE_MS = 28;
const JUMP_M = 0.12;
/** How much of the accent a selected object glows with. */
const SELECTED_GLOW = 0.35;

interface DrawnObject {
  readonly name: string;
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  readonly height_m: number;
  /** Where its label is; it moves with the object. */
  readonly above: Vector3;
  state: CellObjectState | null;
  /** Pose in the flange frame while it is held. */
  grip: Matrix4 | null;
  offset: Vector3 | null;
}

interface DrawnGripper {
  readonly description: CellGripper;
  readonly object: Group;
  readonly fingers: readonly Mesh[];
  readonly light: MeshBasicMaterial;
}

/** Lets a mesh cast and receive shadows. */
export function shadowed<Part extends Mesh>(mesh: Part): Part {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

const flangeFace = new Matrix4().makeTranslation(0, 0, FLANGE_M);
const flange = new Matrix4();
const from = new Vector3();
const target = new Vector3();
const turn = new Quaternion();
const targetTurn = new Quaternion();
const scale = new Vector3();
const wanted = new Matrix4();

/** Moves a matrix by a share of the way to `wanted`; false if it is there. */
function glide(matrix: Matrix4, share: number): boolean {
  if (matrix.equals(wanted)) return false;
  wanted.decompose(target, targetTurn, scale);
  matrix.decompose(from, turn, scale);
  const far = from.distanceTo(target);
  const isThere = far < 1e-5 && turn.angleTo(targetTurn) < 1e-3;
  if (share >= 1 || far > JUMP_M || isThere) matrix.copy(wanted);
  else matrix.compose(from.lerp(target, share), turn.slerp(targetTurn, share), scale);
  return true;
}

function drawObject({ name, shape }: NonNullable<Cell['objects']>[number], i: number): DrawnObject {
  const isLabware = shape.kind === 'tube' || shape.kind === 'microplate';
  const material = new MeshStandardMaterial({
    color: objectColour(name, shape.kind, i),
    roughness: isLabware ? 0.3 : 0.5,
    vertexColors: true,
  });
  const mesh = shadowed(new Mesh(objectGeometry(shape), material));
  mesh.matrixAutoUpdate = false;
  mesh.visible = false;
  const own = { name, mesh, height_m: heightOf(shape), above: new Vector3() };
  return { ...own, state: null, grip: null, offset: null };
}

/** Moves the place of the label above the object. */
function liftLabel({ mesh, height_m, above }: DrawnObject): Vector3 {
  above.setFromMatrixPosition(mesh.matrix);
  return above.setZ(above.z + height_m + 0.03);
}

/** The movable objects. */
export class CellBodies {
  readonly group = new Group();
  private readonly arm: Arm;
  private bodies: DrawnObject[] = [];

  constructor(arm: Arm) {
    this.arm = arm;
  }

  build(objects: NonNullable<Cell['objects']>): void {
    for (const { mesh } of this.bodies) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.group.clear();
    this.bodies = objects.map(drawObject);
    for (const { mesh } of this.bodies) this.group.add(mesh);
  }

  show({ objects, grippers }: CellState): void {
    for (const body of this.bodies) {
      const now = objects.find(({ name }) => name === body.name) ?? null;
      const pose = grippers.find(({ holds }) => holds === body.name)?.holds_at;
      body.grip = pose ? poseMatrix(pose.position, pose.orientation) : null;
      if (now && !body.state) poseMatrix(now.position, now.orientation, body.mesh.matrix);
      body.state = now;
      body.mesh.visible = now !== null && now.status !== 'missing';
    }
  }

  /** Moves each object towards its place; true while one was not there. */
  move(passed_ms: number): boolean {
    let moved = false;
    flange.multiplyMatrices(this.arm.links[6]!.matrix, flangeFace);
    const share = 1 - Math.exp(-passed_ms / GLIDE_MS);
    for (const body of this.bodies) {
      const { mesh, state, grip, offset } = body;
      if (!state) continue;
      if (grip) wanted.multiplyMatrices(flange, grip);
      else poseMatrix(state.position, state.orientation, wanted);
      if (offset) wanted.setPosition(target.setFromMatrixPosition(wanted).add(offset));
      if (!glide(mesh.matrix, grip || offset ? 1 : share)) continue;
      mesh.matrixWorldNeedsUpdate = true;
      liftLabel(body);
      moved = true;
    }
    return moved;
  }

  /** Lets the selected object glow. */
  highlight(selected: string | null, accent: Color): void {
    for (const { name, mesh } of this.bodies) {
      mesh.material.emissive.copy(accent).multiplyScalar(name === selected ? SELECTED_GLOW : 0);
    }
  }

  /** Draws an object beside its place while it is dragged. */
  offset(name: string, by: Vector3 | null): void {
    const body = this.bodies.find((each) => each.name === name);
    if (body) body.offset = by;
  }

  /** The object of a mesh. */
  of(mesh: unknown): string | null {
    return this.bodies.find((body) => body.mesh === mesh)?.name ?? null;
  }

  /** The place above an object for its label, which moves with it; null without the object. */
  above(name: string): Vector3 | null {
    const body = this.bodies.find((each) => each.name === name);
    return body ? liftLabel(body) : null;
  }

  drawn() {
    return this.bodies.map(({ name, mesh, grip }) => ({
      name,
      at_m: new Vector3().setFromMatrixPosition(mesh.matrix).toArray(),
      held: grip !== null,
    }));
  }
}

/** The grippers at the flange; their fingers follow the opening. */
export class CellGrippers {
  private readonly arm: Arm;
  private readonly material = new MeshStandardMaterial({
    roughness: 0.46,
    metalness: 0.3,
    vertexColors: true,
  });
  private grippers: DrawnGripper[] = [];
  private shown = true;

  constructor(arm: Arm) {
    this.arm = arm;
  }

  build(grippers: readonly CellGripper[]): void {
    for (const { object } of this.grippers) {
      object.removeFromParent();
      for (const child of object.children) if (child instanceof Mesh) child.geometry.dispose();
    }
    this.grippers = grippers.map((gripper) => this.draw(gripper));
    this.setShown(this.shown);
  }

  setShown(shown: boolean): void {
    this.shown = shown;
    for (const { object } of this.grippers) object.visible = shown;
    this.arm.showTool(!shown || this.grippers.length === 0);
  }

  show({ grippers }: CellState): void {
    for (const { description, fingers } of this.grippers) {
      const state = grippers.find(({ name }) => name === description.name);
      if (!state) continue;
      fingers.forEach((finger, i) => {
        finger.position.x = ((i === 0 ? 1 : -1) * state.opening_m) / 2;
      });
    }
  }

  /** Grasp centres in the world (m). */
  tips(): Vector3[] {
    const { matrix } = this.arm.links[6]!;
    return this.grippers.map(({ object }) => object.position.clone().applyMatrix4(matrix));
  }

  /** Green while it holds something, amber while it is closed on nothing. */
  paint(palette: Palette, states: CellState['grippers']): void {
    this.material.color.set(palette.theme === 'light' ? 0x4d545b : 0x69727a);
    for (const { description, light } of this.grippers) {
      const state = states.find(({ name }) => name === description.name);
      light.color.copy(state?.holds ? palette.run : state?.closed ? palette.warn : palette.metal);
    }
  }

  drawn() {
    return this.grippers.map(({ description: { name }, fingers: [right, left] }) => ({
      name,
      opening_m: right && left ? right.position.x - left.position.x : 0,
    }));
  }

  private draw(description: CellGripper): DrawnGripper {
    const isJaws = description.kind === 'jaws';
    const { body, fingers, light } = isJaws ? jawGeometry(description) : cupGeometry(description);
    const glow = new MeshBasicMaterial({ toneMapped: false });
    const object = new Group();
    const meshes = fingers.map((finger) => shadowed(new Mesh(finger, this.material)));
    object.add(shadowed(new Mesh(body, this.material)), new Mesh(light, glow), ...meshes);
    const { x, y, z } = description.tip_m;
    object.position.set(x, y, FLANGE_M + z);
    object.rotation.z = isJaws ? (description.jaw_angle_rad ?? 0) : 0;
    this.arm.links[6]!.add(object);
    return { description, object, fingers: meshes, light: glow };
  }
}
