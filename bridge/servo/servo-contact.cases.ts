/** Cases: contact detection of an arm of servos by its currents, and free motions without one. */

import { describe, expect, it } from 'vitest';
import {
  ACCELERATION_MAX_RAD_S2,
  DRIVE,
  JERK_MAX_RAD_S3,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  PAYLOAD_MAX_KG as PAYLOAD_KG,
  VELOCITY_MAX_RAD_S,
} from '../../physics/arm/arm-model.ts';
import { InverseDynamics } from '../../physics/dynamics/inverse-dynamics.ts';
import { createPrng } from '../../physics/math/prng.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { type DetectionSensitivity, type Setpoint, TICK_S } from '../arm-driver.ts';
import {
  type ArmFixture,
  CURRENT_BASED,
  FAMILIES,
  passTick,
  UPRIGHT_RAD,
} from './servo-arm.cases.ts';
import type { ServoPlant } from './servo-plant.ts';

type CreateArm = (typeof FAMILIES)[number]['create'];

/** The limits of planned motion: rate, acceleration and jerk (rad/s, rad/s², rad/s³). */
const RATE = VELOCITY_MAX_RAD_S[0]!;
const [ACCELERATION, JERK] = [ACCELERATION_MAX_RAD_S2[0]!, JERK_MAX_RAD_S3[0]!];
/** Peaks of a fifth-degree polynomial over its distance, by powers of its duration. */
const PEAKS = [1.875, 5.7735, 60] as const;
/** The shortest smooth motion over a distance (rad) within a rate and the limits (s). */
function durationOf(distance_rad: number, rate_rad_s: number): number {
  const [rate, acceleration, jerk] = PEAKS;
  return Math.max(
    (rate * distance_rad) / rate_rad_s,
    Math.sqrt((acceleration * distance_rad) / ACCELERATION),
    Math.cbrt((jerk * distance_rad) / JERK),
  );
}

interface Motion {
  readonly target_rad: readonly number[];
  readonly detection: Setpoint['detection'];
  readonly rate_rad_s: number;
  /** Called before each tick with the share of the motion's duration that has passed. */
  readonly onTick?: (share: number) => void;
}

/** Moves from where the arm is at full speed; returns the last feedback. */
async function moveTo(fixture: ArmFixture, motion: Motion) {
  const { target_rad, detection, rate_rad_s, onTick } = motion;
  const base = Array.from(fixture.joints.measured.position_rad);
  const duration_s = durationOf(
    Math.max(...target_rad.map((angle, j) => Math.abs(angle - base[j]!))),
    rate_rad_s,
  );
  const still = stationarySetpoint('hold', { detection, payload_kg: PAYLOAD_KG });
  const setpoint: Setpoint = { ...still, mode: 'follow' };
  let feedback = fixture.arm.exchange(still, TICK_S);
  for (let t_s = 0; t_s < duration_s + 0.3; t_s += TICK_S) {
    for (let i = 0; i < setpoint.samples.length; i++) {
      const u = Math.min(1, Math.max(0, (t_s + (Math.floor(i / 6) - 1) * 0.001) / duration_s));
      const share = u * u * u * (10 + u * (6 * u - 15));
      setpoint.samples[i] = base[i % 6]! + share * (target_rad[i % 6]! - base[i % 6]!);
    }
    onTick?.(t_s / duration_s);
    feedback = fixture.arm.exchange(setpoint, TICK_S);
    if (feedback.fault || feedback.contact) return feedback;
    await passTick(fixture);
  }
  return feedback;
}

/** An arm with its largest load, held at a pose. */
async function started(create: CreateArm, start: readonly number[]) {
  const fixture = await create({ start, supported: true });
  fixture.emulator.plant.setPayload(PAYLOAD_KG);
  await fixture.clock.until(fixture.arm.start());
  const hold = stationarySetpoint('hold', { payload_kg: PAYLOAD_KG });
  for (let i = 0; i < 250; i++) {
    fixture.arm.exchange(hold, TICK_S);
    await passTick(fixture);
  }
  return fixture;
}

/** Ways of the joints that meet an obstacle, which let them reach full speed (rad). */
const BLOCKED_RAD = [1.2, 1.1, -1.2];

/** The pose in which these joints have gone their way from the upright arm, on the side with room. */
function towards(joints: readonly number[]): number[] {
  return UPRIGHT_RAD.map((angle, j) => {
    if (!joints.includes(j)) return angle;
    const there = angle + BLOCKED_RAD[j]!;
    const hasRoom = there > JOINT_MIN_RAD[j]! && there < JOINT_MAX_RAD[j]!;
    return hasRoom ? there : angle - BLOCKED_RAD[j]!;
  });
}

/** A joint that meets an obstacle. */
interface Obstruction {
  readonly joint: number;
  readonly rate_rad_s: number;
  readonly detection: DetectionSensitivity;
}

/** How long the arm is looked at after a contact (s). */
const WATCHED_S = 5;
/** Torque of a joint beyond its load that may remain (N m). */
const REMAINS_N_M = 6;
/** How far a joint may go when the obstacle goes, or by the recovery (rad). */
const FREED_RAD = 0.05;

/** Largest torque of a joint beyond its load (N m), by the plant. */
function pressing(plant: ServoPlant): number {
  const dynamics = new InverseDynamics();
  dynamics.setPayload(PAYLOAD_KG);
  const load_n_m = new Float64Array(6);
  dynamics.gravity(plant.position_rad, load_n_m);
  return largestDifference(plant.torque_n_m, load_n_m);
}

/** Largest way of a joint over some ticks (rad), while the robot plays `setpoint`. */
async function wayOver(fixture: ArmFixture, setpoint: Setpoint, ticks: number): Promise<number> {
  const { arm, emulator } = fixture;
  const before = Float64Array.from(emulator.plant.position_rad);
  let way_rad = 0;
  for (let i = 0; i < ticks; i++) {
    arm.exchange(setpoint, TICK_S);
    await passTick(fixture);
    emulator.catchUp();
    way_rad = Math.max(way_rad, largestDifference(emulator.plant.position_rad, before));
  }
  return way_rad;
}

/** What follows when joints are blocked in a motion of theirs. */
async function afterContact(
  create: CreateArm,
  {
    joints,
    detection,
  }: { readonly joints: readonly number[]; readonly detection: Setpoint['detection'] },
) {
  const fixture = await started(create, UPRIGHT_RAD);
  const { plant } = fixture.emulator;
  const target_rad = towards(joints);
  const motion = { target_rad, detection, rate_rad_s: MODERATE_RAD_S };
  const block = (share: number) => {
    if (share > 0.5) for (const joint of joints) plant.blocked.add(joint);
  };
  const { contact } = await moveTo(fixture, { ...motion, onTick: block });
  // The robot brakes on its plan, which goes on into the obstacle.
  const still = stationarySetpoint('hold', { detection, payload_kg: PAYLOAD_KG });
  const plan = { ...still, mode: 'follow' as const };
  plan.samples.forEach((_, i) => {
    plan.samples[i] =
      fixture.joints.measured.position_rad[i % 6]! +
      Math.sign(target_rad[i % 6]! - UPRIGHT_RAD[i % 6]!) * 0.2;
  });
  await wayOver(fixture, plan, 50);
  let pressing_n_m = 0;
  for (let t_s = 0.2; t_s < WATCHED_S; t_s += 0.1) {
    await wayOver(fixture, still, 25);
    if (t_s > 1) pressing_n_m = Math.max(pressing_n_m, pressing(plant));
  }
  const { standing } = fixture.arm.exchange(still, TICK_S);
  plant.blocked.clear();
  const freed_rad = await wayOver(fixture, still, 250);
  const recovered = fixture.arm.recover();
  const recovered_rad = await wayOver(fixture, still, 125);
  const { fault } = await moveTo(fixture, { ...motion, target_rad: UPRIGHT_RAD });
  const again = fixture.arm.exchange(still, TICK_S).contact;
  await fixture.close();
  const ways = { freed_rad, recovered_rad };
  return { contact, standing, pressing_n_m, recovered, ...ways, away: { fault, contact: again } };
}

/** The greatest torque on a joint (N m) that meets an obstacle at its highest speed. */
async function contactTorque(create: CreateArm, obstruction: Obstruction): Promise<number> {
  const { joint, rate_rad_s, detection } = obstruction;
  const fixture = await started(create, UPRIGHT_RAD);
  const { plant } = fixture.emulator;
  const target_rad = towards([joint]);
  let fastest_rad_s = 0;
  let peak_n_m = 0;
  const feedback = await moveTo(fixture, {
    target_rad,
    detection,
    rate_rad_s,
    onTick: (share) => {
      fastest_rad_s = Math.max(fastest_rad_s, Math.abs(plant.velocity_rad_s[joint]!));
      if (share > 0.5) plant.blocked.add(joint);
      const torque_n_m = Math.abs(plant.torque_n_m[joint]!);
      if (plant.blocked.has(joint)) peak_n_m = Math.max(peak_n_m, torque_n_m);
    },
  });
  expect(feedback.fault).toBeNull();
  expect(feedback.contact).toMatchObject({ joint });
  expect(fastest_rad_s).toBeGreaterThan(0.85 * rate_rad_s);
  plant.blocked.clear();
  await fixture.close();
  return peak_n_m;
}

const SENSITIVITIES = ['high', 'medium', 'low'] as const;
/** A speed at which an obstacle meets little of what the back-EMF took (rad/s). */
const MODERATE_RAD_S = 1;

/** How much of the cases runs: joints that meet obstacles, and free motions by sensitivity. */
interface ContactExtent {
  readonly joints: readonly number[];
  readonly moves: Readonly<Partial<Record<DetectionSensitivity, number>>>;
  /** Joints that are blocked together, and the detection of the contacts that are watched. */
  readonly touches: readonly (readonly number[])[];
  readonly watched: readonly Setpoint['detection'][];
}

/** The greatest torques of a joint that meets an obstacle, by sensitivity: high, medium, low. */
async function torquesOf(create: CreateArm, joint: number, rate_rad_s: number) {
  const found: number[] = [];
  for (const detection of SENSITIVITIES) {
    found.push(await contactTorque(create, { joint, rate_rad_s, detection }));
  }
  return found as [number, number, number];
}

/** Servos by how they control a position: by voltage, or by a current that the driver limits. */
const VARIANTS = [
  ...FAMILIES.map((one) => ({ ...one, name: one.family, limited: false })),
  { ...CURRENT_BASED, name: 'current-based dynamixel', limited: true },
];

/** Defines the cases on both families of servos, and in current-based position mode. */
export function contactCases({ joints, moves, touches, watched }: ContactExtent): void {
  describe.each(VARIANTS)('contact of $name servos with factory gains', ({ create, limited }) => {
    it.each(joints)('joint %i pushes harder at lower sensitivity, below stall', async (joint) => {
      const [high, medium, low] = await torquesOf(create, joint, MODERATE_RAD_S);
      expect(high).toBeLessThan(medium);
      expect(medium).toBeLessThan(low);
      expect(low).toBeLessThan(DRIVE.torque_max_n_m[joint]!);
    });

    // By voltage an obstacle at full speed gets at once what the back-EMF took.
    it.each(joints)('joint %i yields in that order at full speed too', async (joint) => {
      const [high, medium, low] = await torquesOf(create, joint, RATE);
      const stall_n_m = DRIVE.torque_max_n_m[joint]!;
      if (limited) {
        expect(high).toBeLessThan(0.9 * medium);
        expect(medium).toBeLessThan(0.9 * low);
        expect(low).toBeLessThan(0.9 * stall_n_m);
        return;
      }
      expect(high).toBeLessThanOrEqual(medium);
      expect(medium).toBeLessThanOrEqual(low);
      expect(high).toBeLessThan(low);
      expect(high).toBeLessThan(stall_n_m);
    });

    const contacts = touches.flatMap((of) => watched.map((detection) => ({ of, detection })));
    it.each(contacts)(
      'joints $of let go of an obstacle at sensitivity $detection, and move away',
      async ({ of, detection }) => {
        const after = await afterContact(create, { joints: of, detection });
        expect(after.contact === null).toBe(detection === null);
        expect(after).toMatchObject({ standing: true, recovered: true });
        expect(after.pressing_n_m).toBeLessThan(REMAINS_N_M);
        expect(after.freed_rad).toBeLessThan(FREED_RAD);
        expect(after.recovered_rad).toBeLessThan(FREED_RAD);
        expect(after.away).toEqual({ fault: null, contact: null });
      },
    );

    it.each(SENSITIVITIES.filter((one) => moves[one]))(
      'does not take free motions for contacts at %s sensitivity',
      async (detection) => {
        const random = createPrng(19);
        for (let i = 0; i < moves[detection]!; i++) {
          const pose = () =>
            [0, 0.4, -1.4, 0, -1, 0].map((angle, j) => {
              const somewhere = angle + (random() - 0.5) * (j < 3 ? 1.6 : 3);
              return Math.min(
                JOINT_MAX_RAD[j]! - 0.1,
                Math.max(JOINT_MIN_RAD[j]! + 0.1, somewhere),
              );
            });
          const fixture = await started(create, pose());
          const feedback = await moveTo(fixture, {
            target_rad: pose(),
            detection,
            rate_rad_s: RATE,
          });
          expect([i, feedback.fault, feedback.contact]).toEqual([i, null, null]);
          await fixture.close();
        }
      },
    );
  });
}
