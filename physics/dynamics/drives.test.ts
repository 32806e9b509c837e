import { describe, expect, it } from 'vitest';
import { DRIVE, END_STOP_MAX_RAD, END_STOP_MIN_RAD, THERMAL } from '../arm/arm-model.ts';
import { CONTACT_THRESHOLDS_N_M } from './contact-sensitivity.ts';
import { addEndStopTorques, limitTorques, servoAcceleration } from './drives.ts';
import { frictionTorque, writeFrictionTorques } from './friction.ts';
import { MomentumObserver, OBSERVER } from './momentum-observer.ts';
import { PLANT_STEP_S } from './plant-step.ts';
import { DRIVE_HEAT, DriveThermalModel } from './thermal-model.ts';

const six = (value: number): Float64Array => new Float64Array(6).fill(value);

describe('the servo', () => {
  it('follows a reference exactly over the discrete step', () => {
    const samples = Float64Array.from(
      { length: 18 },
      (_, i) => (Math.floor(i / 6) ** 2 + 1) * 1e-3,
    );
    const state = { position: six(2e-3), velocity: six(1) };
    const out = new Float64Array(6);
    servoAcceleration(samples, 1, state, out);
    for (let j = 0; j < 6; j++) {
      const rate = state.velocity[j]! + PLANT_STEP_S * out[j]!;
      expect(state.position[j]! + PLANT_STEP_S * rate).toBeCloseTo(samples[12 + j]!, 15);
    }
  });

  it('returns a deviating joint without overshoot', () => {
    const samples = new Float64Array(18);
    const state = { position: six(0.01), velocity: six(0) };
    const out = new Float64Array(6);
    for (let i = 0; i < 200; i++) {
      servoAcceleration(samples, 1, state, out);
      state.velocity[0]! += PLANT_STEP_S * out[0]!;
      state.position[0]! += PLANT_STEP_S * state.velocity[0]!;
      expect(state.position[0]!).toBeGreaterThan(-1e-9);
    }
    expect(state.position[0]!).toBeLessThan(1e-8);
  });
});

describe('friction and limits of a drive', () => {
  it('opposes the motion, by the Coulomb part and the viscous one', () => {
    expect(frictionTorque(0, 0)).toBe(0);
    expect(frictionTorque(2, -0.7)).toBe(-frictionTorque(2, 0.7));
    const expected = DRIVE.coulomb_n_m[1]! + 2 * DRIVE.viscous_n_m_s[1]!;
    expect(frictionTorque(1, 2)).toBeCloseTo(expected, 3);
  });

  it('is equal for all joints in one call', () => {
    const out = new Float64Array(6);
    const rates = Float64Array.of(1, -0.5, 0, 0.01, 2, -2);
    writeFrictionTorques(rates, out);
    expect(Array.from(out)).toEqual(Array.from(rates, (rate, j) => frictionTorque(j, rate)));
  });

  it('clamps torques to their limits', () => {
    const torques = Float64Array.of(100, -100, 5, 1.25, -0.1, -9);
    limitTorques(torques);
    const [first, second, , , , last] = DRIVE.torque_max_n_m;
    expect(Array.from(torques)).toEqual([first, -second!, 5, 1.25, -0.1, -last!]);
  });

  it('pushes back only beyond an end stop', () => {
    const stop = END_STOP_MAX_RAD[2]!;
    const push = (angle: number, rate: number): number => {
      const state = { position: six(0), velocity: six(0) };
      state.position[2] = angle;
      state.velocity[2] = rate;
      const torques = new Float64Array(6);
      addEndStopTorques(state, torques);
      return torques[2]!;
    };
    expect(push(stop - 1e-9, 2)).toBe(0);
    expect(push(stop + 0.01, 0)).toBeLessThan(-1);
    expect(push(stop + 0.001, -100)).toBe(0);
    expect(push(END_STOP_MIN_RAD[2]! - 0.01, 0)).toBeGreaterThan(1);
  });
});

describe('the momentum observer', () => {
  /** A free body of one axis: momentum, no beta. */
  function observe(outside_n_m: number, steps: number): Float64Array {
    const observer = new MomentumObserver(OBSERVER.create());
    const step = { momentum: new Float64Array(6), beta: new Float64Array(6) };
    observer.reset(step);
    observer.drive.fill(3);
    for (let i = 0; i < steps; i++) {
      for (let j = 0; j < 6; j++) step.momentum[j]! += (3 + outside_n_m) * PLANT_STEP_S;
      observer.update(step);
    }
    return observer.residual;
  }

  it('has no residual where the motors explain the motion', () => {
    expect(Math.abs(observe(0, 500)[0]!)).toBeLessThan(1e-12);
  });

  it('finds an external torque with a time constant of 2.5 ms', () => {
    expect(observe(2, 5)[0]!).toBeCloseTo(2 * (1 - 0.6 ** 5), 2);
    expect(observe(2, 60)[3]!).toBeCloseTo(2, 4);
  });

  it('has thresholds that grow as the sensitivity falls', () => {
    for (let j = 0; j < 6; j++) {
      expect(CONTACT_THRESHOLDS_N_M.high[j]!).toBeLessThan(CONTACT_THRESHOLDS_N_M.medium[j]!);
      expect(CONTACT_THRESHOLDS_N_M.medium[j]!).toBeLessThan(CONTACT_THRESHOLDS_N_M.low[j]!);
    }
  });
});

describe('the heat of the drives', () => {
  const warm = (torque: number, seconds: number): DriveThermalModel => {
    const heat = new DriveThermalModel(DRIVE_HEAT.create());
    for (let i = 0; i < seconds * 1000; i++) heat.add(six(torque), six(0));
    return heat;
  };

  it('stays at its idle temperature without load', () => {
    expect(Array.from(warm(0, 10).temperature)).toEqual(THERMAL.idle_c);
  });

  it('rises towards R_th times the losses', () => {
    const heat = warm(5, 1200);
    const rise = THERMAL.resistance_w_per_n2m2[3]! * 25 * THERMAL.winding_k_per_w[3]!;
    const share = 1 - Math.exp(-1200 / (THERMAL.winding_k_per_w[3]! * 260));
    expect(heat.temperature[3]! - THERMAL.idle_c[3]!).toBeCloseTo(rise * share, 6);
  });

  it('cools in one closed form as in many steps', () => {
    const [stepped, closed] = [warm(8, 60), warm(8, 60)];
    for (let i = 0; i < 90_000; i++) stepped.add(six(0), six(0));
    closed.coolFor(90);
    for (let j = 0; j < 6; j++) {
      expect(closed.temperature[j]!).toBeCloseTo(stepped.temperature[j]!, 9);
    }
  });
});
