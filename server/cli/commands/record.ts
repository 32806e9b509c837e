/**
 * `armtwin record URL --token … --out FILE`: records what an arm publishes, by its stream or by
 * snapshots, into a capture file for `armtwin fit`. Calls measure the clocks of arm and host
 * meanwhile; what is lost is written down. It changes nothing on the arm and takes no lock. Exits
 * with 0, with 1 when nothing was recorded, with 2 when the arm or the file could not be opened.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../../../contract/client.ts';
import type { RobotEvent } from '../../../contract/types.ts';
import { ARM_MODEL } from '../../../physics/motion/arm-profile.ts';
import { systemClock, wait } from '../../clock/wall-clock.ts';
import {
  CAPTURE_FORMAT,
  type CaptureHead,
  type CaptureLine,
  type Probe,
  type Sections,
  synchronise,
} from '../../recording/capture.ts';
import { parsePace } from '../config.ts';
import type { CommandOutput } from '../output.ts';
import { startupErrorText } from '../startup-errors.ts';

export interface RecordFlags {
  readonly token?: string;
  readonly out?: string;
  /** How long to record (s); until a signal without it. */
  readonly for?: number;
  /** Snapshots a second, in place of the stream. */
  readonly snapshots?: number;
}

/** Time between two measurements of the clocks (ms). */
const PROBE_MS = 1000;
const FIRST_PROBES = 5;

/** One recording of an arm under way. */
class ArmRecorder {
  readonly started_ms = systemClock.epoch_ms();
  private readonly zero_ms = systemClock.now_ms();
  private readonly client: ArmClient;
  private readonly write: (line: object) => void;
  private readonly probes: Probe[] = [];
  /** Headers of the last reply. */
  private headers: Headers | null = null;
  private lostSince_s: number | null = null;
  samples = 0;
  lost_s = 0;
  ended: string | null = null;

  constructor(url: string, token: string, write: (line: object) => void) {
    this.write = write;
    this.client = connect({
      baseUrl: url,
      token,
      WebSocket: WebSocket as StreamSocketClass,
      fetch: async (input, init) => {
        const reply = await fetch(input, init);
        this.headers = reply.headers;
        return reply;
      },
    });
  }

  private get now_s(): number {
    return (systemClock.now_ms() - this.zero_ms) / 1000;
  }

  private line(line: CaptureLine): void {
    this.write(line);
  }

  /** Identifies the arm; rejects where there is none or it refuses the token. */
  async open(url: string, method: CaptureHead['method']): Promise<void> {
    await this.client.session();
    const { name } = await this.client.getName();
    const pace = /clock=([^;]+)/.exec(this.headers?.get('X-Armtwin') ?? '')?.[1] ?? '1';
    const clock = parsePace(pace);
    if (clock?.kind !== 'scaled') {
      throw new Error(
        `its clock is "${pace}": no time passes that could be measured; use --clock 1`,
      );
    }
    const head: CaptureHead = {
      kind: 'head',
      armtwin_capture: CAPTURE_FORMAT,
      arm: ARM_MODEL,
      robot: name,
      url,
      method,
      started: new Date(this.started_ms).toISOString(),
      clock: clock.factor,
    };
    this.write(head);
    for (let i = 0; i < FIRST_PROBES; i++) await this.probe();
  }

  /** Measures the clocks with one call. */
  private async probe(): Promise<void> {
    const t = this.now_s;
    await this.client.getName();
    const back = this.now_s;
    const date = Date.parse(this.headers?.get('Date') ?? '');
    if (!Number.isFinite(date)) return;
    const line = { kind: 'probe', t, back, date } as const;
    this.probes.push(line);
    this.line(line);
  }

  private lose(): void {
    this.lostSince_s ??= this.now_s;
  }

  private find(why: string): void {
    if (this.lostSince_s === null) return;
    const until = this.now_s;
    this.lost_s += until - this.lostSince_s;
    this.line({ kind: 'lost', t: this.lostSince_s, until, why });
    this.lostSince_s = null;
  }

  private async snapshot(): Promise<void> {
    const sent = this.now_s;
    const { snapshot } = await this.client.getSnapshot();
    this.samples++;
    const t = Math.max((sent + this.now_s) / 2, this.last_s);
    this.last_s = t;
    this.line({ kind: 'snapshot', t, sections: { ...snapshot } });
  }

  private last_s = 0;

  private onEvent(event: RobotEvent): void {
    if (event.type !== 'state_change') return;
    const sections = event.changes as Sections;
    if ('servos.telemetry.position' in sections) this.samples++;
    this.last_s = this.now_s;
    this.line({ kind: 'change', t: this.last_s, sections });
  }

  /** Follows the stream until `isOver`; a lost connection is opened again. */
  async followStream(isOver: () => boolean): Promise<void> {
    let isFirst = true;
    const stream = this.client.events({
      reconnect: true,
      onEvent: (event) => this.onEvent(event),
      onStatus: (status) => {
        if (status === 'waiting') this.lose();
        if (status === 'closed') this.ended = 'the arm refused the session';
        if (status !== 'open' || isFirst) return;
        this.find('the stream was closed and opened again');
        // What changed meanwhile is not sent again.
        this.snapshot().catch(() => {});
      },
    });
    await stream.opened;
    isFirst = false;
    await this.snapshot();
    for (let at_ms = systemClock.now_ms(); !isOver() && this.ended === null; ) {
      at_ms += PROBE_MS;
      await this.waitUntil(at_ms, isOver);
      await this.probe().catch(() => {});
    }
    const { ended } = this;
    stream.close();
    this.ended = ended;
  }

  /** Takes snapshots until `isOver`. */
  async takeSnapshots(rate_hz: number, isOver: () => boolean): Promise<void> {
    let probed_ms = systemClock.now_ms();
    for (let at_ms = probed_ms; !isOver(); at_ms += 1000 / rate_hz) {
      await this.waitUntil(at_ms, isOver);
      try {
        await this.snapshot();
        this.find('snapshots failed');
        if (systemClock.now_ms() < probed_ms + PROBE_MS) continue;
        probed_ms = systemClock.now_ms();
        await this.probe();
      } catch {
        this.lose();
      }
    }
  }

  private async waitUntil(at_ms: number, isOver: () => boolean): Promise<void> {
    const left_ms = () => at_ms - systemClock.now_ms();
    while (left_ms() > 0 && !isOver()) await wait(systemClock, Math.min(left_ms(), 100));
  }

  /** Writes the last line; returns what it says of the clocks. */
  finish() {
    this.find('the arm did not answer until the end');
    const sync = synchronise(this.probes, this.started_ms);
    this.line({ kind: 'end', t: this.now_s, ...sync });
    return { ...sync, duration_s: this.now_s };
  }
}

function summaryOf(recorder: ArmRecorder, end: ReturnType<ArmRecorder['finish']>): string {
  const { duration_s, ahead_s, round_trip_s } = end;
  const milliseconds = (seconds: number) => `${(1000 * seconds).toFixed(1)} ms`;
  const middle_s = ahead_s ? (ahead_s[0] + ahead_s[1]) / 2 : 0;
  const clock = ahead_s
    ? `${middle_s.toFixed(3)} s ± ${milliseconds(ahead_s[1] - middle_s)}`
    : 'not known: a clock was set, or the arm sends no date';
  return [
    `recorded ${recorder.samples} samples in ${duration_s.toFixed(1)} s`,
    `lost     ${recorder.lost_s.toFixed(2)} s`,
    `clock    of the arm ahead by ${clock}; shortest call ${milliseconds(round_trip_s)}`,
  ].join('\n');
}

/** Runs the command until its time is over or `signal` aborts; returns the exit code. */
export async function runRecord(
  url: string,
  { token = '', out: path = '', for: limit_s = Number.POSITIVE_INFINITY, snapshots }: RecordFlags,
  { out, err, signal }: CommandOutput & { readonly signal: AbortSignal },
): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  let failure: Error | null = null;
  try {
    await once(file, 'open');
  } catch (error) {
    err.write(`Cannot write ${path}: ${startupErrorText(error)}\n`);
    return 2;
  }
  file.on('error', (error) => {
    failure = error;
  });
  const recorder = new ArmRecorder(url, token, (line) => file.write(`${JSON.stringify(line)}\n`));
  try {
    await recorder.open(url, snapshots === undefined ? 'stream' : 'snapshots');
  } catch (error) {
    err.write(`Cannot record ${url}: ${startupErrorText(error)}\n`);
    file.destroy();
    return 2;
  }
  const end_ms = systemClock.now_ms() + 1000 * limit_s;
  const isOver = () => signal.aborted || failure !== null || systemClock.now_ms() >= end_ms;
  if (snapshots === undefined) await recorder.followStream(isOver);
  else await recorder.takeSnapshots(snapshots, isOver);
  const end = recorder.finish();
  file.end();
  if (!failure) await once(file, 'close');
  else err.write(`Cannot write ${path}: ${startupErrorText(failure)}\n`);
  if (recorder.ended !== null) err.write(`The recording ended early: ${recorder.ended}\n`);
  out.write(`${summaryOf(recorder, end)}\n`);
  if (failure) return 2;
  return recorder.samples === 0 || recorder.ended !== null ? 1 : 0;
}
