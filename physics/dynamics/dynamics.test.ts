import { describe, expect, it } from 'vitest';
import { armKernels, generateKernels } from './arm-kernels.ts';
import { ForwardDynamics } from './forward-dynamics.ts';
import { leavesNothing } from './heap.cases.ts';
import { InverseDynamics } from './inverse-dynamics.ts';
import { compileKernel, interpretKernel } from './kernel.ts';
import { randomStates } from './states.cases.ts';
import { Trace } from './trace.ts';

const SEED = 77;
const note = `seed ${SEED}`;

function kineticEnergy(q: ArrayLike<number>, rates: Float64Array): number {
  const arm = new ForwardDynamics(0.9);
  arm.update(q, rates);
  return rates.reduce((sum, rate, j) => sum + 0.5 * rate * arm.momentum[j]!, 0);
}

describe('traced dynamics', () => {
  const arm = new ForwardDynamics(0.9);
  const inverse = new InverseDynamics(0.9);
  const out = new Float64Array(6);
  const other = new Float64Array(6);

  it('inverts itself: forward dynamics of inverse dynamics', () => {
    for (const { q, rates, accelerations } of randomStates(SEED, 300)) {
      inverse.torque(q, { rates, accelerations }, out);
      arm.update(q, rates);
      arm.torque(accelerations, other);
      out.forEach((torque, j) => {
        expect(Math.abs(torque - other[j]!), note).toBeLessThan(1e-11);
      });
      arm.acceleration(out, other);
      other.forEach((value, j) => {
        expect(Math.abs(value - accelerations[j]!), note).toBeLessThan(1e-9);
      });
    }
  });

  it('gives the momentum as inertia times rates', () => {
    for (const { q, rates } of randomStates(SEED, 100)) {
      arm.update(q, rates);
      for (let i = 0; i < 6; i++) {
        let sum = 0;
        for (let j = 0; j < 6; j++) {
          const [row, column] = i > j ? [i, j] : [j, i];
          sum += arm.inertia[(row * (row + 1)) / 2 + column]! * rates[j]!;
        }
        expect(Math.abs(sum - arm.momentum[i]!), note).toBeLessThan(1e-12);
      }
    }
  });

  it('gives beta as the slope of the kinetic energy minus gravity', () => {
    for (const { q, rates } of randomStates(SEED, 30)) {
      inverse.gravity(q, out);
      arm.update(q, rates);
      for (let j = 0; j < 6; j++) {
        const [up, down] = [Float64Array.from(q), Float64Array.from(q)];
        up[j]! += 1e-5;
        down[j]! -= 1e-5;
        const slope = (kineticEnergy(up, rates) - kineticEnergy(down, rates)) / 2e-5;
        expect(Math.abs(slope - out[j]! - arm.beta[j]!), note).toBeLessThan(1e-7);
      }
    }
  });

  it('conserves the energy of a free arm: bias works only against gravity', () => {
    for (const { q, rates } of randomStates(SEED, 50)) {
      const none = new Float64Array(6);
      arm.update(q, rates);
      arm.acceleration(none, out);
      inverse.gravity(q, other);
      const step = 1e-6;
      const moved = q.map((angle, j) => angle + step * rates[j]!);
      const faster = rates.map((rate, j) => rate + step * out[j]!);
      const gained = (kineticEnergy(moved, faster) - kineticEnergy(q, rates)) / step;
      const fallen = rates.reduce((sum, rate, j) => sum - rate * other[j]!, 0);
      expect(Math.abs(gained - fallen), note).toBeLessThan(2e-3);
    }
  });

  it('carries a payload: no torque upright, its weight when stretched', () => {
    const stretched = [0, -Math.PI / 2, 0, 0, 0, 0];
    new InverseDynamics(0).gravity(stretched, out);
    new InverseDynamics(1).gravity(stretched, other);
    const lever_m = 0.205 + 0.09401 + 0.1966 + 0.0741 + 0.02539 + 0.03;
    expect(Math.abs(Math.abs(other[1]! - out[1]!) - 9.81 * lever_m)).toBeLessThan(1e-12);
  });

  it('has the same source text each time', () => {
    const again = generateKernels();
    for (const name of ['inverse', 'gravity', 'state', 'solve'] as const) {
      expect(again[name].toString()).toBe(armKernels()[name].toString());
    }
  });

  it('evaluates without allocation', () => {
    const [state] = [...randomStates(SEED, 1)];
    const turn = (): void => {
      arm.update(state!.q, state!.rates);
      arm.torque(state!.accelerations, out);
      arm.acceleration(out, other);
    };
    const turns = (): void => {
      for (let i = 0; i < 20_000; i++) turn();
    };
    expect(leavesNothing(turns)).toBe(true);
  });
});

describe('the trace', () => {
  it('folds constants and shares equal terms', () => {
    const trace = new Trace();
    const x = trace.input('x', 0);
    const two = trace.constant(2);
    expect(trace.multiply(trace.constant(0), x)).toBe(trace.zero);
    expect(trace.add(x, trace.multiply(two, trace.constant(-0)))).toBe(x);
    expect(trace.multiply(x, two)).toBe(trace.multiply(two, x));
    expect(trace.negate(trace.negate(x))).toBe(x);
    expect(trace.subtract(x, x)).toBe(trace.zero);
  });

  it('gives the same bits interpreted, as in a browser, where compiling is forbidden', () => {
    const trace = new Trace();
    const [a, b, c] = [trace.input('x', 0), trace.input('x', 1), trace.input('y', 0)];
    const sum = trace.add(trace.multiply(a, b), trace.divide(c, trace.subtract(a, c)));
    const outputs = [sum, trace.negate(sum), trace.multiply(sum, trace.constant(0.1)), a];
    const [one, other] = [compileKernel, interpretKernel].map((make) =>
      make(trace, ['x', 'y'], outputs),
    );
    for (const { q } of randomStates(SEED, 50)) {
      const [compiled, interpreted] = [new Float64Array(4), new Float64Array(4)];
      one!(q, q.slice(2), compiled);
      other!(q, q.slice(2), interpreted);
      expect(Array.from(interpreted), note).toEqual(Array.from(compiled));
    }
  });

  it('compiles to a function that may write over its input', () => {
    const trace = new Trace();
    const [a, b] = [trace.input('x', 0), trace.input('x', 1)];
    const swap = compileKernel(trace, ['x'], [b, trace.negate(trace.divide(a, b))]);
    const x = Float64Array.of(6, -3);
    swap(x, x);
    expect(Array.from(x)).toEqual([-3, 2]);
  });
});
