/**
 * The bus: asks servos over a line and collects their answers, one transaction at a time. A
 * time-out is computed from what has to pass over the wire; an answer that nobody waits for is
 * counted and thrown away. It never throws and never blocks.
 */
import type { BusClock } from '../transport/bus-clock.ts';
import type { Transport } from '../transport/transport.ts';
import { encodePacket, PACKET_MAX, type Packet } from './codec.ts';
import { type ServoReply, splitFastStatus } from './fast-status.ts';
import { BROADCAST_ID, INSTRUCTION } from './instructions.ts';
import { PacketReader, type ReadPacket } from './packet-reader.ts';

/** A question and who is to answer. */
export interface Transaction {
  readonly packet: Packet;
  /** Goes out in one piece with the question, before it; nobody answers to it. */
  readonly ahead?: Packet;
  /** Ids in the order of their answers. */
  readonly ids: readonly number[];
  /** Bytes of data in each answer. */
  readonly length: number;
  /** Answered together in one status. */
  readonly joined?: boolean;
  /** Waited beyond what the wire takes (ms): for questions where nobody knows who will answer. */
  readonly patience_ms?: number;
}

export interface BusSettings {
  readonly baud: number;
  /** What each servo waits before it answers (µs). */
  readonly return_delay_us: number;
  /** One way between driver and line (ms). */
  readonly latency_ms: number;
  /** Added to each time-out (ms). */
  readonly slack_ms: number;
}

export const DEFAULT_BUS: BusSettings = {
  baud: 1_000_000,
  return_delay_us: 0,
  latency_ms: 1,
  slack_ms: 20,
};

/** Answers that came, in order; fewer than asked when some did not. */
export type Done = (replies: readonly ServoReply[]) => void;

export interface BusCounts {
  transactions: number;
  timeouts: number;
  /** Answers nobody asked for, as late and doubled ones. */
  unexpected: number;
  /** Packets that the line did not take. */
  unsent: number;
}

/** Header to checksum of a question and of a status without data. */
const ASKED_SIZE = 10;
const STATUS_SIZE = 11;
const BITS_PER_BYTE = 10;
/** A time-out later than this was late itself: answers may lie unread behind it (ms). */
const LATE_MS = 2;
/** So long are they looked for then, and so often at most. */
const LOOK_MS = 4;
const LOOKS = 2;

interface Running {
  readonly transaction: Transaction;
  readonly done: Done;
  readonly replies: ServoReply[];
  cancel: () => void;
}

export class Bus {
  readonly counts: BusCounts = { transactions: 0, timeouts: 0, unexpected: 0, unsent: 0 };
  readonly settings: BusSettings;
  private readonly transport: Transport;
  private readonly clock: BusClock;
  private readonly reader = new PacketReader((packet) => this.hear(packet));
  private readonly out = new Uint8Array(2 * PACKET_MAX);
  private readonly queue: (() => void)[] = [];
  private running: Running | null = null;

  constructor(transport: Transport, clock: BusClock, settings: Partial<BusSettings> = {}) {
    this.transport = transport;
    this.clock = clock;
    this.settings = { ...DEFAULT_BUS, ...settings };
  }

  get name(): string {
    return this.transport.name;
  }

  /** What the reader of packets has met. */
  get reading() {
    return this.reader.counts;
  }

  /** True while nothing is asked and nothing waits to be. */
  get idle(): boolean {
    return this.running === null && this.queue.length === 0;
  }

  open(): Promise<void> {
    return this.transport.open((bytes) => this.reader.push(bytes));
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Sends what nobody answers, packets behind each other in one piece. */
  send(...packets: readonly Packet[]): void {
    let size = 0;
    for (const packet of packets) size += encodePacket(packet, this.out.subarray(size));
    if (size === 0 || !this.transport.write(this.out.subarray(0, size))) this.counts.unsent += 1;
  }

  /** Asks at once; false when the bus is busy. `done` is called once, on time-out as well. */
  start(transaction: Transaction, done: Done): boolean {
    if (this.running) return false;
    this.reader.forget();
    this.counts.transactions += 1;
    this.running = { transaction, done, replies: [], cancel: () => {} };
    this.giveUpAfter(this.timeout_ms(transaction), LOOKS);
    const { ahead, packet } = transaction;
    if (ahead) this.send(ahead, packet);
    else this.send(packet);
    return true;
  }

  /**
   * Ends the wait for answers. A process that was kept from its work finds its timers due before
   * it has read its sockets: such a time-out says nothing of the servos, so it looks again.
   */
  private giveUpAfter(wait_ms: number, looks: number): void {
    const due_ms = this.clock.now_ms() + wait_ms;
    this.running!.cancel = this.clock.after(wait_ms, () => {
      if (looks > 0 && this.clock.now_ms() - due_ms > LATE_MS) {
        this.giveUpAfter(LOOK_MS, looks - 1);
        return;
      }
      this.counts.timeouts += 1;
      this.reader.forget();
      this.finish();
    });
  }

  /** Asks when its turn comes; answers what came. */
  ask(transaction: Transaction): Promise<readonly ServoReply[]> {
    return new Promise((resolve) => {
      if (this.idle && this.start(transaction, resolve)) return;
      this.queue.push(() => this.start(transaction, resolve));
    });
  }

  /** Time that question and answers take on the wire, and some (ms). */
  timeout_ms({ packet, ahead, ids, length, joined, patience_ms = 0 }: Transaction): number {
    const { baud, return_delay_us, latency_ms, slack_ms } = this.settings;
    const before = ahead ? ahead.params.length + ASKED_SIZE : 0;
    const asked = before + packet.params.length + ASKED_SIZE;
    const answered = joined ? 8 + ids.length * (length + 4) : ids.length * (STATUS_SIZE + length);
    const wire_ms = ((asked + answered) * BITS_PER_BYTE * 1000) / baud;
    return (
      wire_ms + (ids.length * return_delay_us) / 1000 + 2 * latency_ms + slack_ms + patience_ms
    );
  }

  private hear(packet: ReadPacket): void {
    const { running } = this;
    if (packet.instruction !== INSTRUCTION.status) return;
    if (!running || !this.take(packet, running)) this.counts.unexpected += 1;
    else if (running.replies.length === running.transaction.ids.length) this.finish();
  }

  /** Takes an answer that is the next to come, or one behind a servo that is missing. */
  private take({ id, params }: ReadPacket, { transaction, replies }: Running): boolean {
    const { ids, length, joined } = transaction;
    if (joined) {
      if (id !== BROADCAST_ID) return false;
      const parts = splitFastStatus(
        params,
        ids.map(() => length),
      );
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
    const { running } = this;
    if (!running) return;
    running.cancel();
    this.running = null;
    running.done(running.replies);
    if (!this.running) this.queue.shift()?.();
  }
}
