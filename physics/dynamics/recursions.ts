/**
 * Recursive dynamics algorithms over a chain of revolute joints (Featherstone, Rigid Body Dynamics
 * Algorithms, chapters 5 and 6), in body coordinates over symbolic terms: recursive Newton-Euler
 * (RNEA), composite rigid body (CRBA), generalised momentum and its slope. Links and joints are
 * arguments; no arm data is read.
 */
import type { Term } from './trace.ts';
import type { JointRotation, TermTensor, TermVector, VectorTrace } from './vector-trace.ts';

/** A link as terms: mass, first moment and inertia about its frame's origin. */
export interface TracedLink {
  readonly mass: Term;
  readonly moment: TermVector;
  readonly inertia: TermTensor;
  readonly turn: JointRotation;
  /** Origin of the frame in its parent frame. */
  readonly offset: TermVector;
}

/** Linear part and part about the frame's origin: a force and its moment, or momenta. */
interface Wrench {
  readonly linear: TermVector;
  readonly angular: TermVector;
}

function addWrenches(v: VectorTrace, a: Wrench, b: Wrench): Wrench {
  return { linear: v.add(a.linear, b.linear), angular: v.add(a.angular, b.angular) };
}

/** Transforms a wrench from a link's frame to its parent frame. */
function outwardWrench(v: VectorTrace, link: TracedLink, wrench: Wrench): Wrench {
  const linear = v.outward(link.turn, wrench.linear);
  const angular = v.outward(link.turn, wrench.angular);
  return { linear, angular: v.add(angular, v.cross(link.offset, linear)) };
}

/** Accumulates wrenches from the tip to the base; returns each link's total in its own frame. */
function accumulate(v: VectorTrace, links: readonly TracedLink[], own: Wrench[]): Wrench[] {
  const totals = [...own];
  for (let i = links.length - 1; i > 0; i--) {
    const carried = outwardWrench(v, links[i]!, totals[i]!);
    totals[i - 1] = addWrenches(v, totals[i - 1]!, carried);
  }
  return totals;
}

/** Angular velocity of each link in its own frame. */
function angularVelocities(
  v: VectorTrace,
  links: readonly TracedLink[],
  rates: readonly Term[],
): TermVector[] {
  const result: TermVector[] = [];
  let before: TermVector = v.constant(0, 0, 0);
  links.forEach((link, i) => {
    before = v.add(v.inward(link.turn, before), v.alongAxis(link.turn, rates[i]!));
    result.push(before);
  });
  return result;
}

/** Joint rates and accelerations, and gravity along the base's -z (m/s²). */
export interface TracedMotion {
  readonly rates: readonly Term[];
  readonly accelerations: readonly Term[];
  readonly gravity: Term;
}

/** Joint torques of a motion: recursive Newton-Euler algorithm (RNEA). */
export function recursiveNewtonEuler(
  v: VectorTrace,
  links: readonly TracedLink[],
  motion: TracedMotion,
): Term[] {
  const still = v.constant(0, 0, 0);
  const spins = angularVelocities(v, links, motion.rates);
  let turning: TermVector = still;
  let pull: TermVector = [v.trace.zero, v.trace.zero, motion.gravity];
  const own: Wrench[] = links.map((link, i) => {
    const spinBefore = i > 0 ? spins[i - 1]! : still;
    const swing = v.cross(spinBefore, v.cross(spinBefore, link.offset));
    const moved = v.add(pull, v.add(v.cross(turning, link.offset), swing));
    const axisRate = v.alongAxis(link.turn, motion.rates[i]!);
    const gyration = v.cross(v.inward(link.turn, spinBefore), axisRate);
    const spinUp = v.add(gyration, v.alongAxis(link.turn, motion.accelerations[i]!));
    turning = v.add(v.inward(link.turn, turning), spinUp);
    pull = v.inward(link.turn, moved);
    return linkWrench(v, link, { spin: spins[i]!, turning, pull });
  });
  return accumulate(v, links, own).map((wrench, i) => v.axisPart(links[i]!.turn, wrench.angular));
}

/** Force and moment required by a link's own motion. */
function linkWrench(
  v: VectorTrace,
  link: TracedLink,
  motion: { readonly spin: TermVector; readonly turning: TermVector; readonly pull: TermVector },
): Wrench {
  const { spin, turning, pull } = motion;
  const swing = v.cross(spin, v.cross(spin, link.moment));
  const push = v.add(v.cross(turning, link.moment), swing);
  const gyration = v.cross(spin, v.apply(link.inertia, spin));
  const moment = v.add(v.apply(link.inertia, turning), gyration);
  return {
    linear: v.add(v.scale(link.mass, pull), push),
    angular: v.add(moment, v.cross(link.moment, pull)),
  };
}

/** Composite mass, first moment and inertia of all links from each one to the tip, in its frame. */
function compositeBodies(v: VectorTrace, links: readonly TracedLink[]): TracedLink[] {
  const result = [...links];
  for (let i = links.length - 1; i > 0; i--) {
    const tip = result[i]!;
    const link = result[i - 1]!;
    const moment = v.outward(tip.turn, tip.moment);
    const shift = v.scale(tip.mass, tip.offset);
    result[i - 1] = {
      ...link,
      mass: v.trace.add(link.mass, tip.mass),
      moment: v.add(link.moment, v.add(moment, shift)),
      inertia: v.addTensors(link.inertia, shiftedInertia(v, tip, moment)),
    };
  }
  return result;
}

/** Inertia of a composite about the origin of its parent frame; `moment` is already given there. */
function shiftedInertia(v: VectorTrace, tip: TracedLink, moment: TermVector): TermTensor {
  const t = v.trace;
  const p = tip.offset;
  const two = t.constant(2);
  const spread = t.add(t.multiply(two, v.dot(p, moment)), t.multiply(tip.mass, v.dot(p, p)));
  const product = (i: 0 | 1 | 2, j: 0 | 1 | 2): Term => {
    const mixed = t.add(t.multiply(p[i], moment[j]), t.multiply(moment[i], p[j]));
    return t.add(mixed, t.multiply(tip.mass, t.multiply(p[i], p[j])));
  };
  const steiner: TermTensor = [
    t.subtract(spread, product(0, 0)),
    t.subtract(spread, product(1, 1)),
    t.subtract(spread, product(2, 2)),
    t.negate(product(0, 1)),
    t.negate(product(0, 2)),
    t.negate(product(1, 2)),
  ];
  return v.addTensors(v.outwardTensor(tip.turn, tip.inertia), steiner);
}

/** Joint-space inertia, lower triangle by rows: composite rigid body algorithm (CRBA). */
export function compositeRigidBodyInertia(v: VectorTrace, links: readonly TracedLink[]): Term[] {
  const whole = compositeBodies(v, links);
  const triangle: Term[] = [];
  for (let j = 0; j < links.length; j++) {
    const axis = v.alongAxis(links[j]!.turn, v.trace.constant(1));
    let wrench: Wrench = {
      linear: v.cross(axis, whole[j]!.moment),
      angular: v.apply(whole[j]!.inertia, axis),
    };
    const row: Term[] = [];
    for (let i = j; i >= 0; i--) {
      row.unshift(v.axisPart(links[i]!.turn, wrench.angular));
      if (i > 0) wrench = outwardWrench(v, links[i]!, wrench);
    }
    triangle.push(...row);
  }
  return triangle;
}

/** Gravity compensation torques (slope of the potential energy). */
export function gravityTorques(
  v: VectorTrace,
  links: readonly TracedLink[],
  gravity: Term,
): Term[] {
  const whole = compositeBodies(v, links);
  let pull: TermVector = [v.trace.zero, v.trace.zero, gravity];
  return links.map((link, i) => {
    pull = v.inward(link.turn, pull);
    return v.axisPart(link.turn, v.cross(whole[i]!.moment, pull));
  });
}

/** Generalised momentum of each joint and the slope of the kinetic energy by its angle. */
export function generalisedMomenta(
  v: VectorTrace,
  links: readonly TracedLink[],
  rates: readonly Term[],
): { readonly momentum: Term[]; readonly slope: Term[] } {
  const spins = angularVelocities(v, links, rates);
  const still = v.constant(0, 0, 0);
  const travels: TermVector[] = [];
  const own: Wrench[] = links.map((link, i) => {
    const spinBefore = i > 0 ? spins[i - 1]! : still;
    const travelBefore = i > 0 ? travels[i - 1]! : still;
    const travel = v.inward(link.turn, v.add(travelBefore, v.cross(spinBefore, link.offset)));
    travels.push(travel);
    return {
      linear: v.add(v.scale(link.mass, travel), v.cross(spins[i]!, link.moment)),
      angular: v.add(v.apply(link.inertia, spins[i]!), v.cross(link.moment, travel)),
    };
  });
  const totals = accumulate(v, links, own);
  const slope = totals.map((total, i) => {
    const turned = v.cross(spins[i]!, total.angular);
    const carried = v.cross(travels[i]!, total.linear);
    return v.trace.negate(v.axisPart(links[i]!.turn, v.add(turned, carried)));
  });
  const momentum = totals.map((total, i) => v.axisPart(links[i]!.turn, total.angular));
  return { momentum, slope };
}

/** Solves H x = b for the lower triangle of a symmetric positive definite H (LDLᵀ). */
export function solveSymmetric(
  v: VectorTrace,
  triangle: readonly Term[],
  b: readonly Term[],
): Term[] {
  const t = v.trace;
  const n = b.length;
  const at = (i: number, j: number): Term => triangle[(i * (i + 1)) / 2 + j]!;
  const unit: Term[][] = [];
  const inverse: Term[] = [];
  const x: Term[] = [];
  for (let i = 0; i < n; i++) {
    const scaled: Term[] = [];
    unit.push([]);
    for (let j = 0; j < i; j++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum = t.subtract(sum, t.multiply(scaled[k]!, unit[j]![k]!));
      scaled.push(sum);
      unit[i]!.push(t.multiply(sum, inverse[j]!));
    }
    let pivot = at(i, i);
    let y = b[i]!;
    for (let k = 0; k < i; k++) {
      pivot = t.subtract(pivot, t.multiply(scaled[k]!, unit[i]![k]!));
      y = t.subtract(y, t.multiply(unit[i]![k]!, x[k]!));
    }
    inverse.push(t.divide(t.constant(1), pivot));
    x.push(y);
  }
  for (let i = n - 1; i >= 0; i--) {
    let value = t.multiply(x[i]!, inverse[i]!);
    for (let k = i + 1; k < n; k++) value = t.subtract(value, t.multiply(unit[k]![i]!, x[k]!));
    x[i] = value;
  }
  return x;
}
