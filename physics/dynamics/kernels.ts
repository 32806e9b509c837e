/**
 * The arm's dynamics as straight-line functions, made once a process from the recursions with
 * every mass and offset folded in. Sines and cosines of the joints come as an argument (sin and
 * cos alternating), so that one plant step computes them once; link 6 with its payload is a
 * run-time vector of ten numbers (inertia.ts).
 */
import { JOINT_COUNT, OFFSETS_M, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { sincos, trig } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { emitKernel, type Kernel } from './emit.ts';
import { type Term, Trace } from './expression.ts';
import { INERTIA_SIZE, type InertiaOptions, writeLink } from './inertia.ts';
import {
  gravityTorques,
  inverseDynamics,
  jointInertia,
  momenta,
  solveSymmetric,
  type TracedLink,
} from './recursions.ts';
import { VectorTrace } from './vector-trace.ts';

/** Acceleration of gravity (m/s²). */
export const GRAVITY_M_S2 = 9.81;
/** Numbers of a lower triangle of six rows. */
export const TRIANGLE_SIZE = (JOINT_COUNT * (JOINT_COUNT + 1)) / 2;
/** Numbers that `state` writes: triangle of H, then bias, momentum and beta of each joint. */
export const STATE_SIZE = TRIANGLE_SIZE + 3 * JOINT_COUNT;

export interface Kernels {
  /** (turns, rates, accelerations, last, out): joint torques, gravity included. */
  readonly inverse: Kernel;
  /** (turns, last, out): torques that hold the arm against gravity. */
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
export function writeTurns(q: Numbers, turns: Float64Array): void {
  for (let j = 0; j < JOINT_COUNT; j++) {
    sincos(q[j]!);
    turns[2 * j] = trig.sin;
    turns[2 * j + 1] = trig.cos;
  }
}

function inputs(trace: Trace, array: string, count: number): Term[] {
  return Array.from({ length: count }, (_, i) => trace.input(array, i));
}

/** The arm's links as terms: constants but for the last, whose numbers are read at run time. */
function traceLinks(trace: Trace, options: InertiaOptions): TracedLink[] {
  const numbers = new Float64Array(INERTIA_SIZE);
  return OFFSETS_M.map((offset, joint) => {
    writeLink(joint, options, numbers);
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

interface Arm {
  readonly trace: Trace;
  readonly vectors: VectorTrace;
  readonly links: TracedLink[];
  readonly rates: Term[];
  readonly gravity: Term;
}

function traceArm(options: InertiaOptions): Arm {
  const trace = new Trace();
  return {
    trace,
    vectors: new VectorTrace(trace),
    links: traceLinks(trace, options),
    rates: inputs(trace, 'rates', JOINT_COUNT),
    gravity: trace.constant(GRAVITY_M_S2),
  };
}

function makeInverse(options: InertiaOptions): Kernel {
  const { trace, vectors, links, rates, gravity } = traceArm(options);
  const accelerations = inputs(trace, 'accelerations', JOINT_COUNT);
  const torques = inverseDynamics(vectors, links, { rates, accelerations, gravity });
  return emitKernel(trace, ['turns', 'rates', 'accelerations', 'last'], torques);
}

function makeGravity(options: InertiaOptions): Kernel {
  const { trace, vectors, links, gravity } = traceArm(options);
  return emitKernel(trace, ['turns', 'last'], gravityTorques(vectors, links, gravity));
}

function momentumTerms(arm: Arm): { readonly momentum: Term[]; readonly beta: Term[] } {
  const { momentum, slope } = momenta(arm.vectors, arm.links, arm.rates);
  const weight = gravityTorques(arm.vectors, arm.links, arm.gravity);
  return { momentum, beta: slope.map((term, i) => arm.trace.subtract(term, weight[i]!)) };
}

function makeState(options: InertiaOptions): Kernel {
  const arm = traceArm(options);
  const { trace, vectors, links, rates, gravity } = arm;
  const none = rates.map(() => trace.zero);
  const bias = inverseDynamics(vectors, links, { rates, accelerations: none, gravity });
  const { momentum, beta } = momentumTerms(arm);
  const outputs = [...jointInertia(vectors, links), ...bias, ...momentum, ...beta];
  return emitKernel(trace, ['turns', 'rates', 'last'], outputs);
}

function makeSolve(): Kernel {
  const trace = new Trace();
  const triangle = inputs(trace, 'triangle', TRIANGLE_SIZE);
  const right = inputs(trace, 'right', JOINT_COUNT);
  const x = solveSymmetric(new VectorTrace(trace), triangle, right);
  return emitKernel(trace, ['triangle', 'right'], x);
}

/** Makes all kernels anew; 20 to 40 ms. */
export function generateKernels(options: InertiaOptions): Kernels {
  return {
    inverse: makeInverse(options),
    gravity: makeGravity(options),
    state: makeState(options),
    solve: makeSolve(),
  };
}

let arm: Kernels | null = null;

/** The arm's kernels, made at the first call and shared by all plants of the process. */
export function armKernels(): Kernels {
  arm ??= generateKernels({ armature: true });
  return arm;
}
