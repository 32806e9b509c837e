/** The safe start: it rejects faulty servos with a message, and never moves the arm. */
import { describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import { DEFAULT_SERVOS, type ServoSetup } from '../../dynamixel/emulator/servo-setup.ts';
import { changed, createFixture } from './safe-start.cases.ts';

const AWAY = [0.4, -0.5, -0.6, 0.7, -0.8, 0.9];

describe('a safe start', () => {
  it('makes servos ready at their present positions', async () => {
    const { emulator, start } = await createFixture();
    const result = await start();
    expect(result).toMatchObject({ ok: true, value: { fast_read: true } });
    for (const { memory } of emulator.servos) {
      expect([memory.get('torque'), memory.get('watchdog')]).toEqual([1, 0]);
      // The goal leads the position by what the load of the joint needs, and no more.
      expect(Math.abs(memory.get('goal_position') - 2048)).toBeLessThan(10);
    }
  });

  it('moves nothing, whatever goal, mode, turns and watchdog a servo has', async () => {
    const setups: Partial<ServoSetup>[] = [
      { registers: { baud: 3, goal_position: 3000 } },
      { registers: { baud: 3, operating_mode: 16, goal_pwm: 400 } },
      { registers: { baud: 3, operating_mode: 4 }, turns: -3 },
      { registers: { baud: 3, watchdog: 255 } },
      { registers: { baud: 3, drive_mode: 12, profile_velocity: 500 } },
      { registers: { baud: 3, homing_offset: 300, return_delay: 250 } },
    ];
    const servos = DEFAULT_SERVOS.map((setup, i) => ({ ...setup, ...setups[i] }));
    const { emulator, start } = await createFixture({ servos });
    expect(await start()).toMatchObject({ ok: true });
    for (const angle of emulator.plant.position_rad) expect(Math.abs(angle)).toBeLessThan(0.01);
    const [, second, third, , fifth, sixth] = emulator.servos;
    expect(second!.memory.get('operating_mode')).toBe(3);
    expect(third!.memory.get('operating_mode')).toBe(3);
    expect(fifth!.memory.get('drive_mode')).toBe(0);
    expect(sixth!.memory.get('return_delay')).toBe(0);
  });

  it.each([false, true])('moves no servo that heard another id, held: %s', async (held) => {
    const servos = changed(6, { registers: { baud: 3, secondary_id: 4 } });
    const { clock, emulator, start } = await createFixture({ servos, start: AWAY });
    if (held) for (const { memory } of emulator.servos) memory.set('torque', 1);
    let way_rad = 0;
    const step = emulator.plant.step.bind(emulator.plant);
    emulator.plant.step = () => {
      step();
      way_rad = Math.max(way_rad, Math.abs(emulator.plant.position_rad[5]! - AWAY[5]!));
    };
    expect(await start(EMULATED_CALIBRATION, held)).toMatchObject({ ok: true });
    clock.advance(500);
    emulator.catchUp();
    expect(emulator.servo(6).memory.get('secondary_id')).toBe(255);
    expect(way_rad).toBeLessThan(0.05);
  });

  it.each([2, 6])('moves nothing when it corrects a homing offset of servo %d', async (id) => {
    const servos = changed(id, { registers: { baud: 3, homing_offset: 100 } });
    const { clock, emulator, start } = await createFixture({ servos });
    const stood = Array.from(emulator.plant.position_rad);
    expect(await start()).toMatchObject({ ok: true });
    clock.advance(1000);
    emulator.catchUp();
    expect(emulator.servo(id).memory.get('homing_offset')).toBe(0);
    stood.forEach((angle, j) => {
      expect(Math.abs(emulator.plant.position_rad[j]! - angle)).toBeLessThan(0.01);
    });
  });

  it('takes over servos that hold a leaning arm, with torque on throughout', async () => {
    const { clock, emulator, start } = await createFixture({ start: AWAY });
    for (const { memory } of emulator.servos) memory.set('torque', 1);
    clock.advance(2500);
    emulator.catchUp();
    const goals = emulator.servos.map(({ memory }) => memory.get('goal_position'));
    const hanging = Array.from(emulator.plant.position_rad);
    const result = await start();
    clock.advance(500);
    emulator.catchUp();
    expect(result.ok && Array.from(result.value.position_rad)).toEqual(
      hanging.map((angle) => expect.closeTo(angle, 2)),
    );
    expect(emulator.servos.map(({ memory }) => memory.get('goal_position'))).toEqual(goals);
    hanging.forEach((angle, j) => {
      expect(Math.abs(emulator.plant.position_rad[j]! - angle)).toBeLessThan(0.001);
    });
  });

  const WRONG = DEFAULT_SERVOS.map((setup) =>
    setup.id === 2 ? { ...setup, registers: { ...setup.registers, homing_offset: 90 } } : setup,
  );

  it('lets no held joint go, unless the operator says that the arm is supported', async () => {
    const { clock, emulator, start } = await createFixture({ start: AWAY, servos: WRONG });
    emulator.servo(2).memory.set('goal_position', 2048);
    for (const { memory } of emulator.servos) memory.set('torque', 1);
    clock.advance(2000);
    emulator.catchUp();
    const refused = await start();
    expect(refused).toMatchObject({
      ok: false,
      error: { joint: 1, message: expect.stringMatching(/homing_offset = 0.*--arm-is-supported/) },
    });
    expect(emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    let off_most = 0;
    for (const { memory } of emulator.servos) {
      const put = memory.set.bind(memory);
      memory.set = (name, value) => {
        put(name, value);
        const off = emulator.servos.filter((servo) => !servo.torqueOn).length;
        off_most = Math.max(off_most, off);
      };
    }
    expect(await start(EMULATED_CALIBRATION, true)).toMatchObject({ ok: true });
    expect(off_most).toBe(1);
    expect(emulator.servo(2).memory.get('homing_offset')).toBe(0);
  });

  it('waits for moving joints before it takes them over', async () => {
    const { clock, emulator, start } = await createFixture();
    for (const { memory } of emulator.servos) memory.set('torque', 1);
    emulator.servo(1).memory.set('goal_position', 2048 + 400);
    clock.advance(40);
    expect(await start()).toMatchObject({ ok: true });
    expect(emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    const goal = emulator.servo(1).memory.get('goal_position');
    expect(Math.abs(goal - 2448)).toBeLessThan(4);
  });

  it('survives single lost replies', async () => {
    const { faults, start } = await createFixture();
    faults.drop = 2;
    expect(await start()).toMatchObject({ ok: true });
  });

  it('falls back to normal reads when one firmware is old', async () => {
    const { start } = await createFixture({ servos: changed(3, { firmware: 44 }) });
    expect(await start()).toMatchObject({ ok: true, value: { fast_read: false } });
  });

  it('sets up followers and leaders', async () => {
    const follower: ServoSetup = { ...DEFAULT_SERVOS[1]!, id: 20 };
    const { emulator, start } = await createFixture({ servos: [...DEFAULT_SERVOS, follower] });
    const joints = EMULATED_CALIBRATION.joints.map((joint, j) =>
      j === 1 ? { ...joint, ids: [2, 20] } : joint,
    );
    expect(await start({ ...EMULATED_CALIBRATION, joints })).toMatchObject({ ok: true });
    expect(emulator.servo(20).memory.get('secondary_id')).toBe(2);
    expect(emulator.servo(2).memory.get('secondary_id')).toBe(255);
    expect(emulator.servo(20).torqueOn).toBe(true);
  });
});

describe('a rejected start', () => {
  const rejections: readonly [string, readonly ServoSetup[], RegExp][] = [
    ['a missing servo', DEFAULT_SERVOS.slice(0, 5), /J6 \(servo 6\) does not answer: check/],
    [
      'a wrong baud',
      changed(4, { registers: { baud: 1 } }),
      /J4 \(servo 4\) does not answer.*baud/,
    ],
    [
      'a duplicate id',
      changed(2, { id: 1, model: 'XL330-M288' }),
      /J1 \(servo 1\) sends corrupt replies: two servos have this id/,
    ],
    [
      'an unknown model',
      changed(2, { registers: { baud: 3, model: 999 } }),
      /J2 \(servo 2\) is of model 999/,
    ],
    ['a firmware without watchdog', changed(5, { firmware: 37 }), /J5 .*update it to 38/],
    [
      'a servo in alert',
      changed(6, { registers: { baud: 3, hardware_error: 0x24 } }),
      /J6 .*it is too hot, it is overloaded/,
    ],
    [
      'a joint out of its range',
      changed(3, { zero_ticks: 3500 }),
      /J3 .*is at 2\.2\d\d rad, outside.*by hand/,
    ],
  ];

  it.each(rejections)('for %s names the servo', async (_, servos, text) => {
    const { emulator, start } = await createFixture({ servos });
    const result = await start();
    expect(result).toMatchObject({
      ok: false,
      error: { joint: expect.any(Number), message: expect.stringMatching(text) },
    });
    expect(emulator.servos.some((servo) => servo.torqueOn)).toBe(false);
  });

  it('because a joint moved switches torque off again', async () => {
    const { emulator, start } = await createFixture();
    const { memory } = emulator.servo(4);
    const put = memory.set.bind(memory);
    // A servo that moves as soon as it has torque.
    memory.set = (name, value) => {
      put(name, value);
      if (name === 'torque' && value === 1) put('goal_position', 2400);
    };
    const result = await start();
    expect(result).toMatchObject({
      ok: false,
      error: {
        joint: 3,
        message: expect.stringMatching(/moved by 0\.\d+ rad when torque was enabled/),
      },
    });
    expect(emulator.servos.some((one) => one.torqueOn)).toBe(false);
  });
});
