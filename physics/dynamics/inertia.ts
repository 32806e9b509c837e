/**
 * Link inertia as the ten parameters in which the dynamics are linear: mass, first moment and
 * inertia about the joint frame's origin, with the armature (reflected rotor inertia) added about
 * the joint axis. The last link carries the payload and is a run-time vector; the others are
 * constants of the kernels.
 */
import {
  DRIVE,
  FLANGE_M,
  JOINT_COUNT,
  LINK_MASSES,
  type LinkMass,
  PAYLOAD_BALL,
  TURNS_ABOUT_Z,
} from '../arm/arm-model.ts';

/** mass; hx, hy, hz; Ixx, Iyy, Izz, Ixy, Ixz, Iyz (kg, kg m, kg m²). */
export const INERTIA_SIZE = 10;

/** Adds a body, given about its centre of mass, to the ten parameters at its joint frame. */
function addBody(out: Float64Array, body: LinkMass): void {
  const [x, y, z] = body.com_m as [number, number, number];
  const [xx, yy, zz, xy, xz, yz] = body.inertia_kg_m2 as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const m = body.mass_kg;
  const added = [
    m,
    m * x,
    m * y,
    m * z,
    xx + m * (y * y + z * z),
    yy + m * (x * x + z * z),
    zz + m * (x * x + y * y),
    xy - m * x * y,
    xz - m * x * z,
    yz - m * y * z,
  ];
  for (let i = 0; i < INERTIA_SIZE; i++) out[i]! += added[i]!;
}

/** Payload as a body in the frame of link 6: a ball beyond the flange. */
function payloadBody(payload_kg: number): LinkMass {
  const r = PAYLOAD_BALL.radius_m;
  const i = 0.4 * payload_kg * r * r;
  return {
    mass_kg: payload_kg,
    com_m: [0, 0, FLANGE_M + PAYLOAD_BALL.offset_beyond_flange_m],
    inertia_kg_m2: [i, i, i, 0, 0, 0],
  };
}

/** Options of the link inertia. */
export interface InertiaOptions {
  /** False leaves the armature out, for comparison with engines that reject it. */
  readonly armature: boolean;
}

/** Writes the ten parameters of joint `joint`'s link (0-based), without payload, to `out`. */
export function writeLinkInertia(joint: number, options: InertiaOptions, out: Float64Array): void {
  out.fill(0);
  addBody(out, LINK_MASSES[joint + 1]!);
  if (!options.armature) return;
  const axis = TURNS_ABOUT_Z[joint] ? 6 : 5;
  out[axis]! += DRIVE.armature_kg_m2[joint]!;
}

/** Writes the ten parameters of link 6 with a payload (kg), armature included by default. */
export function writeLastLinkInertia(
  payload_kg: number,
  out: Float64Array,
  options: InertiaOptions = { armature: true },
): void {
  writeLinkInertia(JOINT_COUNT - 1, options, out);
  if (payload_kg > 0) addBody(out, payloadBody(payload_kg));
}
