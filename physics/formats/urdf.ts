/**
 * The arm as a URDF robot, the description format of ROS. Metres, radians; frames as those of
 * `forward`. Links carry masses and inertias, joints the software limits (§2.8), speed and torque
 * limits and friction; shapes are the collision capsules, each a cylinder and two spheres. URDF has
 * no field for the inertia of rotors; MJCF has.
 */
import {
  DRIVE,
  FLANGE_M,
  FRAME_NAMES,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  JOINT_NAMES,
  LINK_MASSES,
  OFFSETS_M,
  TURNS_ABOUT_Z,
  VELOCITY_MAX_RAD_S,
} from '../arm/arm-model.ts';
import { CAPSULE_COUNT, CAPSULE_ENDS_M, CAPSULE_LINK, CAPSULE_RADIUS_M } from '../arm/geometry.ts';
import { ballLoad, type Load } from '../dynamics/inertia.ts';
import { atan2 } from '../math/portable.ts';
import { length3 } from '../math/vector.ts';

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

function joint(j: number): string {
  const span = `lower="${JOINT_MIN_RAD[j]}" upper="${JOINT_MAX_RAD[j]}"`;
  const most = `effort="${DRIVE.torque_max_n_m[j]}" velocity="${VELOCITY_MAX_RAD_S[j]}"`;
  const friction = `damping="${DRIVE.viscous_n_m_s[j]}" friction="${DRIVE.coulomb_n_m[j]}"`;
  return `  <joint name="${JOINT_NAMES[j]}" type="revolute">
    <parent link="${FRAME_NAMES[j]}"/>
    <child link="${FRAME_NAMES[j + 1]}"/>
    <origin xyz="${OFFSETS_M[j]!.join(' ')}"/>
    <axis xyz="${TURNS_ABOUT_Z[j] ? '0 0 1' : '0 -1 0'}"/>
    <limit ${span} ${most}/>
    <dynamics ${friction}/>
  </joint>`;
}

function fixedLink(name: string, parent: string, at_m: readonly number[], body = ''): string {
  const content = body === '' ? '/>' : `>\n${body}\n  </link>`;
  return `  <link name="${name}"${content}
  <joint name="${name}_joint" type="fixed">
    <parent link="${parent}"/>
    <child link="${name}"/>
    <origin xyz="${at_m.join(' ')}"/>
  </joint>`;
}

function payloadLink({ mass_kg, centre_of_mass_m, inertia_kg_m2 }: Load): string {
  const body = inertial({ mass_kg, com_m: [0, 0, 0], inertia_kg_m2 });
  return fixedLink('payload', 'flange', centre_of_mass_m, body);
}

/** The arm as a URDF document; a payload (kg) is a link at the flange. */
export function armAsUrdf(payload_kg = 0): string {
  const flange = fixedLink('flange', FRAME_NAMES[6]!, [0, 0, FLANGE_M]);
  const parts = [
    ...LINK_MASSES.map((_, i) => link(i)),
    ...OFFSETS_M.map((_, j) => joint(j)),
    flange,
    ...(payload_kg > 0 ? [payloadLink(ballLoad(payload_kg))] : []),
  ];
  return `<?xml version="1.0"?>\n<robot name="armtwin">\n${parts.join('\n')}\n</robot>\n`;
}
