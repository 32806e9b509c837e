/**
 * The arm as a URDF robot, the description format of ROS. Metres, radians; frames as those of
 * `forward`. Links carry masses and inertias, joints the software limits (§2.8), speed and torque
 * limits and friction; shapes are the collision capsules, each a cylinder and two spheres. URDF has
 * no field for the inertia of rotors; MJCF has. The parts of a cell are links at fixed joints: the
 * format has no bodies that move freely. The base stands on a root without mass, because programs
 * such as KDL take no root that has an inertia.
 */
import {
  DRIVE,
  FLANGE_M,
  FRAME_NAMES,
  JOINT_AXES,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  JOINT_NAMES,
  LINK_MASSES,
  OFFSETS_M,
  TURNS_ABOUT_Z,
  VELOCITY_MAX_RAD_S,
  ZERO_TURN_RAD,
} from '../arm/arm-model.ts';
import { CAPSULE_COUNT, CAPSULE_ENDS_M, CAPSULE_LINK, CAPSULE_RADIUS_M } from '../arm/geometry.ts';
import type { CellModel } from '../cell/cell-model.ts';
import { ballLoad, type Load } from '../dynamics/load.ts';
import { atan2 } from '../math/portable.ts';
import { fixedAxisAngles, quaternionToMatrix } from '../math/rotation.ts';
import { length3 } from '../math/vector.ts';
import { type CellPart, partsInFrames } from './cell-parts.ts';

type Inertial = Pick<Load, 'mass_kg' | 'inertia_kg_m2'> & { readonly com_m: readonly number[] };

function inertial({ mass_kg, com_m, inertia_kg_m2: [xx, yy, zz, xy, xz, yz] }: Inertial): string {
  const tensor = `ixx="${xx}" iyy="${yy}" izz="${zz}" ixy="${xy}" ixz="${xz}" iyz="${yz}"`;
  return `    <inertial>
      <origin xyz="${com_m.join(' ')}"/>
      <mass value="${mass_kg}"/>
      <inertia ${tensor}/>
    </inertial>`;
}

/** A geometry with its origin, once to see and once to collide. */
function shape(origin: string, geometry: string): string[] {
  return ['visual', 'collision'].map(
    (use) => `    <${use}><origin ${origin}/><geometry>${geometry}</geometry></${use}>`,
  );
}

/** Capsule `k`: URDF has no capsules, so a cylinder with a sphere at each end. */
function capsule(k: number): string[] {
  const [x = 0, y = 0, z = 0, ex = 0, ey = 0, ez = 0] = CAPSULE_ENDS_M.subarray(6 * k, 6 * k + 6);
  const [dx, dy, dz] = [ex - x, ey - y, ez - z];
  const across = Math.sqrt(dx * dx + dy * dy);
  const turn = `rpy="0 ${atan2(across, dz)} ${atan2(dy, dx)}"`;
  const centre = `xyz="${(x + ex) / 2} ${(y + ey) / 2} ${(z + ez) / 2}"`;
  const radius = `radius="${CAPSULE_RADIUS_M[k]}"`;
  const length = length3(dx, dy, dz);
  return [
    ...shape(`${centre} ${turn}`, `<cylinder ${radius} length="${length}"/>`),
    ...shape(`xyz="${x} ${y} ${z}"`, `<sphere ${radius}/>`),
    ...shape(`xyz="${ex} ${ey} ${ez}"`, `<sphere ${radius}/>`),
  ];
}

function link(i: number): string {
  const shapes = Array.from({ length: CAPSULE_COUNT }, (_, k) => k)
    .filter((k) => CAPSULE_LINK[k] === i)
    .flatMap(capsule);
  const parts = [inertial(LINK_MASSES[i]!), ...shapes].join('\n');
  return `  <link name="${FRAME_NAMES[i]}">\n${parts}\n  </link>`;
}

/** The turn of a joint's frame at angle 0; empty without one. */
function zeroTurn(j: number): string {
  const turn = ZERO_TURN_RAD[j]!;
  if (turn === 0) return '';
  return TURNS_ABOUT_Z[j] ? ` rpy="0 0 ${turn}"` : ` rpy="0 ${-turn} 0"`;
}

function joint(j: number): string {
  const span = `lower="${JOINT_MIN_RAD[j]}" upper="${JOINT_MAX_RAD[j]}"`;
  const most = `effort="${DRIVE.torque_max_n_m[j]}" velocity="${VELOCITY_MAX_RAD_S[j]}"`;
  const friction = `damping="${DRIVE.viscous_n_m_s[j]}" friction="${DRIVE.coulomb_n_m[j]}"`;
  return `  <joint name="${JOINT_NAMES[j]}" type="revolute">
    <parent link="${FRAME_NAMES[j]}"/>
    <child link="${FRAME_NAMES[j + 1]}"/>
    <origin xyz="${OFFSETS_M[j]!.join(' ')}"${zeroTurn(j)}/>
    <axis xyz="${JOINT_AXES[j]!.join(' ')}"/>
    <limit ${span} ${most}/>
    <dynamics ${friction}/>
  </joint>`;
}

/** The root: where the base stands; a part of a cell never has its name. */
const ROOT = 'world';

/** A joint that does not move. */
function fixedJoint(parent: string, child: string, origin: string): string {
  return `  <joint name="${child}_joint" type="fixed">
    <parent link="${parent}"/>
    <child link="${child}"/>
    <origin ${origin}/>
  </joint>`;
}

const rotation = new Float64Array(9);

/** The attributes of an origin, from a position and a quaternion w, x, y, z. */
function originOf(pose: Float64Array): string {
  const [px = 0, py = 0, pz = 0, w = 1, x = 0, y = 0, z = 0] = pose;
  quaternionToMatrix({ w, x, y, z }, rotation);
  return `xyz="${px} ${py} ${pz}" rpy="${fixedAxisAngles(rotation).join(' ')}"`;
}

interface FixedLink {
  readonly name: string;
  readonly parent: string;
  /** Attributes of its origin. */
  readonly origin: string;
  readonly body?: string;
}

function fixedLink({ name, parent, origin, body = '' }: FixedLink): string {
  const content = body === '' ? '/>' : `>\n${body}\n  </link>`;
  return `  <link name="${name}"${content}\n${fixedJoint(parent, name, origin)}`;
}

function partLink({ frame, parent, pose, solids, mass }: CellPart): string {
  const shapes = solids.flatMap(({ solid: { isRound, half }, pose: at }) => {
    const [x, y, z] = [0, 1, 2].map((k) => 2 * half[k]!);
    const round = `<cylinder radius="${half[0]}" length="${z}"/>`;
    return shape(originOf(at), isRound ? round : `<box size="${x} ${y} ${z}"/>`);
  });
  const weight = mass && {
    mass_kg: mass.mass_kg,
    com_m: Array.from(mass.centre_m),
    inertia_kg_m2: [...Array.from(mass.moments_kg_m2), 0, 0, 0],
  };
  const body = [...(weight ? [inertial(weight)] : []), ...shapes].join('\n');
  return fixedLink({ name: frame, parent, origin: originOf(pose), body });
}

function payloadLink({ mass_kg, centre_of_mass_m, inertia_kg_m2 }: Load): string {
  const body = inertial({ mass_kg, com_m: [0, 0, 0], inertia_kg_m2 });
  const origin = `xyz="${centre_of_mass_m.join(' ')}"`;
  return fixedLink({ name: 'payload', parent: 'flange', origin, body });
}

/** The arm as a URDF document; a payload (kg) is a link at the flange, a part of a cell another. */
export function armAsUrdf(payload_kg = 0, cell: CellModel | null = null): string {
  const origin = `xyz="0 0 ${FLANGE_M}"`;
  const flange = fixedLink({ name: 'flange', parent: FRAME_NAMES[6]!, origin });
  const parts = [
    `  <link name="${ROOT}"/>`,
    fixedJoint(ROOT, FRAME_NAMES[0]!, 'xyz="0 0 0"'),
    ...LINK_MASSES.map((_, i) => link(i)),
    ...OFFSETS_M.map((_, j) => joint(j)),
    flange,
    ...(payload_kg > 0 ? [payloadLink(ballLoad(payload_kg))] : []),
    ...(cell ? partsInFrames(cell) : []).map(partLink),
  ];
  return `<?xml version="1.0"?>\n<robot name="armtwin">\n${parts.join('\n')}\n</robot>\n`;
}
