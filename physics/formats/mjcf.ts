/**
 * The arm as an MJCF model, the format of MuJoCo. SI units, radians; frames as those of `forward`.
 * Joints have the rotors as `armature` and the viscous friction as `damping`, and range to the
 * mechanical end stops; a motor per joint takes torques (N m) up to the drive's limit. Geoms are
 * the collision capsules, and only the pairs of links collide that collide in the twin (§2.6). The
 * smooth Coulomb friction of the twin has no equal in MuJoCo, so the model has none. Fixtures and
 * conveyors of a cell are bodies that stand still, objects free ones, nests and grippers sites.
 */
import {
  DRIVE,
  END_STOP_MAX_RAD,
  END_STOP_MIN_RAD,
  FLANGE_M,
  FRAME_NAMES,
  JOINT_AXES,
  JOINT_NAMES,
  LINK_MASSES,
  OFFSETS_M,
  ZERO_TURN_RAD,
  zeroQuaternion,
} from '../arm/arm-model.ts';
import {
  CAPSULE_COUNT,
  CAPSULE_ENDS_M,
  CAPSULE_LINK,
  CAPSULE_RADIUS_M,
  SELF_PAIRS,
} from '../arm/geometry.ts';
import type { CellModel } from '../cell/cell-model.ts';
import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { ballLoad } from '../dynamics/load.ts';
import type { Numbers } from '../math/vector.ts';
import { type CellPart, partsInFrames } from './cell-parts.ts';

function inertial(mass: number, com: readonly number[], inertia: readonly number[]): string {
  return `<inertial pos="${com.join(' ')}" mass="${mass}" fullinertia="${inertia.join(' ')}"/>`;
}

function geoms(link: number): string[] {
  return Array.from({ length: CAPSULE_COUNT }, (_, k) => k)
    .filter((k) => CAPSULE_LINK[k] === link)
    .map((k) => {
      const ends = CAPSULE_ENDS_M.subarray(6 * k, 6 * k + 6).join(' ');
      return `<geom type="capsule" fromto="${ends}" size="${CAPSULE_RADIUS_M[k]}"/>`;
    });
}

/** The turn of a joint's frame at angle 0; empty without one, and for the base (-1). */
function zeroTurn(j: number): string {
  if (!ZERO_TURN_RAD[j]) return '';
  return ` quat="${zeroQuaternion(j).join(' ')}"`;
}

function joint(j: number): string {
  const axis = JOINT_AXES[j]!.join(' ');
  const drive = `armature="${DRIVE.armature_kg_m2[j]}" damping="${DRIVE.viscous_n_m_s[j]}"`;
  const range = `range="${END_STOP_MIN_RAD[j]} ${END_STOP_MAX_RAD[j]}"`;
  return `<joint name="${JOINT_NAMES[j]}" type="hinge" axis="${axis}" ${range} ${drive}/>`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** What hangs at the flange: a mass (kg), and the grippers of a cell. */
interface Carried {
  readonly payload_kg: number;
  readonly parts: readonly CellPart[];
}

function flange({ payload_kg, parts }: Carried): string[] {
  const { mass_kg, centre_of_mass_m, inertia_kg_m2 } = ballLoad(payload_kg);
  const payload = `  ${inertial(mass_kg, centre_of_mass_m, inertia_kg_m2)}`;
  return [
    `<body name="flange" pos="0 0 ${FLANGE_M}">`,
    '  <site name="flange"/>',
    ...(payload_kg > 0 ? [payload] : []),
    ...indent(parts.flatMap((part) => (part.mass ? cellBody(part, parts) : [site(part)]))),
    '</body>',
  ];
}

function place(pose: Numbers): string {
  const [x, y, z, ...turn] = Array.from(pose);
  return `pos="${x} ${y} ${z}" quat="${turn.join(' ')}"`;
}

function site({ frame, pose }: CellPart): string {
  return `<site name="${frame}" ${place(pose)}/>`;
}

/** A body of the cell with its solids, its nests, and what it weighs; objects can move. */
function cellBody(part: CellPart, parts: readonly CellPart[]): string[] {
  const { frame, kind, mass, friction } = part;
  const solids = part.solids.map(({ solid: { isRound, half }, pose }) => {
    const size = isRound ? `${half[0]} ${half[2]}` : `${half[0]} ${half[1]} ${half[2]}`;
    const type = isRound ? 'cylinder' : 'box';
    // MuJoCo would give what stands the mass of water.
    const weight = mass ? '' : ' mass="0"';
    return `<geom type="${type}" ${place(pose)} size="${size}" friction="${friction}"${weight}/>`;
  });
  const nests = parts.filter(({ parent }) => parent === frame).map(site);
  const moments = Array.from(mass?.moments_kg_m2 ?? []).concat([0, 0, 0]);
  return [
    `<body name="${frame}" ${place(part.pose)}>`,
    ...indent([
      ...(kind === 'object' ? [`<freejoint name="${frame}_joint"/>`] : []),
      ...(mass ? [inertial(mass.mass_kg, Array.from(mass.centre_m), moments)] : []),
      ...solids,
      ...nests,
    ]),
    '</body>',
  ];
}

/** The ground, which the base and link 1 do not touch. */
const FLOOR = '<geom name="floor" type="plane" size="0 0 1"/>';

function standing(parts: readonly CellPart[]): string[] {
  const bodies = parts.filter(({ kind }) => kind !== 'nest' && kind !== 'gripper');
  return [FLOOR, ...bodies.flatMap((part) => cellBody(part, parts))];
}

/** Body of link `link` with everything that it carries. */
function body(link: number, carried: Carried): string[] {
  const { mass_kg, com_m, inertia_kg_m2 } = LINK_MASSES[link]!;
  const offset_m = link === 0 ? [0, 0, 0] : OFFSETS_M[link - 1]!;
  const next = link === LINK_MASSES.length - 1 ? flange(carried) : body(link + 1, carried);
  return [
    `<body name="${FRAME_NAMES[link]}" pos="${offset_m.join(' ')}"${zeroTurn(link - 1)}>`,
    ...indent([
      inertial(mass_kg, com_m, inertia_kg_m2),
      ...(link === 0 ? [] : [joint(link - 1)]),
      ...geoms(link),
      ...next,
    ]),
    '</body>',
  ];
}

/** Exclusions of all pairs of links that cannot collide in the twin. */
function exclusions(): string[] {
  const collide = new Set(SELF_PAIRS.map(([a, b]) => `${a} ${b}`));
  return LINK_MASSES.flatMap((_, b) =>
    LINK_MASSES.slice(0, b).flatMap((_first, a) =>
      collide.has(`${a} ${b}`)
        ? []
        : [`<exclude body1="${FRAME_NAMES[a]}" body2="${FRAME_NAMES[b]}"/>`],
    ),
  );
}

function motors(): string[] {
  return JOINT_NAMES.map((name, j) => {
    const most = DRIVE.torque_max_n_m[j];
    return `<motor name="motor_${j}" joint="${name}" ctrlrange="-${most} ${most}"/>`;
  });
}

function section(name: string, lines: readonly string[]): string[] {
  return [`<${name}>`, ...indent(lines), `</${name}>`];
}

/**
 * The arm as an MJCF document; a payload (kg) is the mass of the flange's body. With a cell, its
 * objects follow the arm's joints in the state, in the order of the cell.
 */
export function armAsMjcf(payload_kg = 0, cell: CellModel | null = null): string {
  const parts = cell ? partsInFrames(cell) : [];
  const grippers = parts.filter(({ kind }) => kind === 'gripper');
  const arm = body(0, { payload_kg, parts: grippers });
  const noFloor = `<exclude body1="world" body2="${FRAME_NAMES[1]}"/>`;
  const lines = [
    '<compiler angle="radian"/>',
    // As the twin steps: 1 ms, semi-implicit, friction of the present rate.
    `<option timestep="0.001" integrator="Euler" gravity="0 0 ${-GRAVITY_M_S2}">`,
    '  <flag eulerdamp="disable"/>',
    '</option>',
    ...section('worldbody', [...arm, ...(cell ? standing(parts) : [])]),
    ...section('contact', [...exclusions(), ...(cell ? [noFloor] : [])]),
    ...section('actuator', motors()),
  ];
  return `<mujoco model="armtwin">\n${indent(lines).join('\n')}\n</mujoco>\n`;
}
