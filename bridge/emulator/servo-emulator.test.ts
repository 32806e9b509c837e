/** Emulated servos keep the manual's rules, and what they turn obeys gravity. */
import { describe, expect, it } from 'vitest';
import { bench, EVERYBODY } from './bench.cases.ts';
import { DEFAULT_SERVOS } from './servo-emulator.ts';

const LEANING = [0, 0.8, -0.6, 0, -0.4, 0];

describe('a long time without a look', () => {
  it('is counted by the servos as any other', () => {
    const { clock, emulator, get } = bench();
    const before = get(1, 'tick');
    clock.advance(10_000);
    expect(get(1, 'tick') - before).toBe(10_000);
    expect(emulator.servo(1).present).toBe(true);
  });

  it.each([
    [100, 10],
    [undefined, 255],
  ])('attended every %s ms, leaves a watchdog of 0.2 s at %i', (attended_ms, left) => {
    const { clock, emulator, put, get } = bench(attended_ms ? { attended_ms } : {});
    put(1, 'torque', 1);
    put(1, 'watchdog', 10);
    // Packets waited unread while the emulator's process was kept from its work.
    clock.advance(400);
    expect(get(1, 'watchdog')).toBe(left);
    expect(emulator.servo(1).torqueOn).toBe(true);
  });
});

describe('the arm behind emulated servos', () => {
  it('falls joint by joint where torque is off', () => {
    const { emulator, put, pass } = bench({ start: LEANING });
    for (const id of [1, 3, 4, 5, 6]) put(id, 'torque', 1);
    pass(300);
    const { position_rad } = emulator.plant;
    expect(position_rad[1]!).toBeGreaterThan(LEANING[1]! + 0.05);
    for (const j of [0, 2, 3, 4, 5]) expect(position_rad[j]!).toBeCloseTo(LEANING[j]!, 2);
  });

  it('rests on its support until it is held, and falls when it is let go', () => {
    const { emulator, put, pass } = bench({ start: LEANING, supported: true });
    pass(500);
    expect(Array.from(emulator.plant.position_rad)).toEqual(LEANING);
    for (const id of [1, 2, 3, 4, 5, 6]) put(id, 'torque', 1);
    pass(100);
    put(2, 'torque', 0);
    pass(300);
    expect(emulator.plant.position_rad[1]!).toBeGreaterThan(LEANING[1]! + 0.05);
  });

  it('moves to a goal and reads it back', () => {
    const { put, get, pass } = bench();
    put(1, 'torque', 1);
    expect(put(1, 'goal_position', 2348)).toBe(0);
    pass(500);
    expect(Math.abs(get(1, 'present_position') - 2348)).toBeLessThanOrEqual(1);
    expect(get(1, 'moving')).toBe(0);
  });

  it('takes the way that the profile gives', () => {
    const { put, get, pass } = bench();
    put(1, 'torque', 1);
    put(1, 'profile_velocity', 20);
    put(1, 'profile_acceleration', 10);
    put(1, 'goal_position', 3048);
    pass(500);
    const early = get(1, 'present_position');
    // 20 units are 0.48 rad/s, 313 steps a second.
    expect(early - 2048).toBeGreaterThan(80);
    expect(early - 2048).toBeLessThan(157);
    pass(3200);
    expect(Math.abs(get(1, 'present_position') - 3048)).toBeLessThanOrEqual(1);
  });

  it('arrives in the time of a time-based profile', () => {
    const { put, get, pass } = bench();
    put(1, 'drive_mode', 4);
    put(1, 'torque', 1);
    put(1, 'profile_velocity', 1000);
    put(1, 'profile_acceleration', 300);
    put(1, 'goal_position', 2548);
    pass(500);
    expect(Math.abs(get(1, 'present_position') - 2298)).toBeLessThan(25);
    pass(600);
    expect(Math.abs(get(1, 'present_position') - 2548)).toBeLessThanOrEqual(1);
  });

  it('turns at a velocity, and with a current', () => {
    const { put, get, pass } = bench();
    put(1, 'operating_mode', 1);
    put(1, 'torque', 1);
    put(1, 'goal_velocity', 30);
    pass(400);
    expect(Math.abs(get(1, 'present_velocity') - 30)).toBeLessThanOrEqual(1);
    put(4, 'operating_mode', 0);
    put(4, 'torque', 1);
    put(4, 'goal_current', -300);
    pass(200);
    expect(get(4, 'present_velocity')).toBeLessThan(-1);
  });

  it('gets warm from work', () => {
    const { put, get, pass } = bench({ start: LEANING });
    const before = get(2, 'temperature');
    for (const id of [1, 2, 3, 4, 5, 6]) put(id, 'torque', 1);
    for (let i = 0; i < 10; i++) pass(2000);
    expect(get(2, 'temperature')).toBeGreaterThanOrEqual(before);
  });
});

describe('the control table', () => {
  it('locks its EEPROM while torque is on', () => {
    const { put } = bench();
    expect(put(1, 'velocity_limit', 100)).toBe(0);
    put(1, 'torque', 1);
    expect(put(1, 'velocity_limit', 90)).toBe(7);
    expect(put(1, 'led', 1)).toBe(0);
  });

  it('answers each bad write with its own error', () => {
    const { ask, put } = bench();
    expect(put(1, 'tick', 3)).toBe(7);
    expect(put(1, 'operating_mode', 2)).toBe(4);
    expect(put(1, 'goal_position', 4096)).toBe(6);
    expect(ask(1, 3, 116, 0, 1, 2)[0]!.error).toBe(5);
    expect(ask(1, 2, 140, 0, 30, 0)).toEqual([{ id: 1, error: 7, data: [] }]);
    expect(ask(1, 0x44)[0]!.error).toBe(2);
    expect(ask(1, 5)[0]!.error).toBe(2);
  });

  it('keeps a registered write for the action', () => {
    const { ask, get } = bench();
    ask(1, 4, 65, 0, 1);
    expect(get(1, 'registered')).toBe(1);
    expect(get(1, 'led')).toBe(0);
    ask(EVERYBODY, 5);
    expect(get(1, 'led')).toBe(1);
    expect(get(1, 'registered')).toBe(0);
  });

  it('forgets its RAM in a reboot and its settings in a factory reset', () => {
    const { ask, put, get, pass } = bench();
    put(1, 'velocity_limit', 77);
    put(1, 'torque', 1);
    ask(1, 8);
    expect(ask(1, 1)).toEqual([]);
    pass(400);
    expect([get(1, 'torque'), get(1, 'velocity_limit')]).toEqual([0, 77]);
    ask(1, 6, 2);
    pass(400);
    expect([get(1, 'velocity_limit'), get(1, 'baud')]).toEqual([128, 3]);
  });

  it('stores itself and comes back', () => {
    const { ask, put, get, pass } = bench();
    put(1, 'velocity_limit', 77);
    expect(ask(1, 0x20, 1, 0x43, 0x54, 0x52, 0x4c)[0]!.error).toBe(0);
    put(1, 'velocity_limit', 50);
    ask(1, 0x20, 2, 0x43, 0x54, 0x52, 0x4c);
    pass(400);
    expect(get(1, 'velocity_limit')).toBe(77);
  });

  it('counts turns until torque is on in position mode', () => {
    const servos = DEFAULT_SERVOS.map((setup) => ({ ...setup, turns: setup.id === 1 ? 2 : 0 }));
    const { put, get } = bench({ servos });
    expect(get(1, 'present_position')).toBe(2048 + 2 * 4096);
    put(1, 'goal_position', 2048);
    put(1, 'torque', 1);
    expect(get(1, 'present_position')).toBe(2048);
  });

  it('puts gains and profile back when the mode changes', () => {
    const { put, get } = bench();
    put(1, 'profile_velocity', 40);
    put(1, 'operating_mode', 4);
    expect(get(1, 'profile_velocity')).toBe(0);
    expect(put(1, 'goal_position', 9000)).toBe(0);
  });
});

describe('a servo in trouble', () => {
  it('stops when its watchdog trips, and takes goals when that is cleared', () => {
    const { emulator, put, get, pass } = bench();
    put(1, 'torque', 1);
    put(1, 'profile_velocity', 20);
    put(1, 'watchdog', 15);
    put(1, 'goal_position', 3500);
    pass(900);
    expect(emulator.servo(1).memory.get('watchdog')).toBe(255);
    const stopped = get(1, 'present_position');
    expect(stopped).toBeLessThan(2300);
    pass(500);
    expect(Math.abs(get(1, 'present_position') - stopped)).toBeLessThanOrEqual(1);
    expect(put(1, 'goal_position', 3500)).toBe(4);
    expect(put(1, 'watchdog', 0)).toBe(0);
    expect(put(1, 'goal_position', 2100)).toBe(0);
  });

  it('says so in every status and lets go until it is rebooted', () => {
    const { emulator, ask, put, get, pass } = bench();
    put(1, 'torque', 1);
    emulator.servo(1).raise(0x20);
    expect(get(1, 'torque')).toBe(0);
    expect(ask(1, 1)[0]!.error).toBe(0x80);
    expect(put(1, 'torque', 1)).toBe(0x81);
    ask(1, 8);
    pass(400);
    expect(put(1, 'torque', 1)).toBe(0);
  });

  it('shuts down when it is too hot', () => {
    const { emulator, put, get, pass } = bench();
    put(2, 'temperature_limit', 30);
    put(2, 'torque', 1);
    pass(5);
    expect([get(2, 'hardware_error'), get(2, 'torque')]).toEqual([4, 0]);
    expect(emulator.servo(1).memory.get('hardware_error')).toBe(0);
  });

  it('restarts in a brown-out', () => {
    const { emulator, put, get, pass } = bench();
    put(1, 'torque', 1);
    emulator.servo(1).supplyWith(40);
    pass(400);
    emulator.servo(1).supplyWith(120);
    expect([get(1, 'torque'), get(1, 'voltage')]).toEqual([0, 120]);
    emulator.servo(1).supplyWith(170);
    expect(get(1, 'hardware_error')).toBe(1);
  });
});
