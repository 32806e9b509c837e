/** A whole twin over servos: it comes up on them, and refuses clocks that a bus cannot keep. */
import { describe, expect, it } from 'vitest';
import { ServoEmulator } from '../bridge/emulator/servo-emulator.ts';
import { systemBusClock } from '../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../bridge/transport/tcp-peer.ts';
import { SERVE_DEFAULTS } from './config.ts';
import { drivers } from './drivers.ts';

describe('the table of drivers', () => {
  it('refuses a clock that is not real for servos', () => {
    const config = {
      ...SERVE_DEFAULTS,
      driver: 'servo' as const,
      pace: { kind: 'stepped' } as const,
    };
    expect(() => drivers.servo(config)).toThrow(/keeps real time: leave out --clock/);
  });

  it('refuses a bus of servos that nobody has calibrated', () => {
    const config = { ...SERVE_DEFAULTS, bus: 'tcp://127.0.0.1:1' };
    expect(() => drivers.servo(config)).toThrow(/needs --calibration FILE/);
    expect(() => drivers.servo({ ...config, bus: 'usb' })).toThrow(/names no servo bus/);
  });

  it.each(['servo', 'mirrored'] as const)('%s starts on emulated servos', async (name) => {
    const { driver, world } = drivers[name]({ ...SERVE_DEFAULTS, driver: name });
    const feedback = await driver.start();
    expect(feedback.fault).toBeNull();
    expect(world).toBeNull();
    expect(driver.name).toBe(name);
    await driver.stop();
  });

  it('reaches servos over TCP with the calibration of a file', async () => {
    const served = await serveTcpPeer(
      new ServoEmulator({ clock: systemBusClock, supported: true }),
      0,
    );
    const calibration = new URL('../fixtures/servos/emulated.json', import.meta.url).pathname;
    const bus = `tcp://127.0.0.1:${served.port}`;
    const { driver } = drivers.servo({ ...SERVE_DEFAULTS, driver: 'servo', bus, calibration });
    expect((await driver.start()).fault).toBeNull();
    await driver.stop();
    await served.close();
  });
});
