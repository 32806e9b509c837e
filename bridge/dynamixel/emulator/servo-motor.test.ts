/** Emulated servos with factory drives are as bad as real ones: they sag, lag, fight and stop. */

import { describe, expect, it } from 'vitest';
import { DRIVE } from '../../../physics/arm/arm-model.ts';
import { InverseDynamics } from '../../../physics/dynamics/inverse-dynamics.ts';
import { emulatorFixture } from './emulator-fixture.cases.ts';
import { DEFAULT_SERVOS, type ServoSetup } from './servo-setup.ts';

const LEANING = [0, 0.8, -0.6, 0, -0.4, 0];
const IDS = [1, 2, 3, 4, 5, 6];
/** Lag of full PWM with a P gain of 800 (rad): 885 * 128 / 800 steps. */
const FULL_LAG_RAD = (141.6 * 2 * Math.PI) / 4096;

function factoryFixture(options: Parameters<typeof emulatorFixture>[0] = {}) {
  return emulatorFixture({ drive: 'factory', ...options });
}

/** The shoulder with a second servo, each of half the strength. */
function pair(second: Partial<ServoSetup>): ServoSetup[] {
  const half = DEFAULT_SERVOS.map((one) => (one.id === 2 ? { ...one, strength: 0.5 } : one));
  return [...half, { ...DEFAULT_SERVOS[1]!, strength: 0.5, id: 12, ...second }];
}

describe('a servo with factory gains', () => {
  it('hangs below its goal by the load over its stiffness', () => {
    const { emulator, write, advance } = factoryFixture({ start: LEANING });
    for (const id of IDS) write(id, 'torque', 1);
    advance(3000);
    const gravity = new Float64Array(6);
    new InverseDynamics().gravity(emulator.plant.position_rad, gravity);
    const expected = (-gravity[1]! / DRIVE.torque_max_n_m[1]!) * FULL_LAG_RAD;
    const friction = 0.07 * FULL_LAG_RAD;
    const sag = emulator.plant.position_rad[1]! - LEANING[1]!;
    expect(expected).toBeGreaterThan(0.02);
    expect(Math.abs(sag - expected)).toBeLessThan(friction);
  });

  it('sinks further each time its goal is set to where it is', () => {
    const { emulator, write, read, advance } = factoryFixture({ start: LEANING });
    for (const id of IDS) write(id, 'torque', 1);
    const sunk = Array.from({ length: 4 }, () => {
      write(2, 'goal_position', read(2, 'present_position'));
      advance(1500);
      return emulator.plant.position_rad[1]!;
    });
    expect(sunk.every((angle, i) => i === 0 || angle > sunk[i - 1]! + 0.01)).toBe(true);
  });

  it('is stiffer with a higher P gain, and an I gain takes the sag away', () => {
    const sagWith = (p: number, i: number) => {
      const { emulator, write, advance } = factoryFixture({ start: LEANING });
      for (const id of IDS) {
        write(id, 'position_p', p);
        write(id, 'position_i', i);
        write(id, 'torque', 1);
      }
      advance(6000);
      return emulator.plant.position_rad[1]! - LEANING[1]!;
    };
    expect(sagWith(1600, 0)).toBeLessThan(0.7 * sagWith(800, 0));
    expect(sagWith(800, 400)).toBeLessThan(0.5 * sagWith(800, 0));
  });

  it.each([
    [120, Math.PI],
    [100, 2.618],
  ])('at %i dV runs no faster than its back-EMF allows', (supply, most_rad_s) => {
    const { emulator, write, advance } = factoryFixture();
    emulator.servo(1).setSupply(supply);
    write(1, 'operating_mode', 16);
    write(1, 'torque', 1);
    write(1, 'goal_pwm', 885);
    advance(700);
    const rate = emulator.plant.velocity_rad_s[0]!;
    expect(rate).toBeLessThan(most_rad_s);
    expect(rate).toBeGreaterThan(0.8 * most_rad_s);
  });

  it('draws a current that a PWM limit caps', () => {
    const currentWith = (limit: number) => {
      const { emulator, write, read, advance } = factoryFixture();
      emulator.plant.blocked.add(0);
      write(1, 'pwm_limit', limit);
      write(1, 'torque', 1);
      write(1, 'goal_position', 2400);
      advance(300);
      return read(1, 'present_current');
    };
    expect(currentWith(885)).toBe(1636);
    expect(currentWith(300)).toBeCloseTo((1636 * 300) / 885, -1);
  });

  it('pushes with its goal current at most in current-based position mode', () => {
    const { emulator, write, read, advance } = factoryFixture();
    emulator.plant.blocked.add(0);
    write(1, 'operating_mode', 5);
    write(1, 'goal_current', 200);
    write(1, 'torque', 1);
    write(1, 'goal_position', 2600);
    advance(300);
    expect(read(1, 'present_current')).toBe(200);
  });

  it('shuts down after a second and a half near stall, and the joint falls', () => {
    const { emulator, write, read, advance } = factoryFixture({ start: LEANING });
    emulator.plant.blocked.add(1);
    write(2, 'torque', 1);
    write(2, 'goal_position', 1000);
    advance(1000);
    expect(read(2, 'hardware_error')).toBe(0);
    advance(1000);
    expect([read(2, 'hardware_error'), read(2, 'torque')]).toEqual([0x20, 0]);
  });
});

describe('two servos on one joint', () => {
  it('share the load where they agree', () => {
    const { write, read, advance } = factoryFixture({ servos: pair({}), start: LEANING });
    for (const id of [...IDS, 12]) write(id, 'torque', 1);
    advance(2000);
    expect(Math.abs(read(2, 'present_current') - read(12, 'present_current'))).toBeLessThan(40);
  });

  it('fight where their zeros differ', () => {
    const servos = pair({ zero_ticks: 2048 + 60 });
    const { write, read, advance } = factoryFixture({ servos });
    write(12, 'secondary_id', 2);
    for (const id of [2, 12]) write(id, 'torque', 1);
    write(2, 'goal_position', 2048);
    advance(2000);
    expect(read(2, 'present_current') - read(12, 'present_current')).toBeGreaterThan(500);
  });

  it('turn alike with one in reverse mode, mounted the other way round', () => {
    const servos = pair({ direction: -1, registers: { baud: 3, drive_mode: 1, secondary_id: 2 } });
    const { emulator, write, read, advance } = factoryFixture({ servos });
    for (const id of [2, 12]) write(id, 'torque', 1);
    write(2, 'goal_position', 2248);
    advance(2500);
    expect(emulator.plant.position_rad[1]!).toBeGreaterThan(0.25);
    expect(Math.abs(read(2, 'present_position') - read(12, 'present_position'))).toBe(0);
  });
});

describe('addresses that stand for others', () => {
  it('a secondary id reaches RAM and no EEPROM', () => {
    const servos = pair({ registers: { baud: 3, secondary_id: 2 } });
    const { write, read } = factoryFixture({ servos });
    write(2, 'led', 1);
    write(2, 'homing_offset', 300);
    write(2, 'id', 30);
    expect([read(12, 'led'), read(12, 'homing_offset')]).toEqual([1, 0]);
  });

  it('indirect addresses read and write where they point', () => {
    const { send, read } = factoryFixture();
    // The first five pointers: LED, then the four bytes of the goal position.
    expect(send(1, 3, 168, 0, 65, 0, 116, 0, 117, 0, 118, 0, 119, 0)[0]!.error).toBe(0);
    expect(send(1, 3, 224, 0, 1, 0x34, 0x08, 0, 0)[0]!.error).toBe(0);
    expect([read(1, 'led'), read(1, 'goal_position')]).toEqual([1, 0x834]);
    expect(send(1, 2, 224, 0, 3, 0)[0]).toEqual({ id: 1, error: 0, data: [1, 0x34, 0x08] });
    expect(send(1, 2, 168, 0, 2, 0)[0]!.data).toEqual([65, 0]);
    expect(send(1, 3, 168, 0, 7, 0)[0]!.error).not.toBe(0);
  });
});
