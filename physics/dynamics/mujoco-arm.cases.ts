/**
 * The arm as a model of MuJoCo, an independent engine (test code): links, load, and each rotor as
 * the `armature` of its joint. Viscous friction is left to the caller or to MuJoCo's own damping.
 */
import loadMujoco from '@mujoco/mujoco';
import {
  DRIVE,
  FLANGE_M,
  JOINT_AXES,
  LINK_MASSES,
  OFFSETS_M,
  zeroQuaternion,
} from '../arm/arm-model.ts';
import { GRAVITY_M_S2 } from './gravity.ts';
import type { Load } from './load.ts';

function linkInertial(link: number): string {
  const { mass_kg, com_m, inertia_kg_m2 } = LINK_MASSES[link]!;
  return inertial(mass_kg, com_m, inertia_kg_m2);
}

function inertial(mass_kg: number, com_m: readonly number[], inertia: readonly number[]): string {
  const numbers = `mass="${mass_kg}" fullinertia="${inertia.join(' ')}"`;
  return `<inertial pos="${com_m.join(' ')}" ${numbers}/>`;
}

function loadAsXml({ mass_kg, centre_of_mass_m, inertia_kg_m2 }: Load): string {
  if (mass_kg === 0) return '';
  const body = inertial(mass_kg, centre_of_mass_m, inertia_kg_m2);
  return `<body pos="0 0 ${FLANGE_M}">${body}</body>`;
}

function armAsXml(load: Load): string {
  const bodies = OFFSETS_M.reduceRight((inside, offset, j) => {
    const axis = JOINT_AXES[j]!.join(' ');
    const place = `pos="${offset.join(' ')}" quat="${zeroQuaternion(j).join(' ')}"`;
    const rotor = `armature="${DRIVE.armature_kg_m2[j]}" damping="${DRIVE.viscous_n_m_s[j]}"`;
    const joint = `<joint type="hinge" axis="${axis}" ${rotor}/>`;
    return `<body ${place}>${linkInertial(j + 1)}${joint}${inside}</body>`;
  }, loadAsXml(load));
  // Damping by the present rate, as in the plants: without it MuJoCo damps the coming rate.
  const flags = '<flag eulerdamp="disable"/>';
  const gravity = `gravity="0 0 ${-GRAVITY_M_S2}"`;
  const option = `<option integrator="Euler" timestep="0.001" ${gravity}>${flags}</option>`;
  return `<mujoco><compiler angle="radian"/>${option}<worldbody>${bodies}</worldbody></mujoco>`;
}

type Mujoco = Awaited<ReturnType<typeof loadMujoco>>;

export interface MujocoArm {
  readonly mujoco: Mujoco;
  readonly model: InstanceType<Mujoco['MjModel']>;
  readonly data: InstanceType<Mujoco['MjData']>;
}

let loading: Promise<Mujoco> | null = null;

/** Builds the arm with a load; its step is semi-implicit, 1 ms. */
export async function createMujocoArm(load: Load): Promise<MujocoArm> {
  loading ??= loadMujoco();
  const mujoco = await loading;
  const model = mujoco.MjModel.from_xml_string(armAsXml(load));
  return { mujoco, model, data: new mujoco.MjData(model) };
}
