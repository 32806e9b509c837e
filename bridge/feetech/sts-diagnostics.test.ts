/** The diagnosis of STS servos finds planted faults with remedies, and none on a good arm. */
import { describe, expect, it } from 'vitest';
import { Bus } from '../bus/bus.ts';
import { STS_SERVOS, StsEmulator } from '../emulator/sts-emulator.ts';
import type { StsTableRegister } from '../emulator/sts-memory.ts';
import type { StsServo, StsSetup } from '../emulator/sts-servo.ts';
import { EMULATED_FEETECH_CALIBRATION } from '../servo/calibration.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { createMemoryTransport } from '../transport/transport.ts';
import { FeetechBus } from './feetech-bus.ts';
import { diagnoseSts } from './sts-diagnostics.ts';
import { STS_FORMAT } from './sts-packets.ts';

const calibration = EMULATED_FEETECH_CALIBRATION;

async function emulated(servos: readonly StsSetup[] = STS_SERVOS) {
  const clock = new SteppedBusClock();
  const emulator = new StsEmulator({ clock, servos, supported: true });
  const bus = new Bus(createMemoryTransport(emulator), clock, { format: STS_FORMAT });
  await bus.open();
  const diagnose = () => clock.until(diagnoseSts(bus, clock, calibration));
  return { clock, emulator, bus, diagnose };
}

function withThird(change: Partial<StsSetup>): StsSetup[] {
  return STS_SERVOS.map((setup) => (setup.id === 3 ? { ...setup, ...change } : setup));
}

function registers(values: Partial<Record<StsTableRegister, number>>): StsSetup[] {
  return withThird({ registers: values });
}

describe('the diagnosis of STS servos', () => {
  it('of a good arm finds no problem, and says what the family cannot do', async () => {
    const { servos, problems, notes } = await (await emulated()).diagnose();
    expect(problems).toEqual([]);
    expect(servos[0]).toMatchObject({ id: 1, model: 'STS3215', firmware: 306, baud: 1_000_000 });
    expect(servos).toHaveLength(6);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toMatch(/^These servos have no watchdog: when this program dies/);
  });

  it.each([
    ['an absent servo', STS_SERVOS.slice(1), /^Servo 1 of joint 0 does not answer: check/],
    ['another model', registers({ model: 1284 }), /^Servo 3 is of model 1284.*use an STS3215/],
    ['a P gain', registers({ p: 16 }), /^Servo 3 has a P gain of 16, the calibration 32/],
    ['a hot limit', registers({ temperature_max: 90 }), /^Servo 3 unloads at 90 °C only/],
    ['no protection', registers({ unloading: 0 }), /^Servo 3 does not unload for all faults/],
    ['weak torque', registers({ torque_limit: 500 }), /^Servo 3 is weakened by a torque limit/],
    ['narrow limits', registers({ angle_max: 2100 }), /^Servo 3 allows positions 0..2100 only/],
    ['a supply', registers({ voltage_min: 130 }), /^Servo 3 has a supply of 12 V, outside/],
    ['a place', withThird({ zero_ticks: 3400 }), /^Servo 3 stands at 2\.\d+ rad, outside/],
  ])('names %s', async (_, servos, text) => {
    const { problems } = await (await emulated(servos)).diagnose();
    expect(problems.filter((one) => text.test(one))).toHaveLength(1);
  });

  it.each([
    ['mode', { mode: 1 }, /is not in position mode; a start corrects it/],
    ['return delay', { return_delay: 250 }, /has a return delay; a start corrects it/],
    ['status level', { response_level: 0 }, /answers only reads/],
    ['turns', { phase: 28 }, /counts turns/],
    ['no limits', { angle_min: 0, angle_max: 0 }, /has no position limits/],
    ['goal speed', { goal_speed: 300 }, /has a goal speed or acceleration/],
  ] as const)('notes a wrong %s, which a start corrects', async (_, values, text) => {
    const { clock, bus, diagnose } = await emulated(registers(values));
    const before = await diagnose();
    expect(before.problems).toEqual([]);
    expect(before.notes.filter((one) => text.test(one))).toHaveLength(1);
    const joints = new FeetechBus({ bus, clock, calibration });
    expect(await clock.until(joints.start())).toMatchObject({ ok: true });
    await bus.open();
    const after = await diagnose();
    expect([after.problems, after.notes.length]).toEqual([[], 3]);
  });

  it('names a servo that pushes against something', async () => {
    const { emulator, diagnose } = await emulated(registers({ torque: 1, goal: 2400 }));
    for (let j = 0; j < 6; j++) emulator.plant.blocked.add(j);
    emulator.plant.blocked.delete = () => true;
    expect((await diagnose()).problems).toEqual([
      expect.stringMatching(/^Servo 3 holds 0\.5\d* rad from its goal: free what blocks it/),
    ]);
  });

  it('names servos that report an error, and another program on the line', async () => {
    const { emulator, diagnose } = await emulated();
    emulator.servo(2).fail('overload');
    const { problems } = await diagnose();
    expect(problems).toEqual([
      expect.stringMatching(/^Servo 2 reports an error: it is overloaded/),
    ]);
    const servo: StsServo = emulator.servo(4);
    const read = servo.read.bind(servo);
    let goal = 2000;
    servo.read = (address, length) => {
      servo.memory.set('goal', goal++);
      return read(address, length);
    };
    expect((await diagnose()).problems.join()).toMatch(/Another program moves servo 4/);
  });
});

describe('a start of STS servos', () => {
  const started = async (
    servos: readonly StsSetup[],
    change: Partial<(typeof calibration.joints)[number]> = {},
  ) => {
    const { clock, emulator, bus } = await emulated(servos);
    const joints = calibration.joints.map((joint, j) =>
      j === 2 ? { ...joint, ...change } : joint,
    );
    const notes: string[] = [];
    const onStart = (report: readonly { notes: readonly string[] }[]) =>
      notes.push(...report.flatMap((one) => one.notes));
    const options = { bus, clock, calibration: { ...calibration, joints }, onStart };
    return { result: await clock.until(new FeetechBus(options).start()), emulator, notes };
  };

  it('refuses a servo whose position correction is not that of the calibration', async () => {
    const { result, emulator } = await started(STS_SERVOS, { homing_ticks: -300 });
    expect(result).toMatchObject({
      ok: false,
      error: { joint: 2, message: expect.stringMatching(/correction of 0, .* counts on -300/) },
    });
    expect(emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
  });

  it('refuses a servo of another model than calibrated', async () => {
    const servos = [{ id: 3, model: 'STS3250', firmware: 306 }];
    const { result } = await started(STS_SERVOS, { servos });
    expect(result).toMatchObject({
      error: { message: expect.stringMatching(/is an STS3215, but/) },
    });
  });

  it('refuses a held servo that needs another mode, unless the arm is supported', async () => {
    const { result } = await started(registers({ torque: 1, goal: 2048, return_delay: 9 }));
    expect(result).toMatchObject({
      error: { message: expect.stringMatching(/needs return_delay = 0.*--arm-is-supported/) },
    });
  });

  it('writes limits with the lock open and closes it; notes narrower ones', async () => {
    const { emulator, notes } = await started(registers({ torque_max: 600 }), {
      limits: { pwm_percent: 80 },
    });
    const { memory } = emulator.servo(3);
    expect([memory.get('lock'), memory.get('torque_limit')]).toEqual([1, 600]);
    expect(memory.get('angle_min')).toBeGreaterThan(0);
    expect(notes).toEqual([expect.stringMatching(/^keeps torque_max = 600, narrower/)]);
    emulator.servo(3).reboot();
    expect(memory.get('angle_min')).toBeGreaterThan(0);
  });

  it('does not move with firmware that switches torque on by a goal', async () => {
    const { result, emulator } = await started(withThird({ torque_by_goal: true }));
    expect(result).toMatchObject({ ok: true });
    emulator.catchUp();
    expect(Math.abs(emulator.plant.position_rad[2]!)).toBeLessThan(0.02);
  });
});
