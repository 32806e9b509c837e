/**
 * Publishes the events of a run: every event that can fire a hook, numbered, with the twin's time
 * (webhooks §2.3, §4).
 */
import type { EventContent } from '../../contract/hooks/hook-kind.ts';
import type { HookTypeName, RunEvent } from '../../contract/types.generated.ts';
import { type TwinTime, timestamp } from '../../server/clock/twin-time.ts';

export type RunListener = (event: RunEvent) => void;

export class RunLog {
  /** Called before each event: what has come before it is published first. */
  beforeEach: () => void = () => {};
  private sequence = 0;
  /** The time of the latest event: a snapshot or a seed may set the twin's time back. */
  private latest = '';
  private readonly run_id: string;
  private readonly time: TwinTime;
  /** Called with every event, in order. */
  private readonly listener: RunListener;

  constructor(run_id: number, time: TwinTime, listener: RunListener) {
    this.run_id = String(run_id);
    this.time = time;
    this.listener = listener;
  }

  private head() {
    this.beforeEach();
    const now = timestamp(this.time);
    if (now > this.latest) this.latest = now;
    return { run_id: this.run_id, timestamp: this.latest };
  }

  private next(): number {
    return ++this.sequence;
  }

  /**
   * Publishes an event of a type of hook. A reason is said in the log of the run only: the bodies of
   * the specification have no field for it.
   */
  publish<Type extends HookTypeName>(
    hook_type: Type,
    content: EventContent<Type>,
    reason = '',
  ): void {
    const body: object = { ...this.head(), ...content };
    const event = { sequence: this.next(), hook_type, body, ...(reason && { reason }) };
    this.listener(event as RunEvent);
  }
}
