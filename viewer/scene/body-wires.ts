/**
 * Wireframes of the collision bodies: 1 px wire in the frame of their link. Tests read back what
 * is drawn.
 */
import {
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from 'three';
import {
  CAPSULE_COUNT,
  CAPSULE_ENDS_M,
  CAPSULE_LINK,
  CAPSULE_RADIUS_M,
} from '../../physics/arm/geometry.ts';
import type { ToolShape } from '../../physics/collision/scene.ts';
import { FLANGE_FRAME } from '../../physics/kinematics/forward.ts';

export interface DrawnBody {
  /** Both ends of the axis (m) and the radius (m), read from the drawn object. */
  readonly ends_m: readonly (readonly number[])[];
  readonly radius_m: number;
}

export interface BodyWire {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** Visible only while the body collides. */
  readonly fill: Mesh<BufferGeometry, MeshBasicMaterial>;
  /** Index of the frame of `forward` that carries the body. */
  readonly frame: number;
}

const MERIDIANS = 8;
const ARC_STEPS = 6;
const RING_STEPS = 24;
const FILL_OPACITY = 0.15;

interface Shape {
  readonly radius: number;
  readonly length: number;
  /** Whether the ends are hemispheres; otherwise they are flat. */
  readonly round: boolean;
}

type Outline = readonly (readonly [across: number, along: number])[];

/** One meridian from pole to pole: distance from the axis and height along it. */
function outlineOf({ radius, length, round }: Shape): Outline {
  if (!round)
    return [
      [0, 0],
      [radius, 0],
      [radius, length],
      [0, length],
    ];
  const arc = (i: number) => (i / ARC_STEPS) * (Math.PI / 2);
  const steps = Array.from({ length: ARC_STEPS + 1 }, (_, i) => arc(i));
  const low = steps.map((a) => [radius * Math.sin(a), -radius * Math.cos(a)] as const);
  const high = steps.map((a) => [radius * Math.cos(a), length + radius * Math.sin(a)] as const);
  return [...low, ...high];
}

/** Meridians and the two rings at the ends of the axis, as pairs of points about z. */
function strokesOf(shape: Shape): number[] {
  const strokes: number[] = [];
  const outline = outlineOf(shape);
  for (let m = 0; m < MERIDIANS; m++) {
    const [c, s] = [
      Math.cos((m * 2 * Math.PI) / MERIDIANS),
      Math.sin((m * 2 * Math.PI) / MERIDIANS),
    ];
    for (let i = 1; i < outline.length; i++) {
      for (const [across, along] of [outline[i - 1]!, outline[i]!]) {
        strokes.push(across * c, across * s, along);
      }
    }
  }
  for (const along of [0, shape.length]) {
    for (let i = 0; i < RING_STEPS; i++) {
      for (const at of [i, i + 1]) {
        const angle = (at * 2 * Math.PI) / RING_STEPS;
        strokes.push(shape.radius * Math.cos(angle), shape.radius * Math.sin(angle), along);
      }
    }
  }
  return strokes;
}

function solidOf({ radius, length, round }: Shape): BufferGeometry {
  const solid = round
    ? new CapsuleGeometry(radius, length, 6, 20)
    : new CylinderGeometry(radius, radius, length, 24);
  return solid.rotateX(Math.PI / 2).translate(0, 0, length / 2);
}

/** Transform from a shape along z to the body's position in its frame. */
function placement(from: Vector3, to: Vector3): Matrix4 {
  const axis = to.clone().sub(from).normalize();
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), axis);
  return new Matrix4().compose(from, turn, new Vector3(1, 1, 1));
}

function bodyWire(ends: readonly [Vector3, Vector3], radius: number, frame: number): BodyWire {
  const round = frame < FLANGE_FRAME;
  const shape = { radius, length: ends[0].distanceTo(ends[1]), round };
  const place = placement(...ends);
  const wire = new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(strokesOf(shape), 3))
    .applyMatrix4(place);
  const material = { transparent: true, depthTest: false, depthWrite: false, toneMapped: false };
  const object = new LineSegments(wire, new LineBasicMaterial({ ...material, opacity: 0.55 }));
  const solid = solidOf(shape).applyMatrix4(place);
  const fill = new Mesh(solid, new MeshBasicMaterial({ ...material, opacity: FILL_OPACITY }));
  fill.visible = false;
  for (const each of [object, fill]) {
    each.matrixAutoUpdate = false;
    each.frustumCulled = false;
    each.renderOrder = 5;
  }
  return { object, fill, frame };
}

function endAt(i: number): Vector3 {
  return new Vector3(...CAPSULE_ENDS_M.subarray(i, i + 3));
}

/** Wireframes of the arm's capsules and of the tool, if there is one. */
export function createBodyWires(tool: ToolShape | undefined): readonly BodyWire[] {
  const capsules = Array.from({ length: CAPSULE_COUNT }, (_, i) =>
    bodyWire([endAt(6 * i), endAt(6 * i + 3)], CAPSULE_RADIUS_M[i]!, CAPSULE_LINK[i]!),
  );
  if (!tool) return capsules;
  const tip = new Vector3(tool.offsets.x, tool.offsets.y, tool.offsets.z);
  return [...capsules, bodyWire([new Vector3(), tip], tool.radius, FLANGE_FRAME)];
}

const corner = new Vector3();
const first = new Vector3();

/** Position of a drawn wireframe, read from its vertices and its matrix. */
export function readWire({ object }: BodyWire): DrawnBody {
  const positions = object.geometry.getAttribute('position');
  const rings = positions.count - 2 * 2 * RING_STEPS;
  const ends_m = [0, 1].map((ring) => {
    const middle = new Vector3();
    const start = rings + ring * 2 * RING_STEPS;
    for (let i = start; i < start + 2 * RING_STEPS; i++) {
      middle.add(corner.fromBufferAttribute(positions, i).applyMatrix4(object.matrix));
    }
    return middle.divideScalar(2 * RING_STEPS);
  });
  first.fromBufferAttribute(positions, rings).applyMatrix4(object.matrix);
  return { ends_m: ends_m.map((end) => end.toArray()), radius_m: first.distanceTo(ends_m[0]!) };
}
