/**
 * Servo failures during a motion, through the whole twin in real time: the arm stops in the
 * expected state, the API keeps working, and errors reset without a motion.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServoEmulator } from '../bridge/dynamixel/emulator/servo-emulator.ts';
import { WireFaults } from '../bridge/servo/emulator/wire-faults.ts';
import { systemBusClock as clock, delay } from '../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../bridge/transport/tcp-peer.ts';
import { type ArmClient, connect } from '../contract/client.ts';
import { type RunningTwin, startTwin } from './app/app.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';

const TOKEN = 'token of the failures';

interface Stage {
  readonly twin: RunningTwin;
  readonly arm: ArmClient;
  readonly emulator: ServoEmulator;
  readonly faults: WireFaults;
  readonly close: () => Promise<void>;
}

async function stage(): Promise<Stage> {
  const emulator = new ServoEmulator({ clock, supported: true, gap_limit_ms: 100 });
  const faults = new WireFaults(emulator, clock);
  const served = await serveTcpPeer(faults, 0);
  const twin = await startTwin({
    ...TWIN_DEFAULTS,
    token: TOKEN,
    driver: 'servo',
    bus: `tcp://127.0.0.1:${served.port}`,
    calibration: new URL('../fixtures/servos/dynamixel.json', import.meta.url).pathname,
    pace: { kind: 'scaled', factor: 1 },
  });
  const close = async () => {
    await twin.close();
    await served.close();
  };
  return { twin, arm: connect({ baseUrl: twin.url, token: TOKEN }), emulator, faults, close };
}

async function reaches({ twin }: Stage, state: string, limit_s = 6): Promise<void> {
  for (let t = 0; t < limit_s && twin.robot.memory.state !== state; t += 0.02) {
    await delay(clock, 20);
  }
  expect(twin.robot.memory.state, twin.robot.memory.error ?? 'no error').toBe(state);
}

/** The joint positions once the arm rests. */
async function rests({ emulator }: Stage): Promise<number[]> {
  await delay(clock, 700);
  emulator.catchUp();
  const before = Array.from(emulator.plant.position_rad);
  await delay(clock, 300);
  emulator.catchUp();
  before.forEach((angle, j) => {
    expect(emulator.plant.position_rad[j], `joint ${j}`).toBeCloseTo(angle, 2);
  });
  return before;
}

/** A joint without torque falls; a support limits the test to the behaviour of the driver. */
function support({ emulator }: Stage): void {
  for (let j = 0; j < 6; j++) emulator.plant.blocked.add(j);
}

async function resetErrors(on: Stage): Promise<void> {
  for (let i = 0; i < 40 && on.twin.robot.memory.state === 'error'; i++) {
    await on.arm.resetErrors().catch(() => delay(clock, 150));
  }
  await reaches(on, 'ready');
}

interface Row {
  readonly event: string;
  readonly begin: (on: Stage) => void;
  /** Takes the cause away, where it does not go by itself. */
  readonly end?: (on: Stage) => void;
  readonly message: RegExp;
  /** The servo lets go of its joint. */
  readonly falls?: true;
}

const ROWS: readonly Row[] = [
  {
    event: 'the line is cut',
    begin: ({ faults }) => Object.assign(faults, { cut: true }),
    end: ({ faults }) => Object.assign(faults, { cut: false }),
    message: /No fresh joint data|No servo answers/,
  },
  {
    event: 'all replies are corrupt',
    begin: ({ faults }) => Object.assign(faults, { corrupt: 1e6 }),
    end: ({ faults }) => Object.assign(faults, { corrupt: 0 }),
    message: /corrupt|No servo answers/,
  },
  {
    event: 'all replies are late',
    begin: ({ faults }) => Object.assign(faults, { delay_ms: 300 }),
    end: ({ faults }) => Object.assign(faults, { delay_ms: 0 }),
    message: /is too slow: /,
  },
  {
    event: 'one servo is lost',
    begin: ({ emulator }) => Object.assign(emulator.servo(4), { dead: true }),
    end: ({ emulator }) => {
      emulator.servo(4).dead = false;
      emulator.servo(4).reboot();
    },
    message: /J4 \(servo 4\) does not answer/,
    falls: true,
  },
  {
    event: 'one servo is overloaded',
    begin: ({ emulator }) => emulator.servo(5).raiseHardwareError(0x20),
    message: /J5 \(servo 5\) reports: it is overloaded/,
    falls: true,
  },
  {
    event: 'one servo restarts',
    begin: ({ emulator }) => emulator.servo(6).reboot(),
    message: /J6 \(servo 6\)/,
    falls: true,
  },
  {
    event: 'a watchdog trips',
    begin: ({ emulator }) => emulator.servo(2).memory.set('watchdog', 255),
    message: /J2 \(servo 2\) stopped by its watchdog/,
  },
  {
    event: 'a joint is blocked',
    begin: ({ emulator }) => emulator.plant.blocked.add(0),
    end: ({ emulator }) => emulator.plant.blocked.delete(0),
    message: /J1 \(servo 1\) does not follow/,
  },
  {
    event: 'the supply sags',
    begin: ({ emulator }) => {
      for (const servo of emulator.servos) servo.setSupply(30);
    },
    end: ({ emulator }) => {
      for (const servo of emulator.servos) servo.setSupply(120);
    },
    message: /./,
    falls: true,
  },
];

describe('during a motion', () => {
  let on: Stage;
  beforeEach(async () => {
    on = await stage();
    await on.arm.takeLock();
    const joints = [1.2, 0, 0, 0, 0, 0] as [number, number, number, number, number, number];
    await on.arm.goTo({ mode: 'automatic', joints, time: 4 });
    await delay(clock, 1200);
    expect(on.twin.robot.memory.state).toBe('running');
  });
  afterEach(() => on.close());

  it.each(ROWS)('$event: error, at rest, and reset without a motion', async (row) => {
    row.begin(on);
    if (row.falls) support(on);
    await reaches(on, 'error');
    const lies = await rests(on);
    expect(on.twin.robot.memory.error).toMatch(row.message);
    const asked_ms = clock.now_ms();
    expect((await on.arm.getSnapshot()).snapshot.control.state).toBe('error');
    expect(clock.now_ms() - asked_ms).toBeLessThan(500);
    row.end?.(on);
    await resetErrors(on);
    (await rests(on)).forEach((angle, j) => {
      expect(angle, `joint ${j}`).toBeCloseTo(lies[j]!, 1);
    });
    expect(on.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
  });

  it('single replies are lost, corrupted and duplicated: the motion ends as planned', async () => {
    on.faults.drop = 1;
    await delay(clock, 300);
    on.faults.corrupt = 1;
    await delay(clock, 300);
    on.faults.duplicate = true;
    on.faults.garbage = [0xff, 0xff, 0xfd, 0x00];
    await reaches(on, 'ready');
    // Factory servos stop short by the friction of their gears, here 0.009 rad.
    expect(Math.abs(on.emulator.plant.position_rad[0]! - 1.2)).toBeLessThan(0.02);
  });
});
