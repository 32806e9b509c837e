import { JOINT_COUNT } from '../../physics/arm/arm-model.ts';
import type { Capture } from './capture.ts';

/** One sample of the six joints. */
export interface JointSample {
  readonly q: ArrayLike<number>;
  readonly rates: ArrayLike<number>;
  readonly torque?: ArrayLike<number> | undefined;
}

/** Growing columns of samples. */
export class Samples {
  readonly times: number[] = [];
  readonly q: number[] = [];
  readonly rates: number[] = [];
  readonly torque: number[] = [];

  /** Adds a sample; all of a capture have torques, or none. */
  add(t_s: number, { q, rates, torque }: JointSample): void {
    this.times.push(t_s);
    for (let j = 0; j < JOINT_COUNT; j++) {
      this.q.push(q[j]!);
      this.rates.push(rates[j]!);
      if (torque) this.torque.push(torque[j]!);
    }
  }

  columns(): Pick<Capture, 't_s' | 'q' | 'rates' | 'torque'> {
    const hasTorque = this.torque.length === this.q.length && this.q.length > 0;
    return {
      t_s: Float64Array.from(this.times),
      q: Float64Array.from(this.q),
      rates: Float64Array.from(this.rates),
      torque: hasTorque ? Float64Array.from(this.torque) : null,
    };
  }
}
