/** The commands for a servo bus, against the emulator over TCP. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServoEmulator } from '../../../bridge/dynamixel/emulator/servo-emulator.ts';
import { DEFAULT_SERVOS } from '../../../bridge/dynamixel/emulator/servo-setup.ts';
import { systemBusClock as clock } from '../../../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../../../bridge/transport/tcp-peer.ts';
import { runCalibrate } from './calibrate.ts';
import { runDoctor } from './doctor.ts';
import { runEmulateBus } from './emulate-bus.ts';
import { runRelease } from './release.ts';

function captureOutput() {
  const output = { out: '', err: '' };
  const to = (name: 'out' | 'err') => ({
    write: (text: string) => {
      output[name] += text;
    },
  });
  return { output, io: { out: to('out'), err: to('err') } };
}

describe('commands for a servo bus', () => {
  let emulated: Awaited<ReturnType<typeof runEmulateBus>>;
  let bus = '';
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-servo-'));

  beforeAll(async () => {
    const { output, io } = captureOutput();
    emulated = await runEmulateBus({ tcp: 0 }, io);
    bus = output.out.trim().replace('armtwin bus ready ', '');
  });
  afterAll(async () => {
    await emulated.close();
    rmSync(folder, { recursive: true });
  });

  it('emulate-bus prints its address', () => {
    expect(bus).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  });

  it('doctor prints the servos and exits with 0', async () => {
    const { output, io } = captureOutput();
    expect(await runDoctor({ bus }, io)).toBe(0);
    expect(output.out).toMatch(/^ID {2}MODEL .*\n1 {3}XM540-W270 +47 +1000000 +12 V/);
    expect(output.out).toMatch(/^no problem found: the registers of 6 servos .*\n$/m);
  });

  it('doctor --fix corrects what is safe, and exits by what is left', {
    tags: ['slow'],
  }, async () => {
    const servos = DEFAULT_SERVOS.map((setup) =>
      setup.id === 2
        ? { ...setup, registers: { ...setup.registers, temperature_limit: 95 } }
        : setup,
    );
    const served = await serveTcpPeer(new ServoEmulator({ clock, servos, supported: true }), 0);
    const call = { bus: `tcp://127.0.0.1:${served.port}` };
    const said: string[] = [];
    for (const flags of [call, { ...call, fix: true }, call]) {
      const { output, io } = captureOutput();
      said.push(`${await runDoctor(flags, io)} ${output.out.split('\n').slice(-2, -1)}`);
      if ('fix' in flags) expect(output.out).toMatch(/^fix: Servo 2: temperature_limit 95 → 80$/m);
    }
    await served.close();
    expect(said).toEqual([
      expect.stringMatching(/^1 problem: Servo 2 shuts down at 95/),
      expect.stringMatching(/^0 no problem found/),
      expect.stringMatching(/^0 no problem found/),
    ]);
  });

  it("release asks for the operator's word, and then takes the torque off from the last", async () => {
    const emulator = new ServoEmulator({ clock, supported: true });
    for (const { memory } of emulator.servos) memory.set('torque', 1);
    const served = await serveTcpPeer(emulator, 0);
    const call = { bus: `tcp://127.0.0.1:${served.port}` };
    const asked = captureOutput();
    expect(await runRelease(call, asked.io)).toBe(2);
    expect(asked.output.err).toMatch(/^Servos 6, 5, 4, 3, 2, 1 hold; .*--arm-is-supported\n$/);
    expect(emulator.servos.every(({ torqueOn }) => torqueOn)).toBe(true);
    const { output, io } = captureOutput();
    expect(await runRelease({ ...call, armIsSupported: true }, io)).toBe(0);
    expect(output.out).toMatch(/^Servo 6 has let go\nServo 5 has let go\n/);
    expect(emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
    const limp = captureOutput();
    expect(await runRelease(call, limp.io)).toBe(0);
    expect(limp.output).toEqual({ out: expect.stringMatching(/nothing to release/), err: '' });
    await served.close();
  });

  it('release names servos of the calibration that may hold without an answer', async () => {
    const emulator = new ServoEmulator({ clock, servos: DEFAULT_SERVOS.slice(0, 5) });
    const served = await serveTcpPeer(emulator, 0);
    const { output, io } = captureOutput();
    const calibration = 'fixtures/servos/dynamixel.json';
    const call = { bus: `tcp://127.0.0.1:${served.port}`, calibration };
    expect(await runRelease(call, io)).toBe(2);
    expect(output.err).toMatch(/^No answer of servo 6, which may hold; .*--arm-is-supported\n$/);
    await served.close();
  });

  it('calibrate says that no hand turns the servos of this process', async () => {
    const { output, io } = captureOutput();
    const call = { bus: 'memory', out: join(folder, 'calibration.json') };
    expect(await runCalibrate(call, { ...io, input: new PassThrough() })).toBe(2);
    expect(output).toEqual({ out: '', err: expect.stringMatching(/without a calibration/) });
  });

  it('doctor exits with 2 for an invalid bus, and rejects for an unreachable one', async () => {
    const { output, io } = captureOutput();
    expect(await runDoctor({ bus: 'usb' }, io)).toBe(2);
    expect(output.err).toMatch(/is not the address of a servo bus/);
    await expect(runDoctor({ bus: 'tcp://127.0.0.1:1' }, io)).rejects.toThrow(/emulator runs/);
  });

  it.each(['1,2,3', '1,2,3,4,5,5', '1,2,3,4,5,x', '1,2,3,4,5,', '1,2,3,4,5,253'])(
    'calibrate rejects --ids %s before it switches torque off',
    async (ids) => {
      const { output, io } = captureOutput();
      const call = { bus, out: join(folder, 'calibration.json'), ids };
      expect(await runCalibrate(call, { ...io, input: new PassThrough() })).toBe(2);
      expect(output).toEqual({ out: '', err: expect.stringMatching(/--ids takes six different/) });
    },
  );

  it('a second emulator on the same port names the flag to change', async () => {
    const tcp = Number(bus.split(':').at(-1));
    await expect(runEmulateBus({ tcp }, captureOutput().io)).rejects.toThrow(
      /already in use; .* --tcp 0/,
    );
  });

  it('calibrate reports why it failed', async () => {
    const { output, io } = captureOutput();
    const input = new PassThrough();
    input.end('\n'.repeat(20));
    const file = join(folder, 'calibration.json');
    expect(await runCalibrate({ bus, out: file }, { ...io, input })).toBe(1);
    expect(output.err).toMatch(/J1 .*did not turn/);
    expect(() => readFileSync(file)).toThrow();
  });
});
