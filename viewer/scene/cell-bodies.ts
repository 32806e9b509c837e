/**
 * Objects of a cell in the scene. What a gripper holds and carries moves with the drawn flange;
 * loose objects glide to where the twin has them. Metres, robot frame.
 */
import {
  type BufferGeometry,
  type Color,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';
import type { Cell, CellObjectState, CellState } from '../../contract/types.generated.ts';
import { FLANGE_M } from '../../physics/arm/arm-model.ts';
import type { Arm } from './arm.ts';
import { objectColour } from './object-colour.ts';
import { heightOf, isLabware, objectGeometry } from './object-shapes.ts';
import { PICK_LAYER } from './pick-layer.ts';
import { poseMatrix } from './pose-matrix.ts';
import { shadowed } from './shadowed.ts';

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
  /** Pose in the flange frame while it is held or carried. */
  grip: Matrix4 | null;
  offset: Vector3 | null;
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
  const material = new MeshStandardMaterial({
    color: objectColour(name, shape, i),
    roughness: isLabware(shape) ? 0.3 : 0.5,
    vertexColors: true,
  });
  const mesh = shadowed(new Mesh(objectGeometry(shape), material));
  mesh.matrixAutoUpdate = false;
  mesh.visible = false;
  const own = { name, mesh, height_m: heightOf(shape), above: new Vector3() };
  return { ...own, state: null, grip: null, offset: null };
}

/** Objects of one shape, drawn in one call; a single one is drawn as its own mesh. */
interface SameShape {
  readonly bodies: readonly DrawnObject[];
  readonly instances: InstancedMesh<BufferGeometry, MeshStandardMaterial> | null;
}

const NOWHERE = new Matrix4().makeScale(0, 0, 0);

function drawTogether(bodies: readonly DrawnObject[]): SameShape {
  const [first] = bodies as [DrawnObject];
  if (bodies.length === 1) return { bodies, instances: null };
  const material = first.mesh.material.clone();
  material.color.set(0xffffff);
  const instances = shadowed(new InstancedMesh(first.mesh.geometry, material, bodies.length));
  // Its sphere would be that of the first poses.
  instances.frustumCulled = false;
  bodies.forEach(({ mesh }, i) => {
    instances.setColorAt(i, mesh.material.color);
  });
  return { bodies, instances };
}

/** Moves the place of the label above the object. */
function liftLabel({ mesh, height_m, above }: DrawnObject): Vector3 {
  above.setFromMatrixPosition(mesh.matrix);
  return above.setZ(above.z + height_m + 0.03);
}

/** The movable objects. */
export class CellBodies {
  /** One mesh per object, for the pointer. */
  readonly group = new Group();
  /** What draws the objects of one shape together. */
  readonly together = new Group();
  private readonly arm: Arm;
  private bodies: DrawnObject[] = [];
  private shapes: readonly SameShape[] = [];
  private selected: string | null = null;
  /** Whether the instances differ from the meshes. */
  private stale = true;

  constructor(arm: Arm) {
    this.arm = arm;
  }

  build(objects: NonNullable<Cell['objects']>): void {
    for (const { mesh } of this.bodies) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    for (const { instances } of this.shapes) {
      instances?.material.dispose();
      instances?.dispose();
    }
    this.group.clear();
    this.together.clear();
    this.bodies = objects.map(drawObject);
    for (const { mesh } of this.bodies) this.group.add(mesh);
    const byShape = new Map<string, DrawnObject[]>();
    objects.forEach(({ shape }, i) => {
      const key = JSON.stringify(shape);
      byShape.set(key, [...(byShape.get(key) ?? []), this.bodies[i]!]);
    });
    this.shapes = [...byShape.values()].map(drawTogether);
    for (const { instances } of this.shapes) if (instances) this.together.add(instances);
    this.stale = true;
  }

  show({ objects, grippers }: CellState): void {
    const carried = grippers.flatMap(({ carries = [] }) => carries);
    for (const body of this.bodies) {
      const now = objects.find(({ name }) => name === body.name) ?? null;
      const held = grippers.find(({ holds }) => holds === body.name)?.holds_at;
      const pose = held ?? carried.find(({ object }) => object === body.name);
      body.grip = pose ? poseMatrix(pose.position, pose.orientation) : null;
      if (now && !body.state) poseMatrix(now.position, now.orientation, body.mesh.matrix);
      body.state = now;
      body.mesh.visible = now !== null && now.status !== 'missing';
    }
    this.stale = true;
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
    if (moved || this.stale) this.drawInstances();
    return moved;
  }

  /** Lets the selected object glow. */
  highlight(selected: string | null, accent: Color): void {
    this.selected = selected;
    this.stale = true;
    for (const { name, mesh } of this.bodies) {
      mesh.material.emissive.copy(accent).multiplyScalar(name === selected ? SELECTED_GLOW : 0);
    }
  }

  /** Draws an object beside its place while it is dragged. */
  offset(name: string, by: Vector3 | null): void {
    const body = this.bodies.find((each) => each.name === name);
    if (body) body.offset = by;
  }

  /** The selected object glows, so that its own mesh draws it. */
  private drawInstances(): void {
    this.stale = false;
    for (const { bodies, instances } of this.shapes) {
      if (!instances) continue;
      bodies.forEach(({ name, mesh }, i) => {
        const isOwn = name === this.selected;
        mesh.layers.set(isOwn ? 0 : PICK_LAYER);
        instances.setMatrixAt(i, isOwn || !mesh.visible ? NOWHERE : mesh.matrix);
      });
      instances.instanceMatrix.needsUpdate = true;
    }
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
