/**
 * The arm dynamics against MuJoCo, an independent engine, over random states. Armature is left out
 * on both sides: added to a link it violates the triangle inequality that MuJoCo requires.
 */
import loadMujoco from '@mujoco/mujoco';
import { beforeAll, describe, expect, it } from 'vitest';
import { FLANGE_M, LINK_MASSES, OFFSETS_M, PAYLOAD_BALL, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { ForwardDynamics, InverseDynamics } from './arm-dynamics.ts';
import { writeLastLinkInertia } from './inertia.ts';
import { GRAVITY_M_S2, generateKernels } from './kernels.ts';
import { randomStates } from './states.cases.ts';

const PAYLOAD_KG = 0.7;
const STATES = 2000;
const SEED = 20240611;

function inertial(link: number): string {
  const { mass_kg, com_m, inertia_kg_m2 } = LINK_MASSES[link]!;
  const numbers = `mass="${mass_kg}" fullinertia="${inertia_kg_m2.join(' ')}"`;
  return `<inertial pos="${com_m.join(' ')}" ${numbers}/>`;
}

function payload(): string {
  const moment = 0.4 * PAYLOAD_KG * PAYLOAD_BALL.radius_m * PAYLOAD_BALL.radius_m;
  const z = FLANGE_M + PAYLOAD_BALL.offset_beyond_flange_m;
  const numbers = `mass="${PAYLOAD_KG}" diaginertia="${moment} ${moment} ${moment}"`;
  return `<body pos="0 0 ${z}"><inertial pos="0 0 0" ${numbers}/></body>`;
}

function armAsXml(): string {
  const bodies = OFFSETS_M.reduceRight((inside, offset, j) => {
    const axis = TURNS_ABOUT_Z[j] ? '0 0 1' : '0 -1 0';
    const joint = `<joint type="hinge" axis="${axis}"/>`;
    return `<body pos="${offset.join(' ')}">${inertial(j + 1)}${joint}${inside}</body>`;
  }, payload());
  const option = `<option gravity="0 0 ${-GRAVITY_M_S2}"/>`;
  return `<mujoco><compiler angle="radian"/>${option}<worldbody>${bodies}</worldbody></mujoco>`;
}

/** Largest difference, relative to the largest of the reference or `floor`. */
function relative(ours: ArrayLike<number>, theirs: ArrayLike<number>, floor: number): number {
  let scale = floor;
  let worst = 0;
  for (let j = 0; j < 6; j++) {
    scale = Math.max(scale, Math.abs(theirs[j]!));
    worst = Math.max(worst, Math.abs(ours[j]! - theirs[j]!));
  }
  return worst / scale;
}

describe('dynamics against MuJoCo', () => {
  let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
  let model: InstanceType<typeof mujoco.MjModel>;
  let data: InstanceType<typeof mujoco.MjData>;
  const kernels = generateKernels({ armature: false });
  const out = new Float64Array(6);

  beforeAll(async () => {
    mujoco = await loadMujoco();
    model = mujoco.MjModel.from_xml_string(armAsXml());
    data = new mujoco.MjData(model);
  });

  it('gives the same joint torques for any motion', () => {
    const dynamics = new InverseDynamics(PAYLOAD_KG, kernels);
    writeLastLinkInertia(PAYLOAD_KG, dynamics.lastLink, { armature: false });
    let worst = 0;
    for (const { q, rates, accelerations } of randomStates(SEED, STATES)) {
      data.qpos.set(q);
      data.qvel.set(rates);
      data.qacc.set(accelerations);
      mujoco.mj_inverse(model, data);
      dynamics.torque(q, { rates, accelerations }, out);
      worst = Math.max(worst, relative(out, data.qfrc_inverse, 1));
    }
    expect(worst, `seed ${SEED}`).toBeLessThan(1e-12);
  });

  it('gives the same accelerations for any torques', () => {
    const dynamics = new ForwardDynamics(PAYLOAD_KG, kernels);
    writeLastLinkInertia(PAYLOAD_KG, dynamics.lastLink, { armature: false });
    let worst = 0;
    for (const { q, rates, torques } of randomStates(SEED, STATES)) {
      data.qpos.set(q);
      data.qvel.set(rates);
      data.qfrc_applied.set(torques);
      mujoco.mj_forward(model, data);
      dynamics.update(q, rates);
      dynamics.acceleration(torques, out);
      worst = Math.max(worst, relative(out, data.qacc, 1));
    }
    expect(worst, `seed ${SEED}`).toBeLessThan(1e-12);
  });
});
