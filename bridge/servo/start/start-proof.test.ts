/**
 * A start proves that the arm will hold: what a diagnosis calls a problem it refuses, it computes
 * the torque that the settings leave against the load of the pose, it tells how many answers the
 * line loses, and where it is refused half way it says which joints have torque.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import {
  CURRENT_BASED_CALIBRATION,
  EMULATED_CALIBRATION,
} from '../../dynamixel/emulated-calibration.ts';
import { DEFAULT_SERVOS } from '../../dynamixel/emulator/servo-setup.ts';
import { FACTORY_LIMITS } from '../../dynamixel/factory-limits.ts';
import { SERVO_MODELS } from '../../dynamixel/models.ts';
import { EMULATED_FEETECH_CALIBRATION } from '../../feetech/emulated-calibration.ts';
import type { Calibration } from '../calibration/calibration.ts';
import { dynamixelProof, dynamixelWith, feetechProof, LEANING } from './start-proof.cases.ts';

/** A calibration without models of the drives. */
function withoutDrives(calibration: Calibration): Calibration {
  return { ...calibration, joints: calibration.joints.map(({ drive: _, ...joint }) => joint) };
}

const BAD_DYNAMIXEL = [
  ['a PWM limit', { pwm_limit: 60 }, /weakened by a PWM limit of 60/],
  ['a goal PWM', { goal_pwm: 60 }, /weakened by a goal PWM of 60/],
  ['a slave of a sync cable', { drive_mode: 2 }, /slave of a servo on its sync cable/],
  ['no shutdown', { shutdown: 0 }, /does not shut down for all faults/],
  ['a high limit of heat', { temperature_limit: 95 }, /shuts down at 95 °C only/],
  [
    'a limit of heat below that of the arm',
    { temperature_limit: 50 },
    /lets go at 50 °C by itself/,
  ],
  ['a supply out of its range', { voltage_min: 130 }, /supply of 12 V, outside/],
] as const;

describe('what a diagnosis of DYNAMIXEL servos calls a problem', () => {
  it.each(BAD_DYNAMIXEL)(
    'a start refuses, before anything has torque: %s',
    async (_, bad, text) => {
      const proof = await dynamixelProof(dynamixelWith({ 2: bad }));
      expect((await proof.diagnose()).problems.join('\n')).toMatch(text);
      expect(await proof.start()).toMatch(text);
      expect(proof.emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
    },
  );

  it.each([0, 40])('a P gain of %i without a model of the drive', async (position_p) => {
    const calibration = withoutDrives(EMULATED_CALIBRATION);
    const proof = await dynamixelProof(dynamixelWith({ 2: { position_p } }), { calibration });
    const text = new RegExp(`can give \\d % of its torque by its P gain of ${position_p}`);
    expect((await proof.diagnose()).problems.join('\n')).toMatch(text);
    expect(await proof.start()).toMatch(text);
  });

  it('a current limit in current-based position mode', async () => {
    const calibration = CURRENT_BASED_CALIBRATION;
    const proof = await dynamixelProof(dynamixelWith({ 2: { current_limit: 20 } }), {
      calibration,
    });
    const text = /can give 1 % of its torque by its current limit of 20/;
    expect((await proof.diagnose()).problems.join('\n')).toMatch(text);
    expect(await proof.start()).toMatch(text);
  });

  it.each(Object.entries(SERVO_MODELS))(
    'limits beyond those of the maker, of model %s',
    async (model, { name }) => {
      const { temperature_c, voltage } = FACTORY_LIMITS[Number(model)]!;
      const registers = {
        shutdown: 0,
        temperature_limit: temperature_c + 1,
        voltage_min: voltage[0] - 1,
        voltage_max: voltage[1] + 1,
      };
      const servos = dynamixelWith({ 6: { model: Number(model), ...registers } });
      const proof = await dynamixelProof(servos, {
        calibration: withoutDrives(EMULATED_CALIBRATION),
      });
      const problems = (await proof.diagnose()).problems.join('\n');
      for (const text of [
        'does not shut down for all faults',
        `set that limit to ${temperature_c}`,
        `set the limit to ${voltage[0] / 10} V`,
        `set the limit to ${voltage[1] / 10} V`,
      ]) {
        expect(problems, name).toMatch(new RegExp(`Servo 6 .*${text}`));
      }
    },
  );
});

describe('what a start of DYNAMIXEL servos corrects', () => {
  it('lets the arm hold: time-based profiles, watchdogs, secondary ids, gains', async () => {
    const servos = dynamixelWith({
      1: { drive_mode: 4, profile_velocity: 3000 },
      2: { watchdog: 255, position_p: 40 },
      3: { drive_mode: 8, startup: 1 },
      6: { secondary_id: 4 },
    });
    const proof = await dynamixelProof(servos);
    const { problems, notes } = await proof.diagnose();
    expect(problems).toEqual([]);
    expect(notes.every((text) => text.endsWith('a start corrects it'))).toBe(true);
    expect(await proof.start()).toBeNull();
    await proof.holdFor(200);
    LEANING.forEach((angle, j) => {
      expect(Math.abs(proof.emulator.plant.position_rad[j]! - angle)).toBeLessThan(0.02);
    });
  });

  it('is not a servo of another arm that obeys one of this: the start is refused', async () => {
    const strange = { ...DEFAULT_SERVOS[5]!, id: 9, registers: { baud: 3, secondary_id: 4 } };
    const proof = await dynamixelProof(dynamixelWith({}, [strange]));
    expect((await proof.diagnose()).problems.join()).toMatch(/Servo 9 obeys the goals of servo 4/);
    expect(await proof.start()).toMatch(/J4 \(servo 4\) is obeyed by servo 9 too/);
    expect(proof.emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
  });
});

describe.each([
  ['dynamixel', dynamixelProof, EMULATED_CALIBRATION],
  ['feetech', feetechProof, EMULATED_FEETECH_CALIBRATION],
] as const)('a start of %s servos', (_, proofOf, known) => {
  const prove = (calibration: Calibration) => proofOf(undefined, { calibration });

  it('says what each joint can hold, and what it has to', async () => {
    const proof = await prove(known);
    expect(await proof.start()).toBeNull();
    const [report] = proof.reports;
    expect(report!.joints).toHaveLength(6);
    const shoulder = report!.joints[1]!;
    expect(shoulder.available_n_m).toBeGreaterThan(45);
    expect(shoulder.load_n_m).toBeGreaterThan(9);
    expect(report!.line).toEqual({ asked: 600, lost: 0, garbled: 0 });
    expect(report!.notes).toEqual([]);
  });

  it('is refused where the calibration leaves less than the load of the pose', async () => {
    const joints = known.joints.map((joint) => ({ ...joint, limits: { pwm_percent: 20 } }));
    const weak = await prove({ ...known, joints });
    expect(await weak.start()).toMatch(
      /J2 .*can hold 12\.0 N m by the calibration .*, and its load here is 9\.9 N m/,
    );
    expect(weak.emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
  });

  it.each([
    [{ lost_share: 0.02 }, /answers are lost and/],
    [{ garbled_share: 0.05 }, /% garbled on memory: check ground, termination/],
  ])('on a bad line (%j) tells it, and the diagnosis too', async (line, text) => {
    const looked = await prove(known);
    Object.assign(looked.faults, line);
    expect((await looked.diagnose()).problems.join('\n')).toMatch(text);
    const proof = await prove(known);
    Object.assign(proof.faults, line);
    expect(await proof.start()).toBeNull();
    expect(proof.reports[0]!.notes.join('\n')).toMatch(text);
  });

  it.each([1, 2, 3])('on a line that loses 2 %% the diagnosis says so, seed %i', async (seed) => {
    const proof = await prove(known);
    Object.assign(proof.faults, { lost_share: 0.02, seed });
    expect((await proof.diagnose()).problems.join('\n')).toMatch(/answers are lost and/);
  });

  it('is refused on a line that loses a fifth of the answers', async () => {
    const proof = await prove(known);
    Object.assign(proof.faults, { lost_share: 0.2 });
    expect(await proof.start()).toMatch(/No joint gets torque: .* answers are lost/);
  });
});

describe('a start that is refused half way', () => {
  /** A servo that goes silent as soon as joint 3 has torque. */
  async function refused(supported: boolean) {
    const proof = await dynamixelProof(undefined, { supported });
    const third = proof.emulator.servo(3).memory;
    const put = third.set.bind(third);
    third.set = (name, value) => {
      put(name, value);
      if (name === 'torque' && value === 1) proof.emulator.servo(5).dead = true;
    };
    return { ...proof, message: await proof.start() };
  }

  it('says which joints have torque, and leaves them holding with their watchdog', async () => {
    const { message, emulator, clock } = await refused(false);
    expect(message).toMatch(
      /^J5 \(servo 5\) stopped answering.*\. J1, J2, J3 still have torque and hold: .*armtwin release/,
    );
    const held = emulator.servos.filter(({ torqueOn }) => torqueOn);
    expect(held.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(held.map(({ memory }) => memory.get('watchdog'))).toEqual([15, 15, 15]);
    const before = Array.from(emulator.plant.position_rad);
    clock.advance(2000);
    emulator.catchUp();
    expect(held.map(({ memory }) => memory.get('watchdog'))).toEqual([255, 255, 255]);
    before.slice(0, 3).forEach((angle, j) => {
      expect(Math.abs(emulator.plant.position_rad[j]! - angle)).toBeLessThan(0.05);
    });
  });

  it('releases a supported arm, and says so', async () => {
    const { message, emulator } = await refused(true);
    expect(message).toMatch(/J1, J2, J3 had torque and have none now/);
    expect(emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
  });
});

describe('a DYNAMIXEL arm whose program is killed while it holds, again and again', () => {
  it('sinks a little each time, and each start says by how much', async () => {
    const { emulator, start, holdFor, reports, kill } = await dynamixelProof();
    expect(await start()).toBeNull();
    await holdFor(300);
    const pose = () => emulator.plant.position_rad[1]!;
    const before = pose();
    let told_rad = 0;
    for (let i = 0; i < 5; i++) {
      kill(1500);
      const sunk = pose();
      expect(await start()).toBeNull();
      await holdFor(300);
      expect(Math.abs(pose() - sunk)).toBeLessThan(0.005);
      const says = reports.at(-1)!.servos[1]!.notes.join();
      told_rad += Number(/has sunk by (\d\.\d+) rad since its watchdog/.exec(says)?.[1] ?? 0);
    }
    const sunk_rad = pose() - before;
    expect(sunk_rad).toBeGreaterThan(0.1);
    expect(Math.abs(told_rad - sunk_rad)).toBeLessThan(0.03);
  });
});
