/**
 * Sensors of a cell in the scene. A beam is faint while it is free and lit while something breaks
 * it; a volume has corner brackets.
 */
import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from 'three';
import type {
  BeamSensor,
  CellSensor,
  CellSensorState,
  DistanceSensor,
  PresenceSensor,
} from '../../contract/types.generated.ts';
import type { Palette } from './palette.ts';
import { handleOf } from './pick-handle.ts';
import { poseMatrix } from './pose-matrix.ts';
import { roundedBox } from './rounded-box.ts';
import { boxEdges } from './zones.ts';

/** A drawn sensor; `lit` reads back what is drawn. */
export interface DrawnSensor {
  readonly object: Group;
  readonly name: string;
  /** Its housings in the robot frame; the layer draws all housings together. */
  readonly housings: readonly BufferGeometry[];
  /** What the pointer meets, in the robot frame; it is not drawn. */
  readonly handle: Mesh;
  /** Whether objects stand inside of it; the pointer then meets them first. */
  readonly isVolume: boolean;
  lit(): boolean;
  show(state: CellSensorState): void;
  paint(palette: Palette): void;
}

const BEAM_M = 0.0011;
const LIT_BEAM_M = 0.0022;
const HALO_M = 0.008;
const HEAD_M = 0.014;
const FREE_OPACITY = 0.42;
const BRACKET_M = 0.02;
const POST_M = 0.0035;
/** A beam is grasped by the pointer within this distance (m). */
const GRASP_M = 0.012;
const UP = new Vector3(0, 0, 1);

/** A unit cylinder about z, from z = 0 to 1. */
function rod(): CylinderGeometry {
  return new CylinderGeometry(1, 1, 1, 10, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

/** Stretches a rod between two points. */
function stretch(mesh: Mesh, from: Vector3, to: Vector3, radius_m: number): void {
  const along = to.clone().sub(from);
  mesh.position.copy(from);
  mesh.scale.set(radius_m, radius_m, Math.max(along.length(), 1e-6));
  mesh.quaternion.setFromUnitVectors(UP, along.normalize());
}

/** Materials of a sensor's light; `lit` is the colour of an active input. */
function lights() {
  const core = new MeshBasicMaterial({ transparent: true, toneMapped: false, depthWrite: false });
  const halo = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.16,
    toneMapped: false,
    depthWrite: false,
  });
  let palette: Palette | null = null;
  let isLit = false;
  function colour(): void {
    if (!palette) return;
    core.color.copy(isLit ? palette.run : palette.linear);
    core.opacity = isLit ? 1 : FREE_OPACITY;
    halo.color.copy(palette.run);
  }
  return {
    core,
    halo,
    lit: () => isLit,
    set(now: boolean): void {
      isLit = now;
      colour();
    },
    paint(next: Palette): void {
      palette = next;
      colour();
    },
  };
}

const UNIT = new Vector3(1, 1, 1);

/** The housing of an optical sensor, on a post where it is above the ground. */
function head(at: Vector3, towards: Vector3): BufferGeometry[] {
  const facing = towards.clone().sub(at).normalize();
  const turn = new Quaternion().setFromUnitVectors(UP, facing);
  const box = roundedBox(HEAD_M, HEAD_M * 1.5, HEAD_M, 0.002).translate(0, 0, -HEAD_M);
  box.applyMatrix4(new Matrix4().compose(at, turn, UNIT));
  const below = at.clone().addScaledVector(facing, -HEAD_M / 2);
  if (below.z <= HEAD_M) return [box];
  const post = rod().scale(POST_M, POST_M, below.z).translate(below.x, below.y, 0);
  return [box, post];
}

/** A light between two ends, of which `heads` have a housing. */
function drawLight(
  { name }: CellSensor,
  { ends, heads }: { readonly ends: readonly [Vector3, Vector3]; readonly heads: 1 | 2 },
  reach: (state: CellSensorState) => Vector3,
): DrawnSensor {
  const light = lights();
  const core = new Mesh(rod(), light.core);
  const halo = new Mesh(rod(), light.halo);
  const [from, to] = ends;
  stretch(core, from, to, BEAM_M);
  stretch(halo, from, to, HALO_M);
  halo.visible = false;
  const housings = [...head(from, to), ...(heads === 2 ? head(to, from) : [])];
  const object = new Group().add(core, halo);
  const handle = handleOf(name, rod());
  stretch(handle, from, to, GRASP_M);
  return {
    object,
    name,
    housings,
    handle,
    isVolume: false,
    lit: () => light.lit() && halo.visible,
    show(state) {
      const end = reach(state);
      light.set(state.active);
      halo.visible = state.active;
      stretch(core, from, end, state.active ? LIT_BEAM_M : BEAM_M);
      stretch(halo, from, end, HALO_M);
    },
    paint: (palette) => light.paint(palette),
  };
}

const vector = ({ x, y, z }: { x: number; y: number; z: number }) => new Vector3(x, y, z);

function drawBeam(sensor: BeamSensor): DrawnSensor {
  const to = vector(sensor.to);
  return drawLight(sensor, { ends: [vector(sensor.from), to], heads: 2 }, () => to);
}

/** The ray up to what it measures. */
function drawDistance(sensor: DistanceSensor): DrawnSensor {
  const from = vector(sensor.position);
  const direction = vector(sensor.direction).normalize();
  const at = (share: number) => from.clone().addScaledVector(direction, share * sensor.range_m);
  return drawLight(sensor, { ends: [from, at(1)], heads: 1 }, ({ value }) => {
    const span = sensor.at_full_scale - sensor.at_zero;
    const share = typeof value === 'number' && span !== 0 ? (value - sensor.at_zero) / span : 1;
    return at(Math.min(Math.max(share, 0), 1));
  });
}

function drawPresence({ name, position, orientation, size_m }: PresenceSensor): DrawnSensor {
  const light = lights();
  const edge = new LineBasicMaterial({ toneMapped: false, transparent: true });
  const { x, y, z } = size_m;
  const lines = new LineSegments(boxEdges(new Vector3(x, y, z), BRACKET_M), edge);
  const faces = new Mesh(new BoxGeometry(x, y, z), light.halo);
  // The position of a presence sensor is the middle of its volume.
  lines.geometry.translate(-x / 2, -y / 2, -z / 2);
  faces.visible = false;
  const object = new Group().add(lines, faces);
  const handle = handleOf(name, new BoxGeometry(x, y, z));
  for (const part of [object, handle]) part.applyMatrix4(poseMatrix(position, orientation));
  function paint(): void {
    edge.color.copy(light.core.color);
    edge.opacity = light.core.opacity;
  }
  return {
    object,
    name,
    housings: [],
    handle,
    isVolume: true,
    lit: () => light.lit() && faces.visible,
    show({ active }) {
      light.set(active);
      faces.visible = active;
      paint();
    },
    paint(palette) {
      light.paint(palette);
      paint();
    },
  };
}

type Sensors = { [Kind in CellSensor['kind']]: Extract<CellSensor, { kind: Kind }> };

/** The kinds of sensors; one without a place, such as a scale, is not drawn. */
const KINDS: { readonly [Kind in keyof Sensors]: (sensor: Sensors[Kind]) => DrawnSensor | null } = {
  beam: drawBeam,
  distance: drawDistance,
  presence: drawPresence,
  weight: () => null,
};

/** Draws a sensor; null for one without a place. */
export function drawSensor<Kind extends keyof Sensors>(
  sensor: Sensors[Kind] & { readonly kind: Kind },
): DrawnSensor | null {
  return KINDS[sensor.kind as Kind](sensor);
}
