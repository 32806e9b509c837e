/** Cases: contact detection of an arm of servos by its currents, and free motions without one. */
import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { createPrng } from '../physics/math/prng.ts';
import { stationarySetpoint } from './arm-driver.cases.ts';
import { type DetectionSensitivity, type Setpoint, TICK_S } from './arm-driver.ts';
import { createServoFixture, holdFor, passTick, type ServoFixture } from './servo-arm.cases.ts';

const RATE_RAD_S = 1.2;
/** Peak rate of a fifth-degree polynomial over its average. */
const PEAK = 1.875;

/** Moves from where the arm is to `target_rad`; returns the last feedback. */
export async function moveTo(
  fixture: ServoFixture,
  target_rad: readonly number[],
  options: { readonly detection: DetectionSensitivity; readonly onTick?: (t_s: number) => void },
) {
  const base = Array.from(fixture.link.samples.position_rad);
  const distance = Math.max(...target_rad.map((angle, j) => Math.abs(angle - base[j]!)));
  const duration_s = (PEAK * distance) / RATE_RAD_S;
  const setpoint: Setpoint = { ...stationarySetpoint('hold'), ...options, mode: 'follow' };
  let feedback = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S);
  for (let t_s = 0; t_s < duration_s + 0.3; t_s += TICK_S) {
    for (let i = 0; i < setpoint.samples.length; i++) {
      const u = Math.min(1, Math.max(0, (t_s + (Math.floor(i / 6) - 1) * 0.001) / duration_s));
      const share = u * u * u * (10 + u * (6 * u - 15));
      setpoint.samples[i] = base[i % 6]! + share * (target_rad[i % 6]! - base[i % 6]!);
    }
    options.onTick?.(t_s);
    feedback = fixture.arm.exchange(setpoint, TICK_S);
    if (feedback.fault || feedback.contact) return feedback;
    await passTick(fixture);
  }
  return feedback;
}

async function started(start: readonly number[]) {
  const fixture = await createServoFixture({ start, supported: true });
  await fixture.clock.until(fixture.arm.start());
  await holdFor(fixture, 250);
  return fixture;
}

/** The greatest torque on a joint (N m) that meets an obstacle in mid-motion. */
async function contactTorque(joint: number, detection: DetectionSensitivity): Promise<number> {
  const fixture = await started([0, 0, 0, 0, 0, 0]);
  const { plant } = fixture.emulator;
  const target = Array.from({ length: 6 }, (_, j) => (j === joint ? 0.6 : 0));
  let peak_n_m = 0;
  const feedback = await moveTo(fixture, target, {
    detection,
    onTick: (t_s) => {
      if (t_s > 0.45) plant.blocked.add(joint);
      const torque_n_m = Math.abs(plant.torque_n_m[joint]!);
      if (plant.blocked.has(joint)) peak_n_m = Math.max(peak_n_m, torque_n_m);
    },
  });
  expect(feedback.fault).toBeNull();
  expect(feedback.contact).toMatchObject({ joint });
  plant.blocked.clear();
  await fixture.close();
  return peak_n_m;
}

/** Defines the cases with `moves` free motions per sensitivity. */
export function contactCases(moves: number): void {
  describe('contact detection on servos with factory gains', () => {
    it.each([0, 1, 2])('joint %i pushes harder at lower sensitivity', async (joint) => {
      const [high, medium, low] = [
        await contactTorque(joint, 'high'),
        await contactTorque(joint, 'medium'),
        await contactTorque(joint, 'low'),
      ];
      expect(high).toBeLessThan(medium);
      expect(medium).toBeLessThan(low);
      expect(low).toBeLessThan(40);
    });

    it('does not take free motions for contacts at high sensitivity', async () => {
      const random = createPrng(19);
      for (let i = 0; i < moves; i++) {
        const pose = () =>
          [0, 0.4, -1.4, 0, -1, 0].map((angle, j) => {
            const somewhere = angle + (random() - 0.5) * (j < 3 ? 1 : 2);
            return Math.min(JOINT_MAX_RAD[j]! - 0.1, Math.max(JOINT_MIN_RAD[j]! + 0.1, somewhere));
          });
        const fixture = await started(pose());
        const feedback = await moveTo(fixture, pose(), { detection: 'high' });
        expect([feedback.fault, feedback.contact]).toEqual([null, null]);
        await fixture.close();
      }
    });
  });
}
