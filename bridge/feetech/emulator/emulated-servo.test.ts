/** The rules of an emulated STS servo: lock, limits, protections, calibration, and a real sag. */

import { describe, expect, it } from 'vitest';
import { DRIVE } from '../../../physics/arm/arm-model.ts';
import { ForwardDynamics } from '../../../physics/dynamics/forward-dynamics.ts';
import { SteppedBusClock } from '../../transport/stepped-clock.cases.ts';
import { StsEmulator, type StsEmulatorOptions } from './servo-emulator.ts';
import { STS_SERVOS, type StsSetup } from './servo-setup.ts';
import type { StsTableRegister } from './table-memory.ts';

const LEANING = [0, 0.9, -0.8, 0, -0.7, 0];
const ADDRESS: Partial<Record<StsTableRegister, number>> = {
  goal: 42,
  torque: 40,
  lock: 55,
  p: 21,
};

function emulated(options: Partial<StsEmulatorOptions> = {}) {
  const clock = new SteppedBusClock();
  const emulator = new StsEmulator({ clock, start: LEANING, ...options });
  const pass = (duration_ms: number) => {
    clock.advance(duration_ms);
    emulator.catchUp();
  };
  const write = (id: number, name: StsTableRegister, value: number) => {
    const data = name === 'goal' ? [value & 0xff, value >> 8] : [value];
    emulator.servo(id).write(ADDRESS[name]!, data);
  };
  const read = (id: number, name: StsTableRegister) => {
    emulator.servo(id).read(0, 71);
    return emulator.servo(id).memory.get(name);
  };
  return { emulator, pass, write, read };
}

function withFirst(change: Partial<StsSetup>): StsSetup[] {
  return STS_SERVOS.map((setup) => (setup.id === 1 ? { ...setup, ...change } : setup));
}

/** Sets each goal to where its servo is, and switches the torque on. */
function holdHere({ write, read }: ReturnType<typeof emulated>): void {
  for (let id = 1; id <= 6; id++) {
    write(id, 'goal', read(id, 'position'));
    write(id, 'torque', 1);
  }
}

describe('an emulated STS servo', () => {
  it('sags by its load when its goal is set to where it is', () => {
    const fixture = emulated();
    holdHere(fixture);
    fixture.pass(1500);
    const model = new ForwardDynamics();
    model.update(Float64Array.from(LEANING), new Float64Array(6));
    // At a P gain of 32 full load is at 62.5 steps; friction and the dead zone hold a part.
    const share = model.bias[1]! / DRIVE.torque_max_n_m[1]!;
    const sag = (share * 62.5 * 2 * Math.PI) / 4096;
    const moved = fixture.emulator.plant.position_rad[1]! - LEANING[1]!;
    expect(Math.abs(moved)).toBeGreaterThan(0.5 * Math.abs(sag));
    expect(Math.abs(moved)).toBeLessThan(1.3 * Math.abs(sag));
    expect(Math.abs(moved)).toBeGreaterThan(0.01);
  });

  it('falls without torque', () => {
    const { emulator, pass } = emulated();
    pass(500);
    expect(Math.abs(emulator.plant.position_rad[1]! - LEANING[1]!)).toBeGreaterThan(0.2);
  });

  it('goes to a stale goal when torque is switched on without a new one', () => {
    const { emulator, pass, write } = emulated({ start: [0, 0, -0.5, 0, 0, 0] });
    write(1, 'torque', 1);
    pass(400);
    expect(emulator.plant.position_rad[0]!).toBeLessThan(-0.5);
  });

  it('keeps an EEPROM value through a restart only with the lock open', () => {
    const { emulator, write, read } = emulated();
    write(1, 'lock', 1);
    write(1, 'p', 16);
    expect(read(1, 'p')).toBe(16);
    emulator.servo(1).reboot();
    expect([read(1, 'p'), read(1, 'lock')]).toEqual([32, 0]);
    write(1, 'p', 16);
    emulator.servo(1).reboot();
    expect(read(1, 'p')).toBe(16);
  });

  it('clamps goals to its angle limits; both 0 are none', () => {
    for (const [max, reached] of [
      [2100, 2100],
      [0, 2300],
    ]) {
      const registers = { angle_max: max!, angle_min: 0 };
      const { pass, write, read } = emulated({ servos: withFirst({ registers }) });
      write(1, 'goal', 2300);
      write(1, 'torque', 1);
      pass(2500);
      expect(Math.abs(read(1, 'position') - reached!)).toBeLessThan(8);
    }
  });

  it('reads the middle of its turn after 128 was written to its torque', () => {
    const { emulator, write, read } = emulated({ servos: withFirst({ zero_ticks: 700 }) });
    expect(read(1, 'position')).toBe(700);
    write(1, 'torque', 128);
    expect([read(1, 'position'), read(1, 'offset'), read(1, 'torque')]).toEqual([2048, -1348, 0]);
    emulator.servo(1).reboot();
    expect(read(1, 'position')).toBe(2048);
  });

  it('gives a fifth of its torque once it was overloaded for two seconds', () => {
    const { emulator, pass, write, read } = emulated();
    emulator.plant.blocked.add(0);
    write(1, 'goal', 2500);
    write(1, 'torque', 1);
    pass(1900);
    expect([read(1, 'status'), read(1, 'load')]).toEqual([0, 1000]);
    pass(200);
    expect([read(1, 'status'), read(1, 'load')]).toEqual([0x20, 200]);
    write(1, 'torque', 0);
    write(1, 'torque', 1);
    pass(10);
    expect([read(1, 'status'), read(1, 'load')]).toEqual([0, 1000]);
  });

  it('unloads when it is too hot, and says so', () => {
    const { emulator, pass, read } = emulated();
    emulator.servo(1).memory.set('torque', 1);
    emulator.servo(1).fail('overheated');
    expect([read(1, 'torque'), read(1, 'status')]).toEqual([0, 4]);
    pass(600);
    expect([read(1, 'torque'), read(1, 'status')]).toEqual([0, 0]);
  });

  it('firmware that switches torque on by a goal starts no other way', () => {
    const { write, read } = emulated({ servos: withFirst({ torque_by_goal: true }) });
    write(1, 'goal', 2048);
    expect(read(1, 'torque')).toBe(1);
  });
});
