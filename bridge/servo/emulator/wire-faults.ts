/**
 * Fault injection on the wire: a peer in front of another peer that drops, corrupts, repeats,
 * delays or holds its replies. Faults stay as they are set.
 */

import type { BusClock } from '../../transport/bus-clock.ts';
import type { ReceiveBytes, WirePeer } from '../../transport/transport.ts';

export class WireFaults implements WirePeer {
  /** Number of replies still to drop, or to corrupt by one bit. */
  drop = 0;
  corrupt = 0;
  /** Shares of the replies that are lost, and that arrive with a bit turned over. */
  lost_share = 0;
  garbled_share = 0;
  /** Delay of each reply (ms). */
  delay_ms = 0;
  /** Each reply arrives twice. */
  duplicate = false;
  /** Share of the replies that arrive once more, and how much later (ms). */
  doubled = { share: 0, after_ms: 2 };
  /** Share of the replies that are late, and by how much (ms). */
  late = { share: 0, by_ms: 80 };
  /** Noise bytes before each reply. */
  garbage: readonly number[] = [];
  /** Nothing passes in either direction. */
  cut = false;
  /** Transfers in both directions that wait while the line is held; null: not held. */
  private held: (() => void)[] | null = null;
  private readonly peer: WirePeer;
  private readonly clock: BusClock;
  private send: ReceiveBytes = () => {};
  /** Chooses the replies that are lost, garbled, doubled or late. */
  seed = 1;

  constructor(peer: WirePeer, clock: BusClock) {
    this.peer = peer;
    this.clock = clock;
  }

  /** True for this share of the calls. */
  private draw(share: number): boolean {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return share > 0 && this.seed / 2 ** 32 < share;
  }

  attach(send: ReceiveBytes): ReceiveBytes {
    this.send = send;
    const receive = this.peer.attach((bytes) => this.pass(bytes, send));
    return (bytes) => {
      if (this.cut) return;
      const data = bytes.slice();
      this.deferIfHeld(() => receive(data));
    };
  }

  /** Bytes that the driver receives unasked, as from another program on the line. */
  inject(bytes: Uint8Array): void {
    this.send(bytes);
  }

  /** Holds all transfers, as a busy gateway does. */
  hold(): void {
    this.held ??= [];
  }

  /** Releases the line and all held transfers. */
  release(): void {
    const transfers = this.held ?? [];
    this.held = null;
    for (const transfer of transfers) transfer();
  }

  private deferIfHeld(transfer: () => void): void {
    if (this.held) this.held.push(transfer);
    else transfer();
  }

  private pass(bytes: Uint8Array, send: ReceiveBytes): void {
    if (this.cut) return;
    if (this.drop > 0) {
      this.drop--;
      return;
    }
    if (this.draw(this.lost_share)) return;
    const data = Uint8Array.of(...this.garbage, ...bytes);
    if (this.draw(this.garbled_share)) data[data.length - 3]! ^= 0x10;
    if (this.corrupt > 0) {
      this.corrupt--;
      data[data.length - 3]! ^= 0x10;
    }
    const times = this.duplicate ? 2 : 1;
    const delay_ms = this.delay_ms + (this.draw(this.late.share) ? this.late.by_ms : 0);
    for (let i = 0; i < times; i++) this.deliver(data, send, delay_ms);
    if (this.draw(this.doubled.share)) this.deliver(data, send, delay_ms + this.doubled.after_ms);
  }

  private deliver(bytes: Uint8Array, send: ReceiveBytes, delay_ms: number): void {
    const deliver = () => this.deferIfHeld(() => send(bytes));
    if (delay_ms === 0) deliver();
    else this.clock.after(delay_ms, deliver);
  }
}
