/** The emulated servos follow the manual, and their joints follow gravity. */
import { describe, expect, it } from 'vitest';
import { ALL_SERVOS, emulatorFixture } from './emulator-fixture.cases.ts';
import { DEFAULT_SERVOS } from './servo-setup.ts';

const LEANING = [0, 0.8, -0.6, 0, -0.4, 0];

describe('a long time without a call', () => {
  it('is counted by the servo clocks', () => {
    const { clock, emulator, read } = emulatorFixture();
    const before = read(1, 'tick');
    clock.advance(10_000);
    expect(read(1, 'tick') - before).toBe(10_000);
    expect(emulator.servo(1).present).toBe(true);
  });

  it.each([
    [100, 10],
    [undefined, 255],
  ])('with a gap limit of %s ms, leaves a watchdog of 0.2 s at %i', (gap_limit_ms, left) => {
    const { clock, emulator, write, read } = emulatorFixture(
      gap_limit_ms ? { gap_limit_ms: gap_limit_ms } : {},
    );
    write(1, 'torque', 1);
    write(1, 'watchdog', 10);
    // Packets waited unread while the process of the emulator was blocked.
    clock.advance(400);
    expect(read(1, 'watchdog')).toBe(left);
    expect(emulator.servo(1).torqueOn).toBe(true);
  });
});

describe('the arm of the emulated servos', () => {
  it('falls joint by joint where torque is off', () => {
    const { emulator, write, advance } = emulatorFixture({ start: LEANING });
    for (const id of [1, 3, 4, 5, 6]) write(id, 'torque', 1);
    advance(300);
    const { position_rad } = emulator.plant;
    expect(position_rad[1]!).toBeGreaterThan(LEANING[1]! + 0.05);
    for (const j of [0, 2, 3, 4, 5]) expect(position_rad[j]!).toBeCloseTo(LEANING[j]!, 2);
  });

  it('rests on its support until it is held, and falls when released', () => {
    const { emulator, write, advance } = emulatorFixture({ start: LEANING, supported: true });
    advance(500);
    expect(Array.from(emulator.plant.position_rad)).toEqual(LEANING);
    for (const id of [1, 2, 3, 4, 5, 6]) write(id, 'torque', 1);
    advance(100);
    write(2, 'torque', 0);
    advance(300);
    expect(emulator.plant.position_rad[1]!).toBeGreaterThan(LEANING[1]! + 0.05);
  });

  it('moves to a goal and reads it back', () => {
    const { write, read, advance } = emulatorFixture({ drive: 'ideal' });
    write(1, 'torque', 1);
    expect(write(1, 'goal_position', 2348)).toBe(0);
    advance(500);
    expect(Math.abs(read(1, 'present_position') - 2348)).toBeLessThanOrEqual(1);
    expect(read(1, 'moving')).toBe(0);
  });

  it('follows the motion profile', () => {
    const { write, read, advance } = emulatorFixture({ drive: 'ideal' });
    write(1, 'torque', 1);
    write(1, 'profile_velocity', 20);
    write(1, 'profile_acceleration', 10);
    write(1, 'goal_position', 3048);
    advance(500);
    const early = read(1, 'present_position');
    // 20 units are 0.48 rad/s, 313 steps a second.
    expect(early - 2048).toBeGreaterThan(80);
    expect(early - 2048).toBeLessThan(157);
    advance(3200);
    expect(Math.abs(read(1, 'present_position') - 3048)).toBeLessThanOrEqual(1);
  });

  it('arrives in the time of a time-based profile', () => {
    const { write, read, advance } = emulatorFixture({ drive: 'ideal' });
    write(1, 'drive_mode', 4);
    write(1, 'torque', 1);
    write(1, 'profile_velocity', 1000);
    write(1, 'profile_acceleration', 300);
    write(1, 'goal_position', 2548);
    advance(500);
    expect(Math.abs(read(1, 'present_position') - 2298)).toBeLessThan(25);
    advance(600);
    expect(Math.abs(read(1, 'present_position') - 2548)).toBeLessThanOrEqual(1);
  });

  it('moves in velocity mode and in current mode', () => {
    const { write, read, advance } = emulatorFixture({ drive: 'ideal' });
    write(1, 'operating_mode', 1);
    write(1, 'torque', 1);
    write(1, 'goal_velocity', 30);
    advance(400);
    expect(Math.abs(read(1, 'present_velocity') - 30)).toBeLessThanOrEqual(1);
    write(4, 'operating_mode', 0);
    write(4, 'torque', 1);
    write(4, 'goal_current', -300);
    advance(200);
    expect(read(4, 'present_velocity')).toBeLessThan(-1);
  });

  it('heats up under load', () => {
    const { write, read, advance } = emulatorFixture({ start: LEANING });
    const before = read(2, 'temperature');
    for (const id of [1, 2, 3, 4, 5, 6]) write(id, 'torque', 1);
    for (let i = 0; i < 10; i++) advance(2000);
    expect(read(2, 'temperature')).toBeGreaterThanOrEqual(before);
  });
});

describe('the control table', () => {
  it('locks its EEPROM while torque is on', () => {
    const { write } = emulatorFixture();
    expect(write(1, 'velocity_limit', 100)).toBe(0);
    write(1, 'torque', 1);
    expect(write(1, 'velocity_limit', 90)).toBe(7);
    expect(write(1, 'led', 1)).toBe(0);
  });

  it('rejects each invalid write with its own error', () => {
    const { send, write } = emulatorFixture();
    expect(write(1, 'tick', 3)).toBe(7);
    expect(write(1, 'operating_mode', 2)).toBe(4);
    expect(write(1, 'goal_position', 4096)).toBe(6);
    expect(send(1, 3, 116, 0, 1, 2)[0]!.error).toBe(5);
    expect(send(1, 2, 140, 0, 30, 0)).toEqual([{ id: 1, error: 7, data: [] }]);
    expect(send(1, 0x44)[0]!.error).toBe(2);
    expect(send(1, 5)[0]!.error).toBe(2);
  });

  it('keeps a registered write for the action', () => {
    const { send, read } = emulatorFixture();
    send(1, 4, 65, 0, 1);
    expect(read(1, 'registered')).toBe(1);
    expect(read(1, 'led')).toBe(0);
    send(ALL_SERVOS, 5);
    expect(read(1, 'led')).toBe(1);
    expect(read(1, 'registered')).toBe(0);
  });

  it('loses RAM in a reboot and settings in a factory reset', () => {
    const { send, write, read, advance } = emulatorFixture();
    write(1, 'velocity_limit', 77);
    write(1, 'torque', 1);
    send(1, 8);
    expect(send(1, 1)).toEqual([]);
    advance(400);
    expect([read(1, 'torque'), read(1, 'velocity_limit')]).toEqual([0, 77]);
    send(1, 6, 2);
    advance(400);
    expect([read(1, 'velocity_limit'), read(1, 'baud')]).toEqual([128, 3]);
  });

  it('is stored and restored', () => {
    const { send, write, read, advance } = emulatorFixture();
    write(1, 'velocity_limit', 77);
    expect(send(1, 0x20, 1, 0x43, 0x54, 0x52, 0x4c)[0]!.error).toBe(0);
    write(1, 'velocity_limit', 50);
    send(1, 0x20, 2, 0x43, 0x54, 0x52, 0x4c);
    advance(400);
    expect(read(1, 'velocity_limit')).toBe(77);
  });

  it('counts turns until torque is on in position mode', () => {
    const servos = DEFAULT_SERVOS.map((setup) => ({ ...setup, turns: setup.id === 1 ? 2 : 0 }));
    const { write, read } = emulatorFixture({ servos });
    expect(read(1, 'present_position')).toBe(2048 + 2 * 4096);
    write(1, 'goal_position', 2048);
    write(1, 'torque', 1);
    expect(read(1, 'present_position')).toBe(2048);
  });

  it('resets gains and profile when the mode changes', () => {
    const { write, read } = emulatorFixture();
    write(1, 'profile_velocity', 40);
    write(1, 'operating_mode', 4);
    expect(read(1, 'profile_velocity')).toBe(0);
    expect(write(1, 'goal_position', 9000)).toBe(0);
  });
});

describe('a faulty servo', () => {
  it('stops when its watchdog trips, and accepts goals when it is cleared', () => {
    const { emulator, write, read, advance } = emulatorFixture();
    write(1, 'torque', 1);
    write(1, 'profile_velocity', 20);
    write(1, 'watchdog', 15);
    write(1, 'goal_position', 3500);
    advance(900);
    expect(emulator.servo(1).memory.get('watchdog')).toBe(255);
    const stopped = read(1, 'present_position');
    expect(stopped).toBeLessThan(2300);
    advance(500);
    expect(Math.abs(read(1, 'present_position') - stopped)).toBeLessThanOrEqual(1);
    expect(write(1, 'goal_position', 3500)).toBe(4);
    expect(write(1, 'watchdog', 0)).toBe(0);
    expect(write(1, 'goal_position', 2100)).toBe(0);
  });

  it('sets the alert bit in every status and keeps torque off until a reboot', () => {
    const { emulator, send, write, read, advance } = emulatorFixture();
    write(1, 'torque', 1);
    emulator.servo(1).raiseHardwareError(0x20);
    expect(read(1, 'torque')).toBe(0);
    expect(send(1, 1)[0]!.error).toBe(0x80);
    expect(write(1, 'torque', 1)).toBe(0x81);
    send(1, 8);
    advance(400);
    expect(write(1, 'torque', 1)).toBe(0);
  });

  it('shuts down when it is too hot', () => {
    const { emulator, write, read, advance } = emulatorFixture();
    write(2, 'temperature_limit', 30);
    write(2, 'torque', 1);
    advance(5);
    expect([read(2, 'hardware_error'), read(2, 'torque')]).toEqual([4, 0]);
    expect(emulator.servo(1).memory.get('hardware_error')).toBe(0);
  });

  it('restarts in a brown-out', () => {
    const { emulator, write, read, advance } = emulatorFixture();
    write(1, 'torque', 1);
    emulator.servo(1).setSupply(40);
    advance(400);
    emulator.servo(1).setSupply(120);
    expect([read(1, 'torque'), read(1, 'voltage')]).toEqual([0, 120]);
    emulator.servo(1).setSupply(170);
    expect(read(1, 'hardware_error')).toBe(1);
  });
});
