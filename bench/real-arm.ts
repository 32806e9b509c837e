/**
 * An arm that is not the twin: MuJoCo moves it, with friction, rotors, load, noise and delays of
 * its own, and a planner of its own. Stands in for a real arm where the fit of captures is judged;
 * nothing here uses the twin's planner, plants or fit.
 */
import loadMujoco from '@mujoco/mujoco';
import { FLANGE_M, LINK_MASSES, OFFSETS_M, TURNS_ABOUT_Z } from '../physics/arm/arm-model.ts';
import type { Prng } from '../physics/math/prng.ts';
import {
  planTravel,
  REAL_STEP_S,
  type RealArm,
  type RealPlan,
} from '../server/identify/real-planner.cases.ts';

const inertial = (mass: number, com: readonly number[], inertia: readonly number[]) =>
  `<inertial pos="${com.join(' ')}" mass="${mass}" fullinertia="${inertia.join(' ')}"/>`;

function armXml(arm: RealArm, friction: boolean): string {
  const { load_kg: mass, load_m } = arm;
  // A box of 60 x 60 x 80 mm.
  const box = [0.01, 0.01, 0.0072].map((square) => (mass * square) / 12);
  const load =
    mass > 0
      ? `<body pos="0 0 ${FLANGE_M}">${inertial(mass, load_m, [...box, 0, 0, 0])}</body>`
      : '';
  const bodies = OFFSETS_M.reduceRight((inside, offset, j) => {
    const { mass_kg, com_m, inertia_kg_m2 } = LINK_MASSES[j + 1]!;
    const losses = friction
      ? `damping="${arm.viscous[j]}" frictionloss="${arm.coulomb[j]}"`
      : 'damping="0"';
    const axis = TURNS_ABOUT_Z[j] ? '0 0 1' : '0 -1 0';
    const joint = `<joint type="hinge" axis="${axis}" armature="${arm.rotor[j]}" ${losses}/>`;
    const link = inertial(mass_kg, com_m, inertia_kg_m2);
    return `<body pos="${offset.join(' ')}">${link}${joint}${inside}</body>`;
  }, `<site name="tool" pos="0 0 ${FLANGE_M}"/>${load}`);
  const step = `integrator="implicitfast" timestep="${REAL_STEP_S}"`;
  const option = `<option ${step} gravity="0 0 -9.81"/>`;
  return `<mujoco><compiler angle="radian"/>${option}<worldbody>${bodies}</worldbody></mujoco>`;
}

/** What the arm's controller measures and reports at one moment. */
export interface RealSample {
  readonly t_s: number;
  readonly q: readonly number[];
  readonly rates: readonly number[];
  readonly torque: readonly number[];
}

/** Feedback of the arm's servos (1/s). */
const BANDWIDTH = 80;
/** Resolution of the encoders (rad). */
const QUANTUM_RAD = 9.587672516830327e-5;
const FULL_TORQUE = [40, 60, 40, 12, 10, 4];

/** The running arm. */
export class MujocoRealArm {
  readonly arm: RealArm;
  private readonly mujoco: Awaited<ReturnType<typeof loadMujoco>>;
  private readonly world;
  private readonly control;
  private readonly random: Prng;
  private readonly history: { q: number[]; rates: number[] }[] = [];
  private readonly torque = new Float64Array(6);
  goal: number[];
  steps = 0;

  private constructor(
    mujoco: Awaited<ReturnType<typeof loadMujoco>>,
    arm: RealArm,
    { random, start }: { readonly random: Prng; readonly start: readonly number[] },
  ) {
    const make = (friction: boolean) => {
      const model = mujoco.MjModel.from_xml_string(armXml(arm, friction));
      return { model, data: new mujoco.MjData(model) };
    };
    this.mujoco = mujoco;
    this.arm = arm;
    this.world = make(true);
    this.control = make(false);
    this.random = random;
    this.goal = [...start];
    this.world.data.qpos.set(start);
  }

  static async start(arm: RealArm, random: Prng, start: readonly number[]): Promise<MujocoRealArm> {
    return new MujocoRealArm(await loadMujoco(), arm, { random, start });
  }

  free(): void {
    for (const { data, model } of [this.world, this.control]) {
      data.delete();
      model.delete();
    }
  }

  /** Plans a motion; the whole of it is slowed until the flange keeps its speed. */
  plan(joints: readonly number[]): RealPlan {
    const travel = joints.map((angle, j) => angle - this.goal[j]!);
    let slower = 1;
    let plan = planTravel(this.arm, travel, slower);
    for (let round = 0; round < 6; round++) {
      const over = this.fastestTool(travel, plan) / this.arm.tool_m_s;
      if (over <= 1.0001) break;
      slower *= over;
      plan = planTravel(this.arm, travel, slower);
    }
    return plan;
  }

  private fastestTool(travel: readonly number[], { s }: RealPlan): number {
    const { model, data } = this.control;
    const place = (at: number) => {
      data.qpos.set(this.goal.map((angle, j) => angle + at * travel[j]!));
      this.mujoco.mj_kinematics(model, data);
      return [...data.site_xpos] as number[];
    };
    const places = Array.from({ length: 101 }, (_, i) => place(i / 100));
    const slopes = places.slice(1).map((to, i) => {
      const from = places[i]!;
      return 100 * Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!);
    });
    let fastest = 0;
    for (let i = 1; i < s.length; i++) {
      const slope = slopes[Math.min(Math.floor(s[i]! * 100), 99)]!;
      fastest = Math.max(fastest, (slope * (s[i]! - s[i - 1]!)) / REAL_STEP_S);
    }
    return fastest;
  }

  /** Runs the arm along a plan (none: at rest) for `duration_s`; calls back every millisecond. */
  run(
    duration_s: number,
    motion: { plan: RealPlan; joints: readonly number[] } | null,
    each: () => void,
  ) {
    const travel = motion ? motion.joints.map((angle, j) => angle - this.goal[j]!) : null;
    const from = [...this.goal];
    const at = (i: number, j: number) => {
      if (!motion || !travel) return from[j]!;
      const { s } = motion.plan;
      return from[j]! + travel[j]! * s[Math.min(Math.max(i, 0), s.length - 1)]!;
    };
    const count = Math.round(duration_s / REAL_STEP_S);
    for (let i = 0; i < count; i++) {
      this.step((j) => [at(i - 1, j), at(i, j), at(i + 1, j)]);
      each();
    }
    if (motion) this.goal = [...motion.joints];
  }

  private step(reference: (j: number) => readonly [number, number, number]): void {
    const { mujoco, world, control } = this;
    const { data } = world;
    for (let j = 0; j < 6; j++) {
      const [before, now, after] = reference(j);
      const wanted = (after - 2 * now + before) / REAL_STEP_S / REAL_STEP_S;
      const lag = now - data.qpos[j]!;
      const slip = (after - before) / 2 / REAL_STEP_S - data.qvel[j]!;
      const smooth = Math.min(Math.max(wanted, -40), 40);
      control.data.qacc[j] = smooth + BANDWIDTH * BANDWIDTH * lag + 2 * BANDWIDTH * slip;
      control.data.qpos[j] = data.qpos[j]!;
      control.data.qvel[j] = data.qvel[j]!;
    }
    mujoco.mj_inverse(control.model, control.data);
    this.torque.set(control.data.qfrc_inverse);
    data.qfrc_applied.set(this.torque);
    mujoco.mj_step(world.model, data);
    this.steps++;
    this.history.push({ q: [...data.qpos], rates: [...data.qvel] });
    if (this.history.length > 40) this.history.shift();
  }

  private gauss(): number {
    const size = Math.sqrt(-2 * Math.log(Math.max(this.random(), 1e-12)));
    return size * Math.cos(2 * Math.PI * this.random());
  }

  /** The present measurement, late and noisy. */
  measure(): RealSample {
    const { arm, history } = this;
    const back = Math.round(arm.latency_s / REAL_STEP_S);
    const seen = history[Math.max(history.length - 1 - back, 0)]!;
    const degree = 180 / Math.PI;
    return {
      t_s: this.steps * REAL_STEP_S,
      q: seen.q.map(
        (v) => Math.round((v + arm.noise_rad * this.gauss()) / QUANTUM_RAD) * QUANTUM_RAD,
      ),
      rates: seen.rates.map(
        (v) => Math.round((v + arm.noise_rad_s * this.gauss()) * degree * 1000) / 1000 / degree,
      ),
      torque: [...this.torque].map((v, j) => v + arm.noise_torque * FULL_TORQUE[j]! * this.gauss()),
    };
  }
}
