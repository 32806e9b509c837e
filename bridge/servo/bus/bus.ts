/**
 * The half-duplex servo bus: sends requests and collects replies, one transaction at a time.
 * Timeouts follow from the number of bytes on the wire. Replies without a pending request are
 * counted and dropped. It never throws and never blocks. A status carries no address, so a late or
 * repeated one passes for the reply to any request of the same length: single reads therefore have
 * a length of their own each time (`readLength`), and wait for a line in step (`settle`).
 */

import { type BusClock, delay } from '../../transport/bus-clock.ts';
import type { BusTransport, ReportLine } from '../../transport/transport.ts';
import { PACKET_MAX, type Packet, type ServoReply, type Status } from './packet.ts';
import type { PacketStream, WireFormat } from './wire-format.ts';

/** A request and the servos that are to reply. */
export interface Transaction {
  readonly packet: Packet;
  /** Packets without a reply, sent in one write with the request, before it. */
  readonly prepended?: readonly Packet[];
  /** Ids in the order of the replies. */
  readonly ids: readonly number[];
  /** Bytes of data in each reply. */
  readonly length: number;
  /** A fast read: one status carries all replies. */
  readonly fast?: boolean;
  /** Wait in addition to the computed timeout (ms). */
  readonly extra_wait_ms?: number;
  /** True: any number of the servos may reply, and the silence after them means nothing. */
  readonly open?: true;
}

export interface BusSettings {
  readonly baud: number;
  /** Delay of each servo before its reply (µs). */
  readonly return_delay_us: number;
  /** One-way latency between driver and wire (ms). */
  readonly latency_ms: number;
  /** Margin of each timeout (ms). */
  readonly slack_ms: number;
  readonly format: WireFormat;
}

const DEFAULT_BUS_SETTINGS = {
  baud: 1_000_000,
  return_delay_us: 0,
  latency_ms: 1,
  slack_ms: 20,
};

/** Receives the replies in order; missing ones are left out. */
export type TransactionCallback = (replies: readonly ServoReply[]) => void;

export interface BusCounts {
  transactions: number;
  timeouts: number;
  /** Replies without a pending request, as late and repeated ones. */
  unexpected: number;
  /** Packets that the transport did not accept. */
  unsent: number;
}

const BITS_PER_BYTE = 10;
/** Requests in a row without any answer after which what is still on its way is discarded. */
const SILENT_REQUESTS = 2;
/** A timer that fires later than this was delayed; replies may be unread in the socket (ms). */
const LATE_MS = 2;
/** Wait for such replies, and the maximum number of waits. */
const RECHECK_MS = 4;
const RECHECKS_MAX = 2;

/** Shortest and longest silence that shows a line in step again, and the wait for it (ms). */
const QUIET_MS = [8, 200] as const;
const SETTLE_MAX_MS = 2000;
/** The same wait before a single request, which is repeated when its reply is lost (ms). */
const SETTLE_ONE_MS = 250;

/** Requests of a reply that is needed. */
const TRIES = 3;
/** Wait in addition to the timeout when retries are allowed, for a gateway that is busy (ms). */
const EXTRA_WAIT_MS = 40;

/** The arm needs its samples at least this often (ms), and so often to move smoothly. */
const EXCHANGE_MS = { most: 150, smooth: 8 } as const;

/** Packets without a reply that go out at least this often, between transactions. */
export interface Background {
  readonly period_ms: number;
  readonly packets: () => readonly Packet[];
}

interface PendingTransaction {
  readonly transaction: Transaction;
  readonly done: TransactionCallback;
  readonly replies: ServoReply[];
  cancel: () => void;
}

export class Bus {
  readonly counts: BusCounts = { transactions: 0, timeouts: 0, unexpected: 0, unsent: 0 };
  readonly settings: BusSettings;
  /** Replies so far that were missing, unexpected or corrupt: signs of a line out of step. */
  disturbances = 0;
  private readonly transport: BusTransport;
  private readonly clock: BusClock;
  private readonly reader: PacketStream;
  private readonly out = new Uint8Array(2 * PACKET_MAX);
  private readonly queue: (() => void)[] = [];
  private pending: PendingTransaction | null = null;
  /** Requests in a row without any answer. */
  private silent_requests = 0;
  private read_length = 0;
  /** Time of the latest request and of the one before it (ms). */
  private sent_ms = Number.NEGATIVE_INFINITY;
  private former_sent_ms = Number.NEGATIVE_INFINITY;
  /** Time of the latest sign of a line out of step, and how late a reply was at most (ms). */
  private disturbed_ms = Number.NEGATIVE_INFINITY;
  private latest_ms = 0;
  /** How late the latest answer was that came after its question had been given up (ms). */
  late_ms = 0;
  private background: Background | null = null;
  private background_ms = Number.NEGATIVE_INFINITY;

  constructor(
    transport: BusTransport,
    clock: BusClock,
    settings: Pick<BusSettings, 'format'> & Partial<BusSettings>,
  ) {
    this.transport = transport;
    this.clock = clock;
    this.settings = { ...DEFAULT_BUS_SETTINGS, ...settings };
    this.reader = this.settings.format.createReader((status) => this.onStatus(status));
  }

  get name(): string {
    return this.transport.name;
  }

  /** Why the line cannot be used, as a message; null: nothing is known against it. */
  get problem(): string | null {
    return this.transport.problem ?? null;
  }

  /** Passes each loss, failed reopening and return of the line to `report`. */
  watchLine(report: ReportLine): void {
    this.transport.watch?.(report);
  }

  /** Counts of the packet reader. */
  get readerCounts() {
    return this.reader.counts;
  }

  /** True while no transaction is pending or queued. */
  get idle(): boolean {
    return this.pending === null && this.queue.length === 0;
  }

  open(): Promise<void> {
    return this.transport.open((bytes) => {
      const before = this.spoiled;
      this.reader.push(bytes);
      if (this.spoiled > before) this.disturb();
    });
  }

  /** Bytes and packets so far that are no replies. */
  get spoiled(): number {
    const { checksum_errors, malformed, dropped_bytes } = this.reader.counts;
    return checksum_errors + malformed + dropped_bytes;
  }

  /** Replies so far that came whole in length and spoiled in content. */
  get corrupted(): number {
    const { checksum_errors, malformed } = this.reader.counts;
    return checksum_errors + malformed;
  }

  private disturb(): void {
    this.disturbances += 1;
    this.disturbed_ms = this.clock.now_ms();
  }

  /** A length for a single read (bytes) that none of the latest reads has; at least `shortest`. */
  readLength(shortest: number): number {
    const [from, to] = this.settings.format.read_lengths;
    do this.read_length = this.read_length >= to ? from : Math.max(from, this.read_length + 1);
    while (this.read_length < shortest);
    return this.read_length;
  }

  /**
   * Waits until nothing unexpected has arrived for longer than the latest reply so far took; false
   * when the line does not come to that in `most_ms`.
   */
  async settle(most_ms = SETTLE_MAX_MS): Promise<boolean> {
    const { clock } = this;
    const end_ms = clock.now_ms() + most_ms;
    for (let now_ms = clock.now_ms(); now_ms < end_ms; now_ms = clock.now_ms()) {
      const quiet_ms = Math.min(QUIET_MS[1], Math.max(QUIET_MS[0], 2 * this.latest_ms));
      const wait_ms = this.disturbed_ms + quiet_ms - now_ms;
      if (wait_ms <= 0) return true;
      await delay(clock, Math.min(wait_ms, end_ms - now_ms));
    }
    return false;
  }

  /** Sends these packets whenever their period has passed, between transactions; null ends that. */
  setBackground(background: Background | null): void {
    this.background = background;
    if (background) this.keepBackground(background);
  }

  private keepBackground(background: Background): void {
    if (this.background !== background) return;
    if (!this.pending) this.sendDue();
    this.clock.after(background.period_ms, () => this.keepBackground(background));
  }

  /** Sends the packets of the background, where they are due. */
  private sendDue(): void {
    const { background } = this;
    const now_ms = this.clock.now_ms();
    if (!background || now_ms - this.background_ms < background.period_ms) return;
    this.background_ms = now_ms;
    this.send(...background.packets());
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Sends packets without a reply, in one write. */
  send(...packets: readonly Packet[]): void {
    const { format } = this.settings;
    let size = 0;
    for (const packet of packets) size += format.encode(packet, this.out.subarray(size));
    if (size === 0 || !this.transport.write(this.out.subarray(0, size))) this.counts.unsent += 1;
  }

  /**
   * Starts a transaction at once; false when the bus is busy. Calls `done` once, on timeout too.
   */
  tryStart(transaction: Transaction, done: TransactionCallback): boolean {
    if (this.pending) return false;
    this.discardPartial();
    this.sendDue();
    this.counts.transactions += 1;
    this.former_sent_ms = this.sent_ms;
    this.sent_ms = this.clock.now_ms();
    this.pending = { transaction, done, replies: [], cancel: () => {} };
    this.scheduleTimeout(this.timeout_ms(transaction), RECHECKS_MAX);
    this.send(...(transaction.prepended ?? []), transaction.packet);
    return true;
  }

  /**
   * Ends the wait for replies. In a process that was blocked, timers fire before sockets are read.
   * Such a timeout says nothing about the servos, so it waits once more.
   */
  private scheduleTimeout(wait_ms: number, rechecks: number): void {
    const due_ms = this.clock.now_ms() + wait_ms;
    const { transaction } = this.pending!;
    this.pending!.cancel = this.clock.after(wait_ms, () => {
      if (rechecks > 0 && this.clock.now_ms() - due_ms > LATE_MS) {
        this.scheduleTimeout(RECHECK_MS, rechecks - 1);
        return;
      }
      if (!transaction.open) {
        this.counts.timeouts += 1;
        this.disturb();
      }
      this.discardPartial();
      this.discardUnsent();
      this.finish();
    });
  }

  /** A line that carries nothing must not carry old requests and goals once it is back. */
  private discardUnsent(): void {
    this.silent_requests += 1;
    if (this.silent_requests >= SILENT_REQUESTS) this.transport.discard?.();
  }

  /** Bytes that wait in the input before a request are a sign of a line out of step. */
  private discardPartial(): void {
    const before = this.spoiled;
    this.reader.discardPartial();
    if (this.spoiled > before) this.disturb();
  }

  /**
   * The reply of one servo, asked for up to `tries` times; null without one. The transaction is
   * made for each try, so that each read has its own length. A needed reply waits for the line.
   */
  async requestOne(make: () => Transaction, tries = TRIES): Promise<ServoReply | null> {
    const extra_wait_ms = tries > 1 ? EXTRA_WAIT_MS : 0;
    for (let i = 0; i < tries; i++) {
      if (tries > 1) await this.settle(SETTLE_ONE_MS);
      const [reply] = await this.request({ ...make(), extra_wait_ms });
      if (reply) return reply;
    }
    return null;
  }

  /** Queues a transaction; resolves with the replies. */
  request(transaction: Transaction): Promise<readonly ServoReply[]> {
    return new Promise((resolve) => {
      if (this.idle && this.tryStart(transaction, resolve)) return;
      this.queue.push(() => this.tryStart(transaction, resolve));
    });
  }

  /** Why the line is too slow for an exchange by its baud, as a message; null: it is not. */
  slownessFor(exchange: Transaction): string | null {
    const { baud } = this.settings;
    const { most, smooth } = EXCHANGE_MS;
    const need = `the arm needs ${most} ms at most, and ${smooth} ms to move smoothly`;
    const wire_ms = this.wire_ms(exchange);
    if (wire_ms > most) {
      const takes = `an exchange with all servos takes ${Math.round(wire_ms)} ms at ${baud} baud`;
      return `${this.name} is too slow: ${takes}, and ${need}; set servos and adapter to 1 Mbps`;
    }
    return null;
  }

  /** Why the line cannot carry 125 exchanges a second by its baud; null: it can. */
  rateProblem(exchange: Transaction): string | null {
    const wire_ms = this.wire_ms(exchange);
    if (wire_ms <= EXCHANGE_MS.smooth) return null;
    const servos = `${exchange.ids.length} servos`;
    const rate = `${Math.floor(1000 / wire_ms)} readings a second of ${servos}`;
    const what = `At ${this.settings.baud} baud the line carries ${rate}`;
    const need = `the arm needs ${1000 / EXCHANGE_MS.smooth}`;
    return `${what}, and ${need}: set servos and adapter to 1 Mbps`;
  }

  /** Time on the wire of request and replies, plus latencies and margin (ms). */
  timeout_ms(transaction: Transaction): number {
    const { return_delay_us, latency_ms, slack_ms } = this.settings;
    const { ids, extra_wait_ms = 0 } = transaction;
    const delays_ms = (ids.length * return_delay_us) / 1000 + 2 * latency_ms;
    return this.wire_ms(transaction) + delays_ms + slack_ms + extra_wait_ms;
  }

  /** Time on the wire of request and replies (ms). */
  private wire_ms({ packet, prepended = [], ids, length, fast }: Transaction): number {
    const { baud, format } = this.settings;
    const { request_overhead_bytes: overhead, status_overhead_bytes } = format;
    const request_bytes = [...prepended, packet].reduce(
      (sum, { params }) => sum + params.length + overhead,
      0,
    );
    const reply_bytes =
      fast && format.fast
        ? format.fast.bytes(ids.length, length)
        : ids.length * (status_overhead_bytes + length);
    return ((request_bytes + reply_bytes) * BITS_PER_BYTE * 1000) / baud;
  }

  private onStatus(status: Status): void {
    const { pending: running } = this;
    this.silent_requests = 0;
    const now_ms = this.clock.now_ms();
    const accepted = running !== null && this.acceptReply(status, running);
    // An unexpected reply is at least as late as the request before the present one.
    const asked_ms = accepted || !running ? this.sent_ms : this.former_sent_ms;
    this.latest_ms = Math.max(this.latest_ms, now_ms - asked_ms);
    if (!accepted) {
      this.counts.unexpected += 1;
      this.late_ms = now_ms - asked_ms;
      this.disturb();
    } else if (running.replies.length === running.transaction.ids.length) this.finish();
  }

  /** Accepts the next expected reply, or a later one when servos are missing. */
  private acceptReply(status: Status, { transaction, replies }: PendingTransaction): boolean {
    const { id, params } = status;
    const { ids, length, fast } = transaction;
    if (fast) {
      const lengths = ids.map(() => length);
      const parts = this.settings.format.fast?.split(status, lengths);
      if (!parts?.every((part, i) => part.id === ids[i])) return false;
      replies.push(...parts);
      return true;
    }
    const last = replies.at(-1)?.id;
    const next = last === undefined ? 0 : ids.indexOf(last) + 1;
    const failed = ((params[0] ?? 0) & 0x7f) !== 0;
    const fits = params.length === 1 + length || (failed && params.length === 1);
    if (!ids.includes(id, next) || !fits) return false;
    replies.push({ id, error: params[0]!, data: params.slice(1) });
    return true;
  }

  private finish(): void {
    const { pending: running } = this;
    if (!running) return;
    running.cancel();
    this.pending = null;
    running.done(running.replies);
    if (!this.pending) this.queue.shift()?.();
  }
}
