/**
 * Rigid-body dynamics of the arm for one payload. ForwardDynamics gives joint accelerations from
 * torques and, at one state, joint-space inertia, bias, momentum and beta in one pass over shared
 * terms. InverseDynamics gives joint torques from a motion.
 */
import { DRIVE, JOINT_COUNT, OFFSETS_M, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { sincos, trig } from '../math/portable.ts';
import type { Numbers } from '../math/rotation.ts';
import {
  ballLoad,
  foldRotor,
  INERTIA_SIZE,
  type Load,
  writeLastLinkInertia,
  writeLinkInertia,
} from './inertia.ts';
import {
  compositeRigidBodyInertia,
  generalisedMomenta,
  gravityTorques,
  recursiveNewtonEuler,
  solveSymmetric,
  type TracedLink,
} from './recursions.ts';
import { compileKernel, type Kernel, type Term, Trace } from './symbolic.ts';
import { VectorTrace } from './symbolic-vectors.ts';

/**
 * Compiled dynamics kernels of the arm: straight-line functions, generated once per process from
 * the recursions with every mass, offset and armature folded in. Sines and cosines of the joints
 * are an argument (alternating), so that a plant step computes them once; link 6 with its payload
 * is a run-time vector of ten parameters (inertia.ts). A rotor turns about its own joint only, so
 * its reflected inertia (armature) is added to the diagonal of H and to nothing else.
 */

/** Acceleration of gravity (m/s²). */
export const GRAVITY_M_S2 = 9.81;
/** Size of a lower triangle of six rows. */
const TRIANGLE_SIZE = (JOINT_COUNT * (JOINT_COUNT + 1)) / 2;
/** Size of the `state` output: triangle of H, then bias, momentum and beta of each joint. */
const STATE_SIZE = TRIANGLE_SIZE + 3 * JOINT_COUNT;

interface Kernels {
  /** (turns, rates, accelerations, last, out): joint torques, gravity included. */
  readonly inverse: Kernel;
  /** (turns, last, out): gravity compensation torques. */
  readonly gravity: Kernel;
  /**
   * (turns, rates, last, out): H, bias, momentum of each joint, beta = slope of
   * T minus gravity; STATE_SIZE numbers.
   */
  readonly state: Kernel;
  /** (H, right, out): solves H x = right for the lower triangle H. */
  readonly solve: Kernel;
}

/** Writes sin and cos of six joint angles, alternating, into `turns`. No allocation. */
export function writeSinCos(q: Numbers, turns: Float64Array): void {
  for (let j = 0; j < JOINT_COUNT; j++) {
    sincos(q[j]!);
    turns[2 * j] = trig.sin;
    turns[2 * j + 1] = trig.cos;
  }
}

function inputs(trace: Trace, array: string, count: number): Term[] {
  return Array.from({ length: count }, (_, i) => trace.input(array, i));
}

/** The arm's links as terms: constants except the last link, which is read at run time. */
function traceLinks(trace: Trace, folded: boolean): TracedLink[] {
  const numbers = new Float64Array(INERTIA_SIZE);
  return OFFSETS_M.map((offset, joint) => {
    writeLinkInertia(joint, numbers);
    if (folded) foldRotor(joint, numbers);
    const last = joint === JOINT_COUNT - 1;
    const terms = last
      ? inputs(trace, 'last', INERTIA_SIZE)
      : Array.from(numbers, (value) => trace.constant(value));
    const [mass, hx, hy, hz, xx, yy, zz, xy, xz, yz] = terms;
    return {
      mass: mass!,
      moment: [hx!, hy!, hz!],
      inertia: [xx!, yy!, zz!, xy!, xz!, yz!],
      turn: {
        sin: trace.input('turns', 2 * joint),
        cos: trace.input('turns', 2 * joint + 1),
        aboutZ: TURNS_ABOUT_Z[joint]!,
      },
      offset: [trace.constant(offset[0]!), trace.constant(offset[1]!), trace.constant(offset[2]!)],
    };
  });
}

interface TracedArm {
  readonly trace: Trace;
  readonly vectors: VectorTrace;
  readonly links: TracedLink[];
  readonly rates: Term[];
  readonly gravity: Term;
}

function traceArm(folded = false): TracedArm {
  const trace = new Trace();
  return {
    trace,
    vectors: new VectorTrace(trace),
    links: traceLinks(trace, folded),
    rates: inputs(trace, 'rates', JOINT_COUNT),
    gravity: trace.constant(GRAVITY_M_S2),
  };
}

/** Armature of joint `j` times its rate or acceleration. */
function rotorPart(trace: Trace, j: number, of: readonly Term[]): Term {
  return trace.multiply(trace.constant(DRIVE.armature_kg_m2[j]!), of[j]!);
}

function compileInverseDynamics(): Kernel {
  const { trace, vectors, links, rates, gravity } = traceArm();
  const accelerations = inputs(trace, 'accelerations', JOINT_COUNT);
  const linkTorques = recursiveNewtonEuler(vectors, links, { rates, accelerations, gravity });
  const torques = linkTorques.map((term, j) => trace.add(term, rotorPart(trace, j, accelerations)));
  return compileKernel(trace, ['turns', 'rates', 'accelerations', 'last'], torques);
}

/**
 * (turns, rates, accelerations, last, out): joint torques of an arm whose links carry their rotors
 * as inertia of their own, which an engine without armature needs.
 */
export function foldedInverseDynamics(): Kernel {
  foldedInverse ??= compileFoldedInverseDynamics();
  return foldedInverse;
}

let foldedInverse: Kernel | null = null;

function compileFoldedInverseDynamics(): Kernel {
  const { trace, vectors, links, rates, gravity } = traceArm(true);
  const accelerations = inputs(trace, 'accelerations', JOINT_COUNT);
  const torques = recursiveNewtonEuler(vectors, links, { rates, accelerations, gravity });
  return compileKernel(trace, ['turns', 'rates', 'accelerations', 'last'], torques);
}

function compileGravity(): Kernel {
  const { trace, vectors, links, gravity } = traceArm();
  return compileKernel(trace, ['turns', 'last'], gravityTorques(vectors, links, gravity));
}

function momentumTerms(arm: TracedArm): { readonly momentum: Term[]; readonly beta: Term[] } {
  const { momentum, slope } = generalisedMomenta(arm.vectors, arm.links, arm.rates);
  const weight = gravityTorques(arm.vectors, arm.links, arm.gravity);
  return {
    momentum: momentum.map((term, j) => arm.trace.add(term, rotorPart(arm.trace, j, arm.rates))),
    beta: slope.map((term, i) => arm.trace.subtract(term, weight[i]!)),
  };
}

function compileState(): Kernel {
  const arm = traceArm();
  const { trace, vectors, links, rates, gravity } = arm;
  const none = rates.map(() => trace.zero);
  const bias = recursiveNewtonEuler(vectors, links, { rates, accelerations: none, gravity });
  const { momentum, beta } = momentumTerms(arm);
  const inertia = compositeRigidBodyInertia(vectors, links);
  for (let j = 0; j < JOINT_COUNT; j++) {
    const diagonal = (j * (j + 3)) / 2;
    inertia[diagonal] = trace.add(inertia[diagonal]!, trace.constant(DRIVE.armature_kg_m2[j]!));
  }
  const outputs = [...inertia, ...bias, ...momentum, ...beta];
  return compileKernel(trace, ['turns', 'rates', 'last'], outputs);
}

function compileSolve(): Kernel {
  const trace = new Trace();
  const triangle = inputs(trace, 'triangle', TRIANGLE_SIZE);
  const right = inputs(trace, 'right', JOINT_COUNT);
  const x = solveSymmetric(new VectorTrace(trace), triangle, right);
  return compileKernel(trace, ['triangle', 'right'], x);
}

/** Generates all kernels; takes 20 to 40 ms. */
export function generateKernels(): Kernels {
  return {
    inverse: compileInverseDynamics(),
    gravity: compileGravity(),
    state: compileState(),
    solve: compileSolve(),
  };
}

let arm: Kernels | null = null;

/** The kernels of the arm, generated at the first call and shared by all plants of the process. */
export function armKernels(): Kernels {
  arm ??= generateKernels();
  return arm;
}

export class InverseDynamics {
  private readonly kernels: Kernels;
  private readonly sinCos = new Float64Array(12);
  /** Ten numbers of link 6 with its payload (inertia.ts). */
  readonly lastLink = new Float64Array(INERTIA_SIZE);

  constructor(payload_kg = 0, kernels: Kernels = armKernels()) {
    this.kernels = kernels;
    this.setPayload(payload_kg);
  }

  /** Payload at the flange (kg), as a ball. */
  setPayload(payload_kg: number): void {
    writeLastLinkInertia(ballLoad(payload_kg), this.lastLink);
  }

  /**
   * Writes the torques (N m) for joint angles `q` (rad), rates (rad/s) and accelerations (rad/s²),
   * including gravity and armature, without friction. No allocation.
   */
  torque(q: Numbers, motion: JointMotion, out: Float64Array): void {
    writeSinCos(q, this.sinCos);
    this.kernels.inverse(this.sinCos, motion.rates, motion.accelerations, this.lastLink, out);
  }

  /** Writes the gravity compensation torques (N m) at `q`. No allocation. */
  gravity(q: Numbers, out: Float64Array): void {
    writeSinCos(q, this.sinCos);
    this.kernels.gravity(this.sinCos, this.lastLink, out);
  }
}

/** Joint rates (rad/s) and accelerations (rad/s²). */
export interface JointMotion {
  readonly rates: Float64Array;
  readonly accelerations: Float64Array;
}

export class ForwardDynamics {
  private readonly kernels: Kernels;
  /** Sine and cosine of each joint, alternating, at the last `update`. */
  readonly sinCos = new Float64Array(12);
  /** Ten numbers of link 6 with its payload (inertia.ts). */
  readonly lastLink = new Float64Array(INERTIA_SIZE);
  private readonly values = new Float64Array(STATE_SIZE);
  private readonly right = new Float64Array(6);

  /** Joint-space inertia (kg m²), lower triangle by rows, at the last `update`. */
  readonly inertia = this.values.subarray(0, TRIANGLE_SIZE);
  /** Torques (N m) at no acceleration: gravity, centrifugal, Coriolis. */
  readonly bias = this.values.subarray(TRIANGLE_SIZE, TRIANGLE_SIZE + 6);
  /** Generalised momentum (N m s) of each joint. */
  readonly momentum = this.values.subarray(TRIANGLE_SIZE + 6, TRIANGLE_SIZE + 12);
  /** Rate of momentum beside the joint torques (N m): slope of the kinetic energy minus gravity. */
  readonly beta = this.values.subarray(TRIANGLE_SIZE + 12, STATE_SIZE);

  constructor(payload_kg = 0, kernels: Kernels = armKernels()) {
    this.kernels = kernels;
    this.setPayload(payload_kg);
  }

  /** Payload at the flange (kg), as a ball; effective at the next `update`. */
  setPayload(payload_kg: number): void {
    this.setLoad(ballLoad(payload_kg));
  }

  /** Load at the flange; effective at the next `update`. */
  setLoad(load: Load): void {
    writeLastLinkInertia(load, this.lastLink);
  }

  /** Evaluates the dynamics at angles (rad) and rates (rad/s). No allocation. */
  update(q: Numbers, rates: Float64Array): void {
    writeSinCos(q, this.sinCos);
    this.kernels.state(this.sinCos, rates, this.lastLink, this.values);
  }

  /** Writes the gravity compensation torques (N m) at the last `update`. */
  gravity(out: Float64Array): void {
    this.kernels.gravity(this.sinCos, this.lastLink, out);
  }

  /** Writes the torques (N m) that produce `acceleration` (rad/s²) at the last `update`. */
  torque(acceleration: Float64Array, out: Float64Array): void {
    const h = this.inertia;
    for (let i = 0; i < 6; i++) {
      let sum = this.bias[i]!;
      const row = (i * (i + 1)) / 2;
      for (let j = 0; j <= i; j++) sum += h[row + j]! * acceleration[j]!;
      for (let j = i + 1; j < 6; j++) sum += h[(j * (j + 1)) / 2 + i]! * acceleration[j]!;
      out[i] = sum;
    }
  }

  /** Writes the accelerations (rad/s²) that `torque` (N m) produces at the last `update`. */
  acceleration(torque: Float64Array, out: Float64Array): void {
    for (let j = 0; j < 6; j++) this.right[j] = torque[j]! - this.bias[j]!;
    this.kernels.solve(this.inertia, this.right, out);
  }
}
