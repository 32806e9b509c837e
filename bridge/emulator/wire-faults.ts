/**
 * What goes wrong on the way between servos and driver: a peer in front of a peer that loses,
 * spoils, doubles, delays and holds up what is answered. Switches stay as they are set.
 */
import type { BusClock } from '../transport/bus-clock.ts';
import type { Receive, WirePeer } from '../transport/transport.ts';

export class WireFaults implements WirePeer {
  /** Answers still to be lost, or to be spoiled by one bit. */
  drop = 0;
  corrupt = 0;
  /** Each answer comes so much later (ms). */
  delay_ms = 0;
  /** Each answer comes twice. */
  duplicate = false;
  /** Bytes in front of each answer. */
  garbage: readonly number[] = [];
  /** Nothing passes in either direction. */
  cut = false;
  /** What waits in both directions while the line is held up; null: it is not. */
  private waiting: (() => void)[] | null = null;
  private readonly peer: WirePeer;
  private readonly clock: BusClock;

  constructor(peer: WirePeer, clock: BusClock) {
    this.peer = peer;
    this.clock = clock;
  }

  attach(send: Receive): Receive {
    const receive = this.peer.attach((bytes) => this.pass(bytes, send));
    return (bytes) => {
      if (this.cut) return;
      const said = bytes.slice();
      this.orLater(() => receive(said));
    };
  }

  /** Everything waits from now on, as at a gateway that is busy with something else. */
  hold(): void {
    this.waiting ??= [];
  }

  /** The line goes on, with all that waited. */
  release(): void {
    const waited = this.waiting ?? [];
    this.waiting = null;
    for (const act of waited) act();
  }

  private orLater(act: () => void): void {
    if (this.waiting) this.waiting.push(act);
    else act();
  }

  private pass(bytes: Uint8Array, send: Receive): void {
    if (this.cut) return;
    if (this.drop > 0) {
      this.drop--;
      return;
    }
    const said = Uint8Array.of(...this.garbage, ...bytes);
    if (this.corrupt > 0) {
      this.corrupt--;
      said[said.length - 3]! ^= 0x10;
    }
    const times = this.duplicate ? 2 : 1;
    for (let i = 0; i < times; i++) this.deliver(said, send);
  }

  private deliver(bytes: Uint8Array, send: Receive): void {
    const deliver = () => this.orLater(() => send(bytes));
    if (this.delay_ms === 0) deliver();
    else this.clock.after(this.delay_ms, deliver);
  }
}
