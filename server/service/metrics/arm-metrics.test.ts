/** Metrics of servo arms on /metrics and /sim/v1: readings, bus, and a fault with its cause. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServoEmulator } from '../../../bridge/dynamixel/emulator/servo-emulator.ts';
import { systemBusClock as clock, delay } from '../../../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../../../bridge/transport/tcp-peer.ts';
import { connect } from '../../../contract/client.ts';
import { type RunningTwin, startTwin } from '../../app/app.ts';
import { TWIN_DEFAULTS } from '../../cli/config.ts';

const TOKEN = 'token of the scrape';
const emulator = new ServoEmulator({ clock, supported: true, gap_limit_ms: 100 });
let twin: RunningTwin;
let closeBus: () => Promise<void>;

beforeAll(async () => {
  const served = await serveTcpPeer(emulator, 0);
  closeBus = served.close;
  twin = await startTwin({
    ...TWIN_DEFAULTS,
    token: TOKEN,
    driver: 'mirrored',
    bus: `tcp://127.0.0.1:${served.port}`,
    calibration: new URL('../../../fixtures/servos/dynamixel.json', import.meta.url).pathname,
    pace: { kind: 'scaled', factor: 1 },
  });
});
afterAll(async () => {
  await twin.close();
  await closeBus();
});

const arm = () => connect({ baseUrl: twin.url, token: TOKEN });

async function figure(name: string): Promise<[labels: string, value: number][]> {
  const text = await (await fetch(`${twin.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => new RegExp(`^armtwin_${name}[ {]`).test(line));
  return lines.map((line) => {
    const at = line.lastIndexOf(' ');
    return [line.slice(0, at), Number(line.slice(at))];
  });
}

/** Waits in real time until a condition is true. */
async function until<Type>(look: () => Promise<Type>, fits: (seen: Type) => boolean) {
  let seen = await look();
  for (let i = 0; i < 100 && !fits(seen); i++) {
    await delay(clock, 30);
    seen = await look();
  }
  return seen;
}

describe('a servo arm', () => {
  it('has readings per servo', async () => {
    const read = () => arm().getServos();
    const sound = ({ servos }: Awaited<ReturnType<typeof read>>) =>
      servos.every(({ voltage_v }) => voltage_v > 0);
    const { driver, fault, servos, bus } = await until(read, sound);
    expect([driver, fault]).toEqual(['mirrored', null]);
    expect(servos[3]).toMatchObject({ joint: 3, id: 4, model: 'XM430-W350', voltage_v: 12 });
    expect(servos.every(({ temperature_c }) => temperature_c > 20)).toBe(true);
    expect(bus.transactions).toBeGreaterThan(20);
    expect(bus.cycle_p99_ms).toBeGreaterThanOrEqual(bus.cycle_p50_ms);
    expect(bus.period_p99_ms).toBeGreaterThan(5);
  });

  it('has metrics, with its difference from the model', async () => {
    const volts = await figure('servo_voltage_volts');
    expect(volts).toHaveLength(6);
    expect(volts[0]).toEqual([
      'armtwin_servo_voltage_volts{joint="0",servo="1",model="XM540-W270"}',
      12,
    ]);
    expect(await figure('mirror_position_rad')).toHaveLength(6);
    const { mirror } = await arm().getServos();
    expect(mirror?.every(({ position_max_rad }) => position_max_rad < 0.05)).toBe(true);
    expect(await figure('driver_fault')).toEqual([]);
  });

  it('names the joint and the cause of a fault in metrics, log and refusals', async () => {
    emulator.servo(5).raiseHardwareError(0x20);
    const { fault } = await until(
      () => arm().getServos(),
      (reply) => reply.fault !== null,
    );
    expect(fault).toMatchObject({ kind: 'overload', joint: 4 });
    expect(await figure('driver_fault')).toEqual([
      [expect.stringMatching(/kind="overload",joint="4",cause="J5 \(servo 5\) reports/), 1],
    ]);
    await until(
      async () => twin.robot.memory.state,
      (state) => state === 'error',
    );
    expect(twin.robot.memory.error).toMatch(/J5 \(servo 5\) reports: it is overloaded/);
    const client = arm();
    await client.takeLock();
    await expect(client.resetErrors()).rejects.toThrow(/J5 \(servo 5\)/);
  });
});
