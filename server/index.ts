/**
 * The package's main entry point: a twin for tests. `createTwin()` resolves when the twin is ready,
 * by default on a free port, in memory, on a stepped clock: time passes only by `advance`.
 */
import { TICK_S } from '../bridge/arm-driver.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { CellEvent, CellObjectState } from '../contract/types.ts';
import { objectState } from '../physics/cell/cell-events.ts';
import { faultTexts } from '../physics/cell/cell-faults.ts';
import { startTwin } from './app/app.ts';
import { type Config, parsePace, TWIN_DEFAULTS } from './cli/config.ts';
import { startupErrorText } from './cli/startup-errors.ts';
import { checkTwinOptions } from './cli/twin-options.ts';
import { tickOf } from './clock/twin-time.ts';
import type { Command } from './robot/commands.ts';
import type { SnapshotSections } from './robot/snapshot.ts';

/** The options of a twin; defaults: D41. */
export interface TwinOptions extends Partial<Omit<Config, 'pace'>> {
  /** `stepped` (default), `max`, or a multiple of real time. */
  readonly clock?: 'stepped' | 'max' | number;
}

/** An object of the cell now. */
export interface TwinObject extends CellObjectState {
  readonly events: readonly CellEvent[];
  /** Injected faults of the object and of the parts of the cell, in sentences. */
  readonly faults: readonly string[];
  /** Distance from a nest (m); null for an unknown nest. */
  readonly distanceFrom_m: (nest: string) => number | null;
}

export interface Twin {
  /** Base URL, e.g. http://127.0.0.1:40123. */
  readonly url: string;
  readonly port: number;
  /** API token of the first admin. */
  readonly token: string;
  /** Address of the live connection for Foxglove, without `?token=`; null without the option. */
  readonly foxgloveUrl: string | null;
  /** Seconds of the twin's time since its start. */
  now_s(): number;
  /** Advances twin time (s); resolves when it has passed. */
  advance(seconds: number): Promise<void>;
  /** Advances time until the robot is in a state, at most `limit_s`; returns whether it is. */
  until(state: string, limit_s: number): Promise<boolean>;
  /** Calls back at a twin time (s since its start), between two ticks. */
  at(seconds: number, callback: () => void): void;
  /** The robot's snapshot, without HTTP. */
  snapshot(): SnapshotSections;
  /** An object of the cell with its events, or null for an unknown one. */
  cellObject(name: string): TwinObject | null;
  /** Applies a command immediately, e.g. an emergency stop. */
  apply(command: Command): Refusal | null;
  /** Digest of the run so far: equal for equal commands by tick at every pace. */
  digest(): string;
  close(): Promise<void>;
}

/** Starts a twin; resolves when it is ready for commands. Close it after the test. */
export async function createTwin(options: TwinOptions = {}): Promise<Twin> {
  checkTwinOptions(options);
  const { clock, ...settings } = options;
  const pace = parsePace(String(clock ?? 'stepped')) ?? TWIN_DEFAULTS.pace;
  const config = { ...TWIN_DEFAULTS, ...settings, pace };
  const running = await startTwin(config).catch((cause: unknown) => {
    throw new Error(`createTwin: ${startupErrorText(cause)}`, { cause });
  });
  const state = () => running.robot.memory.state;
  return {
    url: running.url,
    port: running.port,
    token: settings.token ?? running.generatedCredentials?.token ?? '',
    foxgloveUrl: running.foxgloveUrl,
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
    cellObject(name) {
      const { cell = null } = running.world ?? {};
      const i = cell?.model.bodies.findIndex((body) => body.name === name) ?? -1;
      if (!cell || i < 0) return null;
      const events = cell.events.list().filter(({ object }) => object === name);
      const distanceFrom_m = (nest: string) => cell.places.distanceFrom(nest, i);
      const faults = faultTexts(cell, i);
      return { ...objectState(cell, i), events, faults, distanceFrom_m };
    },
    apply: (command) => running.loop.apply(command),
    digest: () => running.digest.value(),
    close: () => running.close(),
  };
}
