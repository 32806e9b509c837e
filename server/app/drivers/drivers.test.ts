/** Servo drivers: they start on emulated servos and reject clocks that a bus cannot follow. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ServoEmulator } from '../../../bridge/dynamixel/emulator/servo-emulator.ts';
import { FAMILIES } from '../../../bridge/servo-families.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../../../bridge/transport/tcp-peer.ts';
import { CHOICES, type Config, isSimulated, SERVE_DEFAULTS } from '../../cli/config.ts';
import type { Log } from '../../service/logging/log.ts';
import { createDriver as create } from './drivers.ts';

const lines: string[] = [];
const log: Log = {
  info: (text) => lines.push(text),
  warn: (text) => lines.push(text),
  error: (text) => lines.push(text),
  answered: () => {},
  audit: () => {},
};
const createDriver = (config: Config) => create(config, log);

describe('createDriver', () => {
  it('rejects a clock other than real time for servos', () => {
    const config = {
      ...SERVE_DEFAULTS,
      driver: 'servo' as const,
      pace: { kind: 'stepped' } as const,
    };
    expect(() => createDriver(config)).toThrow(/runs in real time only; remove --clock/);
  });

  it('rejects imperfections of an arm that is not simulated', () => {
    const config = { ...SERVE_DEFAULTS, driver: 'servo', realism: 'worn' } as const;
    expect(() => createDriver(config)).toThrow(/--realism worn needs --driver rapier or fast/);
  });

  it('rejects a servo bus without a calibration', () => {
    const config = { ...SERVE_DEFAULTS, driver: 'servo' as const, bus: 'tcp://127.0.0.1:1' };
    expect(() => createDriver(config)).toThrow(/needs --calibration FILE/);
    expect(() => createDriver({ ...config, bus: 'usb' })).toThrow(
      /is not the address of a servo bus/,
    );
  });

  it.each(['servo', 'mirrored'] as const)('%s starts on emulated servos', async (name) => {
    const { driver, world } = createDriver({ ...SERVE_DEFAULTS, driver: name });
    const feedback = await driver.start();
    expect(feedback.fault).toBeNull();
    expect(world).toBeNull();
    expect(driver.name).toBe(name);
    await driver.stop();
  });

  it.each(FAMILIES)(
    'starts on emulated $name servos, and says what they cannot do',
    async (row) => {
      lines.length = 0;
      const config = { ...SERVE_DEFAULTS, driver: 'servo', servoFamily: row.name } as const;
      const { driver, instruments } = createDriver(config);
      expect((await driver.start()).fault).toBeNull();
      for (const { model } of instruments!.read().servos) expect(row.models).toContain(model);
      await driver.stop();
      for (const lack of row.lacks) expect(lines).toContain(`These servos ${lack}`);
    },
  );

  it('mirrors no servos without a clock, and takes no calibration of another family', () => {
    const config = { ...SERVE_DEFAULTS, driver: 'servo', servoFamily: 'feetech' } as const;
    expect(() => createDriver({ ...config, driver: 'mirrored' })).toThrow(/no clock/);
    const calibration = new URL('../../../fixtures/servos/dynamixel.json', import.meta.url)
      .pathname;
    expect(() => createDriver({ ...config, calibration })).toThrow(/is of dynamixel servos/);
  });

  it('starts on a program behind a socket, and refuses any other line', async () => {
    const external = { ...SERVE_DEFAULTS, driver: 'external' } as const;
    expect(() => createDriver(external)).toThrow(/needs the program that moves the joints/);
    const pace = { kind: 'stepped' } as const;
    expect(() => createDriver({ ...external, pace })).toThrow(/runs in real time only/);
    const program = fileURLToPath(new URL('../../../fixtures/drivers/joints.mjs', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const bus = await new Promise<string>((done) => {
      child.stdout.on('data', (text) => done(String(text).trim()));
    });
    const { driver, world, instruments } = createDriver({ ...external, bus });
    expect((await driver.start()).fault).toBeNull();
    expect([driver.name, world, instruments]).toEqual(['external', null, null]);
    await driver.stop();
    child.kill();
  });

  it('drives servos over TCP with a calibration file', async () => {
    const served = await serveTcpPeer(
      new ServoEmulator({ clock: systemBusClock, supported: true }),
      0,
    );
    const calibration = new URL('../../../fixtures/servos/dynamixel.json', import.meta.url)
      .pathname;
    const bus = `tcp://127.0.0.1:${served.port}`;
    const data = mkdtempSync(join(tmpdir(), 'armtwin-drivers-'));
    const config = { ...SERVE_DEFAULTS, driver: 'servo', bus, calibration, data } as const;
    const { driver } = createDriver(config);
    expect((await driver.start()).fault).toBeNull();
    await expect(createDriver(config).driver.start()).rejects.toThrow(
      /The gateway tcp:.* closes the connection at once, and says "in use by 127.0.0.1/,
    );
    await driver.stop();
    await served.close();
    const report = JSON.parse(readFileSync(join(data, 'servo-start.json'), 'utf8'));
    expect(report.servos).toHaveLength(6);
    expect(report.servos[0]).toMatchObject({ joint: 0, id: 1, model: 'XM540-W270', held: false });
    const registers = report.servos[0].written.map((one: { register: string }) => one.register);
    expect(registers).toContain('velocity_limit');
    expect(lines.join('\n')).toMatch(/J1 \(servo 1\): velocity_limit was \d+ and is now 97/);
    rmSync(data, { recursive: true });
  });
});

it.each(CHOICES.driver.filter((name) => !isSimulated(name)))(
  'docs/hardware.md says how to drive the joints of --driver %s',
  (name) => {
    const page = readFileSync(new URL('../../../docs/hardware.md', import.meta.url), 'utf8');
    expect(page.includes(`--driver ${name}`), `docs/hardware.md: describe --driver ${name}`).toBe(
      true,
    );
  },
);
