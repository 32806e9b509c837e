import { limits } from '../../contract/limits.ts';
import type { RunEvent } from '../../contract/types.generated.ts';
import type { Cancel, WallClock } from '../../server/clock/wall-clock.ts';
import type { EventFeed, EventSink } from '../../server/service/http/event-feed.ts';
import type { Guard } from '../../server/store/guard.ts';
import type { RunRecord } from '../archive/run-record.ts';
import type { Runs } from '../run/runs.ts';

interface FeedParts {
  readonly runs: Runs;
  readonly record: RunRecord;
  /** The last event that the client has seen. */
  readonly after: number;
  readonly wall: WallClock;
  /** The refusal once the session has ended. */
  readonly recheck: Guard;
}

/**
 * Sends the events of a run after one of them, and then as they happen; read from the record, so
 * that none is skipped.
 */
export class RunEventFeed implements EventFeed {
  private sent: number;
  private sink: EventSink | null = null;
  private isFull = false;
  /** Times at which the client still had not read what was written before. */
  private missed = 0;
  private unsubscribe = () => {};
  private cancelBeat: Cancel = () => {};
  private readonly parts: FeedParts;

  constructor(parts: FeedParts) {
    this.parts = parts;
    this.sent = parts.after;
  }

  get isOver(): boolean {
    const { events, head } = this.parts.record;
    return head.state === 'stopped' && (events.at(-1)?.sequence ?? 0) <= this.sent;
  }

  open(sink: EventSink): void {
    this.sink = sink;
    this.unsubscribe = this.parts.runs.onSaved(this.parts.record, () => this.push());
    this.push();
    this.beat();
  }

  onDrain(): void {
    this.isFull = false;
    this.missed = 0;
    this.push();
  }

  close(): void {
    this.sink = null;
    this.unsubscribe();
    this.cancelBeat();
  }

  private beat(): void {
    this.cancelBeat = this.parts.wall.afterUnreferenced(limits.stream_ping_s * 1000, () => {
      this.beat();
      if (!this.isFull) this.write(': keep-alive\n\n');
      else if (this.parts.recheck() !== null || ++this.missed >= limits.stream_missed_pings) {
        // A reply that only ends would wait for a client that does not read.
        this.end('abort');
      }
    });
  }

  private write(text: string): void {
    if (this.sink === null) return;
    if (this.parts.recheck() !== null) this.end();
    else this.isFull = !this.sink.write(text);
  }

  private end(how: 'end' | 'abort' = 'end'): void {
    const { sink } = this;
    this.close();
    sink?.[how]();
  }

  private push(): void {
    const { record } = this.parts;
    const [first] = record.events;
    if (first && first.sequence > this.sent + 1) {
      // Events beyond the limit of a run are removed, the oldest first.
      const data = JSON.stringify({ from: this.sent + 1, to: first.sequence - 1 });
      this.sent = first.sequence - 1;
      this.write(`event: gap\ndata: ${data}\n\n`);
    }
    const begin = first ? this.sent + 1 - first.sequence : 0;
    for (const event of record.events.slice(begin)) {
      if (this.isFull || this.sink === null) return;
      this.sent = event.sequence;
      this.write(eventText(event));
    }
    if (this.isOver && !this.isFull && this.sink !== null) this.end();
  }
}

function eventText(event: RunEvent): string {
  return `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`;
}
