import {
  type ArmClient,
  ArmError,
  connect,
  type EventStream,
  type StreamSocketClass,
} from '../../../contract/client.ts';
import type { RobotEvent } from '../../../contract/types.generated.ts';
import { ARM_MODEL } from '../../../physics/motion/arm-profile.ts';
import { systemClock, wait } from '../../clock/wall-clock.ts';
import { isSixNumbers } from '../../identify/angle-check.ts';
import {
  CAPTURE_FORMAT,
  type CaptureHead,
  type CaptureLine,
  type Probe,
  type Sections,
} from '../../identify/capture-format.ts';
import { PROBE_MS, synchronise } from '../../identify/clock-sync.ts';
import { parsePace } from '../pace.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { BoundedSocket } from './bounded-socket.ts';

const FIRST_PROBES = 5;
/** Longest time of a call: a cut line need not end its connections (ms). */
const ANSWER_MAX_MS = 3000;
/** A stream that is silent for longer is compared with a snapshot (s). */
const SILENT_S = 2;
/** The arm moved while the stream was silent when a joint is this far off (rad). */
const MOVED_RAD = 1e-3;

/** Attempts to open the first stream: some proxies pass calls on, but no streams. */
const FIRST_STREAMS = 4;
const NO_STREAM = 'the arm opened no stream of events; record it with --snapshots';
const REFUSED = 'the arm refused the session';
const UNAUTHORIZED = 401;

/** One recording of an arm under way. */
export class ArmRecorder {
  readonly started_ms = systemClock.epoch_ms();
  private readonly zero_ms = systemClock.now_ms();
  private readonly client: ArmClient;
  private readonly write: (line: object) => void;
  private readonly probes: Probe[] = [];
  /** Headers of the last reply. */
  private headers: Headers | null = null;
  private lostSince_s: number | null = null;
  private isFinished = false;
  samples = 0;
  lost_s = 0;
  ended: string | null = null;

  constructor(url: string, token: string, write: (line: object) => void) {
    this.write = write;
    const bounded = boundedFetch(() => ({ answer_ms: ANSWER_MAX_MS }));
    this.client = connect({
      baseUrl: url,
      token,
      WebSocket: BoundedSocket as StreamSocketClass,
      fetch: async (input, init) => {
        const reply = await bounded(input, init);
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
    const named: unknown = await this.client.getName();
    const { name }: { readonly name?: unknown } = Object(named);
    if (typeof name !== 'string') {
      const found = JSON.stringify(named) ?? 'nothing';
      throw new Error(`it is no arm: getName answered without a name: ${found}`);
    }
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
    // Its reply may come after the last line.
    if (this.isFinished) return;
    this.samples++;
    const position: unknown = snapshot['servos.telemetry.position'];
    // What the stream said meanwhile is newer.
    if (this.complete_s <= sent && isSixNumbers(position)) this.position = position;
    const t = Math.max((sent + this.now_s) / 2, this.last_s);
    this.last_s = t;
    this.line({ kind: 'snapshot', t, sections: { ...snapshot } });
  }

  private last_s = 0;
  /** Until when the stream is known to be complete (s), and the angles that it said last. */
  private complete_s = 0;
  private position: readonly number[] | null = null;

  private onEvent(event: RobotEvent): void {
    if (event.type !== 'state_change') return;
    const sections = event.changes as Sections;
    const position = sections['servos.telemetry.position'];
    if (isSixNumbers(position)) {
      this.samples++;
      this.position = position;
    }
    this.last_s = this.now_s;
    this.complete_s = this.last_s;
    this.line({ kind: 'change', t: this.last_s, sections });
  }

  /** Number of the stream that counts. */
  private streams = 0;
  /** Whether a stream was ever open, and how many attempts failed before. */
  private hasOpened = false;
  private failedStreams = 0;

  private openStream(): EventStream {
    this.streams++;
    const number = this.streams;
    return this.client.events({
      reconnect: true,
      onEvent: (event) => this.onEvent(event),
      onStatus: (status) => {
        if (number !== this.streams) return;
        if (status === 'waiting') this.onStreamLost();
        if (status === 'closed') this.ended ??= REFUSED;
        if (status !== 'open') return;
        this.hasOpened = true;
        this.find('the stream was closed and opened again');
        // What was lost before is counted; from here on silence counts again.
        this.complete_s = this.now_s;
        // What changed meanwhile is not sent again.
        this.snapshot().catch(() => {});
      },
    });
  }

  private onStreamLost(): void {
    this.lose();
    if (this.hasOpened) return;
    this.failedStreams++;
    if (this.failedStreams >= FIRST_STREAMS) this.ended = NO_STREAM;
  }

  /** Follows the stream until `isOver`; a connection that is lost or dead is opened again. */
  async followStream(isOver: () => boolean): Promise<void> {
    let stream = this.openStream();
    const isSettled = () => this.hasOpened || this.ended !== null || isOver();
    await this.waitUntil(Number.POSITIVE_INFINITY, isSettled);
    for (let at_ms = systemClock.now_ms(); !isOver() && this.ended === null; ) {
      at_ms = Math.max(at_ms + PROBE_MS, systemClock.now_ms());
      await this.waitUntil(at_ms, isOver);
      if (!(await this.isStreamDead()) || this.lostSince_s !== null) continue;
      this.lostSince_s = this.complete_s;
      const dead = stream;
      stream = this.openStream();
      dead.close();
    }
    this.streams++;
    stream.close();
  }

  /**
   * Measures the clocks. True when the line does not answer, or when the arm has moved without a
   * word on the stream: its connection is dead, though nothing has ended it.
   */
  private async isStreamDead(): Promise<boolean> {
    try {
      await this.probe();
      if (this.now_s - this.complete_s < SILENT_S) return false;
      const asked_s = this.now_s;
      const { snapshot } = await this.client.getSnapshot();
      const position = snapshot['servos.telemetry.position'];
      // What the arm sent meanwhile proves the stream.
      if (this.complete_s > asked_s) return false;
      const off = (angle: number, j: number) => Math.abs(angle - (this.position?.[j] ?? angle));
      if (Math.max(...position.map(off)) > MOVED_RAD) return true;
      this.complete_s = asked_s;
      return false;
    } catch {
      return this.now_s - this.complete_s > SILENT_S;
    }
  }

  /** Takes snapshots until `isOver`. */
  async takeSnapshots(rate_hz: number, isOver: () => boolean): Promise<void> {
    const period_ms = 1000 / rate_hz;
    let probe_ms = systemClock.now_ms() + PROBE_MS;
    const hasEnded = () => this.ended !== null || isOver();
    for (let at_ms = systemClock.now_ms(); !hasEnded(); at_ms += period_ms) {
      await this.waitUntil(at_ms, isOver);
      try {
        await this.snapshot();
        this.find('snapshots failed');
        // At its own time, between two snapshots: their beat would repeat the same phases.
        if (probe_ms > at_ms + period_ms) continue;
        await this.waitUntil(probe_ms, isOver);
        while (probe_ms <= systemClock.now_ms()) probe_ms += PROBE_MS;
        await this.probe();
      } catch (error) {
        this.lose();
        // Without a valid session, no later snapshot can succeed.
        if (error instanceof ArmError && error.status === UNAUTHORIZED) this.ended = REFUSED;
      }
    }
  }

  private async waitUntil(at_ms: number, isOver: () => boolean): Promise<void> {
    const left_ms = () => at_ms - systemClock.now_ms();
    while (left_ms() > 0 && !isOver()) await wait(systemClock, Math.min(left_ms(), 100));
  }

  /** Writes the last line; returns what it says of the clocks. */
  finish() {
    this.find(this.ended ?? 'the arm did not answer until the end');
    const sync = synchronise(this.probes, this.started_ms);
    this.line({ kind: 'end', t: this.now_s, ...sync });
    this.isFinished = true;
    return { ...sync, duration_s: this.now_s };
  }
}
