/**
 * The package's face: a twin inside a test. `createTwin()` is ready when it resolves, on a free
 * port, in memory, on a stepped clock: time passes only by `advance`, and as fast as it can.
 */
import { TICK_S } from '../bridge/arm-driver.ts';
import { startTwin } from './app.ts';
import { tickOf } from './clock/twin-time.ts';
import { type Config, paceOf, TWIN_DEFAULTS } from './config.ts';
import type { Command } from './robot/commands.ts';
import type { Refusal } from './robot/refusal.ts';
import type { Snapshot } from './robot/snapshot.ts';

/** What can be chosen; the defaults are decision D41's. */
export interface TwinOptions extends Partial<Omit<Config, 'pace'>> {
  /** `stepped` (default), `max`, or a multiple of real time. */
  readonly clock?: 'stepped' | 'max' | number;
}

export interface Twin {
  /** Base address, e.g. http://127.0.0.1:40123. */
  readonly url: string;
  readonly port: number;
  /** API token of the first admin. */
  readonly token: string;
  /** Seconds of the twin's time since its start. */
  now_s(): number;
  /** Lets time pass (s); resolves when it has. */
  advance(seconds: number): Promise<void>;
  /** Lets time pass until the robot is in a state, at most `limit_s`; answers whether it is. */
  until(state: string, limit_s: number): Promise<boolean>;
  /** Calls back at a moment of the twin's time (s since its start), between two ticks. */
  at(seconds: number, callback: () => void): void;
  /** The robot's snapshot, without the way over HTTP. */
  snapshot(): Snapshot;
  /** Does a command of the world at once, e.g. an emergency stop. */
  apply(command: Command): Refusal | null;
  /** Fingerprint of the run so far: equal for equal commands by tick at every pace. */
  digest(): string;
  close(): Promise<void>;
}

/** Starts a twin; resolves when go_to works. Close it when the test is over. */
export async function createTwin(options: TwinOptions = {}): Promise<Twin> {
  const { clock, ...settings } = options;
  const pace = paceOf(String(clock ?? 'stepped'));
  if (!pace) throw new TypeError(`clock must be stepped, max or a positive number, not ${clock}`);
  const running = await startTwin({ ...TWIN_DEFAULTS, ...settings, pace });
  const state = () => running.robot.memory.state;
  return {
    url: running.url,
    port: running.port,
    token: settings.token ?? running.madeUp?.token ?? '',
    now_s: () => running.loop.tick * TICK_S,
    advance: (seconds) => running.clock.advance(tickOf(seconds)),
    async until(wanted, limit_s) {
      if (state() !== wanted) {
        await running.clock.advance(tickOf(limit_s), () => state() === wanted);
      }
      return state() === wanted;
    },
    at: (seconds, callback) => void running.timers.at(tickOf(seconds), callback),
    snapshot: () => running.robot.snapshot(),
    apply: (command) => running.loop.apply(command),
    digest: () => running.digest.value(),
    close: () => running.close(),
  };
}
