/**
 * The diagnosis of STS servos finds planted faults with remedies, and none on a good arm.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { Bus } from '../servo/bus/bus.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { applyFixes } from '../servo/diagnosis/servo-fix.ts';
import { WireFaults } from '../servo/emulator/wire-faults.ts';
import type { StartReport } from '../servo/start/start-report.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { diagnoseSts } from './diagnostics.ts';
import { EMULATED_FEETECH_CALIBRATION } from './emulated-calibration.ts';
import type { StsServo } from './emulator/emulated-servo.ts';
import { StsEmulator } from './emulator/servo-emulator.ts';
import { STS_SERVOS, type StsSetup } from './emulator/servo-setup.ts';
import type { StsTableRegister } from './emulator/table-memory.ts';
import { FeetechBus } from './feetech-bus.ts';
import { stsSettings } from './settings.ts';
import { STS_FORMAT } from './sts-format.ts';

const calibration = EMULATED_FEETECH_CALIBRATION;

/** Eight servos on six joints: shoulder and elbow have two. */
const GOOD: readonly StsSetup[] = [
  ...STS_SERVOS,
  ...[2, 3].map((id) => ({ ...STS_SERVOS[id - 1]!, id: id + 10 })),
];
const PAIRED: Calibration = {
  ...calibration,
  joints: calibration.joints.map((joint, j) => ({
    ...joint,
    ids: j === 1 || j === 2 ? [j + 1, j + 11] : [j + 1],
    servos: [{ id: j + 1, model: 'STS3215', firmware: 306 }],
    homing_ticks: 0,
    drive: { ...joint.drive!, position_i: 0 },
  })),
};

async function emulated(servos: readonly StsSetup[] = STS_SERVOS, known = calibration) {
  const clock = new SteppedBusClock();
  const emulator = new StsEmulator({ clock, servos, supported: true });
  const faults = new WireFaults(emulator, clock);
  const bus = new Bus(createMemoryTransport(faults), clock, { format: STS_FORMAT });
  await bus.open();
  const diagnose = () => clock.until(diagnoseSts(bus, clock, { calibration: known }));
  return { clock, emulator, faults, bus, diagnose };
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
    ['mode', { mode: 1 }, /is not in position mode; a start corrects it/],
    ['return delay', { return_delay: 250 }, /has a return delay; a start corrects it/],
    ['status level', { response_level: 0 }, /answers only reads/],
    ['turns', { phase: 28 }, /counts turns/],
    ['no limits', { angle_min: 0, angle_max: 0 }, /has no position limits/],
    ['goal speed', { goal_speed: 300 }, /has a goal speed, time or acceleration/],
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

/** The good arm of eight with one servo changed. */
function changed(id: number, change: Partial<StsSetup>): StsSetup[] {
  return GOOD.map((setup) => (setup.id === id ? { ...setup, ...change } : setup));
}

function planted(id: number, values: Partial<Record<StsTableRegister, number>>): StsSetup[] {
  return changed(id, { registers: values });
}

const PLANTED: readonly (readonly [string, readonly StsSetup[], RegExp])[] = [
  ['a missing servo', GOOD.slice(1), /Servo 1 of J1 does not answer: check/],
  ['a missing second servo', GOOD.slice(0, 7), /Servo 13 of J3 does not answer/],
  ['a servo too many', [...GOOD, { id: 20, joint: 5 }], /Servo 20 is not in the calibration/],
  ['an unsupported model', planted(2, { model: 1284 }), /Servo 2 is of model 1284.*use an STS3215/],
  ['a swapped servo', planted(4, { model: 2825 }), /Servo 4 is of model STS3250, but one of/],
  ['other firmware', planted(4, { firmware_minor: 9 }), /Servo 4 has firmware 309 and had 306/],
  ['a pair of two models', planted(13, { model: 2825 }), /Servo 13 is of another model than/],
  ['a shifted partner', changed(12, { zero_ticks: 2200 }), /Servo 12 is 152 steps from servo 2/],
  ['the wrong mode', planted(13, { mode: 1 }), /Servo 13 is not in position mode/],
  ['a return delay', planted(1, { return_delay: 250 }), /Servo 1 has a return delay/],
  ['silence on writes', planted(1, { response_level: 0 }), /Servo 1 answers only reads/],
  ['counted turns', planted(4, { phase: 28 }), /Servo 4 counts turns/],
  [
    'a goal speed',
    planted(4, { goal_speed: 300 }),
    /Servo 4 has a goal speed, time or acceleration/,
  ],
  [
    'an acceleration',
    planted(4, { acceleration: 9 }),
    /Servo 4 has a goal speed, time or acceleration/,
  ],
  ['no limits', planted(5, { angle_max: 0 }), /Servo 5 has no position limits/],
  [
    'a narrow range',
    planted(3, { angle_max: 2100 }),
    /Servo 3 keeps position_max = 2100, narrower than the cal/,
  ],
  ['a hot limit', planted(2, { temperature_max: 90 }), /Servo 2 unloads at 90 °C only: set reg/],
  ['no protection', planted(2, { unloading: 0 }), /Servo 2 does not unload for all faults/],
  ['a strong overload', planted(2, { protective_torque: 90 }), /Servo 2 keeps 90 % of its torque/],
  ['a late overload', planted(2, { protection_time: 254 }), /Servo 2 unloads after 2\.54 s of/],
  ['an overload limit', planted(2, { overload_torque: 99 }), /Servo 2 counts as overload only 99/],
  ['a low voltage limit', planted(5, { voltage_min: 30 }), /Servo 5 works below its supply range/],
  ['a high voltage limit', planted(5, { voltage_max: 160 }), /Servo 5 works above its supply/],
  ['a supply', planted(5, { voltage_min: 130 }), /Servo 5 has a supply of 12 V, outside/],
  [
    'weak torque',
    planted(1, { torque_limit: 500 }),
    /Servo 1 has a torque limit of 50 % until its next/,
  ],
  ['a torque maximum', planted(1, { torque_max: 300 }), /Servo 1 is weakened by a torque limit/],
  ['a startup force', planted(6, { startup_force: 90 }), /Servo 6 pushes with 9 % of its torque/],
  ['a dead band', planted(6, { dead_cw: 20 }), /Servo 6 does not correct errors of 20 steps/],
  ['one backward', planted(6, { dead_ccw: 20 }), /Servo 6 does not correct errors of -20 steps/],
  ['coarse steps', planted(6, { resolution: 3 }), /Servo 6 counts 3 steps as one/],
  ['another P gain', planted(3, { p: 16 }), /Servo 3 has a P gain of 16, the calibration 32/],
  ['an I gain', planted(3, { i: 9 }), /Servo 3 has an I or D gain that is not that/],
  ['another correction', planted(3, { offset: 300 }), /Servo 3 has a position correction of 300/],
  ['a shifted zero', changed(3, { zero_ticks: 3400 }), /Servo 3 is at 2\.\d+ rad, outside/],
];

describe('the diagnosis of planted misconfigurations of STS servos', () => {
  it('says nothing of a good arm of eight', async () => {
    const { problems, notes } = await (await emulated(GOOD, PAIRED)).diagnose();
    expect([problems, notes.length]).toEqual([[], 3]);
  });

  it.each(PLANTED)('finds %s', async (_, servos, sentence) => {
    const { problems, notes } = await (await emulated(servos, PAIRED)).diagnose();
    expect([...problems, ...notes].filter((one) => sentence.test(one))).toHaveLength(1);
  });

  it('finds two servos of one id, a hot servo, and a line that is slow', async () => {
    const twice = await emulated(changed(5, { id: 1, zero_ticks: 2300 }), PAIRED);
    const { problems } = await twice.diagnose();
    expect(problems).toContainEqual(expect.stringMatching(/^Replies are corrupt: two servos with/));
    expect(problems).toContainEqual(expect.stringMatching(/^Servo 5 of J5 does not answer/));
    const hot = await emulated(GOOD, PAIRED);
    hot.emulator.plant.heat.temperature.fill(68);
    expect((await hot.diagnose()).notes).toContainEqual(
      expect.stringMatching(/Servo 1 is at 68 °C, near its limit/),
    );
    const slow = await emulated(GOOD, PAIRED);
    slow.faults.delay_ms = 16;
    expect((await slow.diagnose()).problems).toContainEqual(
      expect.stringMatching(/Servo 1 answers after 1\d\.\d ms/),
    );
  });
});

/** Planted rows that a correction ends, with what it says. */
const FIXED: Readonly<Record<string, string>> = {
  'a return delay': 'Servo 1: return_delay 250 → 0',
  'a hot limit': 'Servo 2: temperature_limit 90 → 70',
  'no protection': 'Servo 2: unloading 0 → 44',
  'a strong overload': 'Servo 2: protective_torque 90 → 20',
  'a late overload': 'Servo 2: protection_time 254 → 200',
  'an overload limit': 'Servo 2: overload_torque 99 → 80',
  'a low voltage limit': 'Servo 5: voltage_min 30 → 40',
  'a high voltage limit': 'Servo 5: voltage_max 160 → 140',
  'a startup force': 'Servo 6: startup_force 90 → 16',
  'a dead band': 'Servo 6: dead_forward 20 → 1',
  'one backward': 'Servo 6: dead_backward 20 → 1',
};

describe('the correction of planted misconfigurations of STS servos', () => {
  it.each(PLANTED)(
    'of %s writes what is safe, and leaves the rest',
    async (name, servos, sentence) => {
      const { clock, emulator, bus, diagnose } = await emulated(servos, PAIRED);
      const { fixes } = await diagnose();
      const said = FIXED[name];
      const wanted = said === undefined ? [] : [said];
      expect(await clock.until(applyFixes(fixes, stsSettings(bus)))).toEqual(wanted);
      for (const servo of emulator.servos) servo.reboot();
      clock.advance(2000);
      const { problems, notes } = await diagnose();
      const remains = [...problems, ...notes].some((one) => sentence.test(one));
      // What lives in the RAM is gone after the power cycle too.
      if (said !== undefined) expect(remains).toBe(false);
      expect(emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
    },
  );

  it('leaves a servo that holds its joint, and says why', async () => {
    const holding = changed(2, { registers: { temperature_max: 90, torque: 1, goal: 2048 } });
    const { clock, emulator, bus, diagnose } = await emulated(holding, PAIRED);
    const { fixes } = await diagnose();
    expect(await clock.until(applyFixes(fixes, stsSettings(bus)))).toEqual([
      expect.stringMatching(/^Servo 2 keeps temperature_limit = 90: it holds its joint: support/),
    ]);
    expect(emulator.servo(2).memory.get('temperature_max')).toBe(90);
  });
});

describe('a start of STS servos', () => {
  const started = async (
    setups: readonly StsSetup[],
    change: Partial<(typeof calibration.joints)[number]> = {},
  ) => {
    const { clock, emulator, bus } = await emulated(setups);
    const joints = calibration.joints.map((joint, j) =>
      j === 2 ? { ...joint, ...change } : joint,
    );
    const notes: string[] = [];
    const onStart = ({ servos }: StartReport) => notes.push(...servos.flatMap((one) => one.notes));
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
    const { emulator, notes } = await started(registers({ torque_max: 900, angle_max: 2300 }), {
      limits: { pwm_percent: 80 },
    });
    const { memory } = emulator.servo(3);
    expect([memory.get('lock'), memory.get('torque_limit')]).toEqual([1, 800]);
    expect(memory.get('angle_min')).toBeGreaterThan(0);
    expect(notes).toEqual([expect.stringMatching(/^keeps position_max = 2300, narrower/)]);
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
