import type { RobotEvent as ArmEvent } from '../../../contract/types.generated.ts';
import type { Caller } from '../../robot/caller.ts';
import type { StreamReceiver } from './subscriber.ts';

/** A receiver in this process: a list that grows with each event, for as long as the twin runs. */
export class EventList implements StreamReceiver {
  /** It needs no session, and so outlives all of them. */
  readonly session = null;
  readonly buffered_bytes = 0;
  readonly caller: Caller;
  readonly events: ArmEvent[] = [];

  constructor(caller: Caller) {
    this.caller = caller;
  }

  sendState(frame: Buffer): void {
    this.sendEvent(frame);
  }

  sendEvent(frame: Buffer): void {
    this.events.push(JSON.parse(frame.toString()) as ArmEvent);
  }

  ping(): void {}

  close(): void {}
}
