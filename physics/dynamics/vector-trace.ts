/**
 * Vectors, rotations about a joint axis and symmetric tensors over symbolic terms, the algebra of
 * the dynamics recursions. A joint turns about z or y of its frame (arm-model.ts).
 */
import type { Term, Trace } from './trace.ts';

export type TermVector = readonly [Term, Term, Term];

/** Symmetric tensor as xx, yy, zz, xy, xz, yz. */
export type TermTensor = readonly [Term, Term, Term, Term, Term, Term];

/** Sine and cosine of an angle of the chain, about +z or -y, and the joint's axis. */
export interface JointRotation {
  readonly sin: Term;
  readonly cos: Term;
  readonly aboutZ: boolean;
  /** Whether the joint's angle grows against that of the chain. */
  readonly isReversed: boolean;
}

/** Vector algebra over one trace. */
export class VectorTrace {
  readonly trace: Trace;

  constructor(trace: Trace) {
    this.trace = trace;
  }

  constant(x: number, y: number, z: number): TermVector {
    return [this.trace.constant(x), this.trace.constant(y), this.trace.constant(z)];
  }

  add(a: TermVector, b: TermVector): TermVector {
    const t = this.trace;
    return [t.add(a[0], b[0]), t.add(a[1], b[1]), t.add(a[2], b[2])];
  }

  scale(factor: Term, a: TermVector): TermVector {
    const t = this.trace;
    return [t.multiply(factor, a[0]), t.multiply(factor, a[1]), t.multiply(factor, a[2])];
  }

  dot(a: TermVector, b: TermVector): Term {
    const t = this.trace;
    const xy = t.add(t.multiply(a[0], b[0]), t.multiply(a[1], b[1]));
    return t.add(xy, t.multiply(a[2], b[2]));
  }

  cross(a: TermVector, b: TermVector): TermVector {
    return [
      this.minor(a[1], b[2], a[2], b[1]),
      this.minor(a[2], b[0], a[0], b[2]),
      this.minor(a[0], b[1], a[1], b[0]),
    ];
  }

  /** a b - c d. */
  private minor(a: Term, b: Term, c: Term, d: Term): Term {
    return this.trace.subtract(this.trace.multiply(a, b), this.trace.multiply(c, d));
  }

  /** The joint's axis times `factor`, in its own frame. */
  alongAxis(turn: JointRotation, factor: Term): TermVector {
    const zero = this.trace.zero;
    const { aboutZ, isReversed } = turn;
    const along = aboutZ === isReversed ? this.trace.negate(factor) : factor;
    return aboutZ ? [zero, zero, along] : [zero, along, zero];
  }

  /** Component of `a` along the joint's axis. */
  axisPart(turn: JointRotation, a: TermVector): Term {
    const { aboutZ, isReversed } = turn;
    const part = aboutZ ? a[2] : a[1];
    return aboutZ === isReversed ? this.trace.negate(part) : part;
  }

  /** (c a - s b, s a + c b). */
  private turned(turn: JointRotation, a: Term, b: Term): [Term, Term] {
    const t = this.trace;
    return [
      t.subtract(t.multiply(turn.cos, a), t.multiply(turn.sin, b)),
      t.add(t.multiply(turn.sin, a), t.multiply(turn.cos, b)),
    ];
  }

  /** From the joint's frame to the frame before it. */
  outward(turn: JointRotation, a: TermVector): TermVector {
    if (turn.aboutZ) {
      const [x, y] = this.turned(turn, a[0], a[1]);
      return [x, y, a[2]];
    }
    const [x, z] = this.turned(turn, a[0], a[2]);
    return [x, a[1], z];
  }

  /** From the frame before the joint into the joint's frame. */
  inward(turn: JointRotation, a: TermVector): TermVector {
    return this.outward({ ...turn, sin: this.trace.negate(turn.sin) }, a);
  }

  /** Tensor times vector. */
  apply(tensor: TermTensor, a: TermVector): TermVector {
    const [xx, yy, zz, xy, xz, yz] = tensor;
    return [this.dot([xx, xy, xz], a), this.dot([xy, yy, yz], a), this.dot([xz, yz, zz], a)];
  }

  addTensors(a: TermTensor, b: TermTensor): TermTensor {
    return a.map((term, i) => this.trace.add(term, b[i]!)) as [Term, Term, Term, Term, Term, Term];
  }

  /** A tensor of the joint's frame in the frame before it. */
  outwardTensor(turn: JointRotation, tensor: TermTensor): TermTensor {
    const t = this.trace;
    const [xx, yy, zz, xy, xz, yz] = tensor;
    const [a, b, off] = turn.aboutZ ? [xx, yy, xy] : [xx, zz, xz];
    const [u, w] = this.turned(turn, a, off);
    const [v, z] = this.turned(turn, off, b);
    const first = t.subtract(t.multiply(turn.cos, u), t.multiply(turn.sin, v));
    const second = t.add(t.multiply(turn.sin, w), t.multiply(turn.cos, z));
    const mixed = t.add(t.multiply(turn.sin, u), t.multiply(turn.cos, v));
    if (turn.aboutZ) {
      const [newXz, newYz] = this.turned(turn, xz, yz);
      return [first, second, zz, mixed, newXz, newYz];
    }
    const [newXy, newYz] = this.turned(turn, xy, yz);
    return [first, yy, second, newXy, mixed, newYz];
  }
}
