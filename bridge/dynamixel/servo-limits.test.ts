/** What a start writes into the servos, reports, and refuses for their model or watchdog. */
import { describe, expect, it } from 'vitest';
import { calibratedWith, changed, createFixture } from '../servo/start/safe-start.cases.ts';
import { CURRENT_BASED_CALIBRATION, EMULATED_CALIBRATION } from './emulated-calibration.ts';

describe('a start', () => {
  it('narrows wider limits, with each register before and after in its report', async () => {
    const narrow = { registers: { baud: 3, velocity_limit: 50, position_max: 3000 } };
    const { emulator, start } = await createFixture({ servos: changed(4, narrow) });
    const result = await start();
    if (!result.ok) throw new Error(result.error.message);
    const [first, , , fourth] = emulator.servos.map(({ memory }) => memory);
    // ±3.124 rad and 0.2 rad of lead are 2048 ± 2167 steps, more than the servo's one turn.
    expect([first!.get('position_min'), first!.get('position_max')]).toEqual([0, 4095]);
    const second = emulator.servo(2).memory;
    expect([second.get('position_min'), second.get('position_max')]).toEqual([154, 2975]);
    expect(first!.get('velocity_limit')).toBe(97);
    expect([fourth!.get('velocity_limit'), fourth!.get('position_max')]).toEqual([50, 3000]);
    const [one, , , four] = result.value.report.servos;
    expect(one).toMatchObject({ joint: 0, id: 1, firmware: 47, held: false, notes: [] });
    expect(one!.written).toContainEqual({ register: 'velocity_limit', before: 128, after: 97 });
    expect(four!.notes).toEqual([
      expect.stringMatching(/keeps position_max = 3000, narrower than the calibration \(\d+\)/),
      expect.stringMatching(/keeps velocity_limit = 50, narrower than the calibration \(\d+\)/),
    ]);
    expect(result.value.goal_range[3]![1]).toBe(3000);
  });

  it('writes the gains of the calibration, and no other', async () => {
    const joints = EMULATED_CALIBRATION.joints.map((joint, j) =>
      j === 2 || j === 3
        ? { ...joint, drive: { ...joint.drive!, position_p: 900, position_d: 64 } }
        : joint,
    );
    const { emulator, start } = await createFixture();
    emulator.servo(3).memory.set('position_i', 7);
    const other = emulator.servo(4).memory;
    other.set('operating_mode', 16);
    other.set('position_p', 900);
    expect(await start({ ...EMULATED_CALIBRATION, joints })).toMatchObject({ ok: true });
    const { memory } = emulator.servo(3);
    const names = ['position_p', 'position_d', 'position_i'] as const;
    expect(names.map((name) => memory.get(name))).toEqual([900, 64, 7]);
    expect(names.map((name) => other.get(name))).toEqual([900, 64, 0]);
  });

  it('writes current and PWM limits where the calibration has them', async () => {
    const joints = EMULATED_CALIBRATION.joints.map((joint) => ({
      ...joint,
      limits: { current_a: 1.5, pwm_percent: 80 },
    }));
    const { emulator, start } = await createFixture();
    expect(await start({ ...EMULATED_CALIBRATION, joints })).toMatchObject({ ok: true });
    const { memory } = emulator.servo(1);
    expect([memory.get('current_limit'), memory.get('pwm_limit')]).toEqual([557, 708]);
  });

  it('leaves wide limits of a joint that holds, unless the arm is supported', async () => {
    const { clock, emulator, start } = await createFixture();
    for (const { memory } of emulator.servos) memory.set('torque', 1);
    clock.advance(2000);
    emulator.catchUp();
    const kept = await start();
    if (!kept.ok) throw new Error(kept.error.message);
    expect(kept.value.report.servos[1]).toMatchObject({ held: true, written: [] });
    expect(kept.value.report.servos[1]!.notes).toContainEqual(
      expect.stringMatching(/has a wider position_min .* start once with --arm-is-supported/),
    );
    expect(emulator.servo(2).memory.get('position_min')).toBe(0);
    expect(await start(EMULATED_CALIBRATION, true)).toMatchObject({ ok: true });
    expect(emulator.servo(2).memory.get('position_min')).toBe(154);
  });

  it('proves each watchdog on a supported arm, and starts with a goal that holds', async () => {
    const { clock, emulator, start } = await createFixture();
    const tripped = new Set<number>();
    for (const servo of emulator.servos) {
      const put = servo.memory.set.bind(servo.memory);
      servo.memory.set = (name, value) => {
        if (name === 'watchdog' && value === 255) tripped.add(servo.id);
        put(name, value);
      };
    }
    const result = await start(EMULATED_CALIBRATION, true);
    expect(result).toMatchObject({ ok: true });
    expect([...tripped]).toEqual([1, 2, 3, 4, 5, 6]);
    clock.advance(1000);
    emulator.catchUp();
    for (const angle of emulator.plant.position_rad) expect(Math.abs(angle)).toBeLessThan(0.02);
  });

  it('notes a firmware that is not the one of the calibration', async () => {
    const { start } = await createFixture();
    const result = await start(calibratedWith('XM540-W270', 45, false));
    expect(result.ok && result.value.report.servos[0]!.notes).toEqual([
      'has firmware 47 and had 45 when it was calibrated',
    ]);
  });
});

describe('a start is refused', () => {
  it('for a servo of another model than calibrated names both', async () => {
    const { emulator, start } = await createFixture();
    expect(await start(calibratedWith('XM430-W350', 47))).toMatchObject({
      ok: false,
      error: { joint: 0, message: expect.stringMatching(/is an XM540-W270, but an XM430-W350/) },
    });
    expect(emulator.servos.some((servo) => servo.torqueOn)).toBe(false);
  });

  it('because a watchdog does not trip', async () => {
    const { emulator, start } = await createFixture();
    const { memory } = emulator.servo(3);
    const put = memory.set.bind(memory);
    memory.set = (name, value) => {
      if (name !== 'watchdog' || value === 0) put(name, value);
    };
    expect(await start(EMULATED_CALIBRATION, true)).toMatchObject({
      ok: false,
      error: { joint: 2, message: expect.stringMatching(/watchdog that does not trip/) },
    });
  });
});

describe('a start in current-based position mode', () => {
  it('sets mode, gains and the greatest goal current, and folds turns into one', async () => {
    const counting = { registers: { baud: 3, operating_mode: 5, goal_current: 9 }, turns: 2 };
    const { emulator, start } = await createFixture({ servos: changed(4, counting) });
    const result = await start(CURRENT_BASED_CALIBRATION);
    if (!result.ok) throw new Error(result.error.message);
    for (const { memory } of emulator.servos) {
      const names = ['operating_mode', 'goal_current', 'position_p'] as const;
      const current_limit = memory.get('current_limit');
      expect(names.map((name) => memory.get(name))).toEqual([5, current_limit, 800]);
    }
    for (const angle of emulator.plant.position_rad) expect(Math.abs(angle)).toBeLessThan(0.01);
    expect(Math.abs(emulator.servo(4).memory.get('goal_position') - 2048)).toBeLessThan(20);
    expect(result.value.current_limit).toEqual([2047, 2047, 2047, 1193, 1193, 1193]);
  });

  it('is refused without current control, and for a servo that holds in another mode', async () => {
    const { emulator, start } = await createFixture();
    emulator.servo(2).memory.set('model', 1060);
    expect(await start(CURRENT_BASED_CALIBRATION)).toMatchObject({
      error: { joint: 1, message: expect.stringMatching(/no current control.*set mode to/) },
    });
    emulator.servo(2).memory.set('model', 1120);
    emulator.servo(1).memory.set('torque', 1);
    expect(await start(CURRENT_BASED_CALIBRATION)).toMatchObject({
      error: { joint: 0, message: expect.stringMatching(/operating_mode = 5.*support the arm/) },
    });
  });
});
