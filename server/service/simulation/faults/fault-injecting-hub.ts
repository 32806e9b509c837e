import type { WallClock } from '../../../clock/wall-clock.ts';
import type { StreamMessage } from '../../stream/audience.ts';
import { Hub, type HubOptions } from '../../stream/hub.ts';
import type { FaultRules } from './fault-rules.ts';
import type { MessageFault } from './message-fault.ts';

/** A hub that drops or delays messages. */
export class FaultInjectingHub extends Hub {
  private readonly wall: WallClock;
  private readonly faults: FaultRules<string, MessageFault>;

  constructor(options: HubOptions, wall: WallClock, faults: FaultRules<string, MessageFault>) {
    super(options);
    this.wall = wall;
    this.faults = faults;
  }

  protected override dispatch(type: StreamMessage['type'], send: () => void): void {
    const fault = this.faults.match(type);
    if (fault === null) send();
    else if (fault !== 'drop') this.wall.afterUnreferenced(fault.delay_s * 1000, send);
  }
}
