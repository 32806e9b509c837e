/**
 * The hub of an event stream (§6.1): publishes each event to its audience. A frame is built once
 * for all subscribers, except for the lock status.
 */

import { limits } from '../../../contract/limits.ts';
import type { Joints } from '../../../contract/types.generated.ts';
import type { Cancel, WallClock } from '../../clock/wall-clock.ts';
import type { Caller } from '../../robot/caller.ts';
import type { EventDelivery } from '../../robot/invariant-statements.ts';
import type { LoopEvent, SectionChanges } from '../../robot/loop-event.ts';
import type { Session } from '../sessions/sessions.ts';
import { type AudienceOf, EVERYONE, isInAudience, type StreamMessage } from './audience.ts';
import { lockAsSeenBy } from './lock-view.ts';
import type { StreamReceiver } from './subscriber.ts';

function frame(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
}

export interface HubOptions {
  /** Called when subscribers come or go: the robot tracks changes only while there are any. */
  readonly onSubscribersChange: (hasSubscribers: boolean) => void;
  readonly lockHolder: () => Caller | null;
  /** Called for each event with an audience when it is published, and again for each receiver. */
  readonly onDelivery?: (delivery: EventDelivery) => void;
}

export class Hub {
  private readonly subscribers = new Set<StreamReceiver>();
  private readonly options: HubOptions;

  constructor(options: HubOptions) {
    this.options = options;
  }

  get size(): number {
    return this.subscribers.size;
  }

  /** The user of each subscriber. */
  get owners(): number[] {
    return [...this.subscribers].map(({ caller }) => caller.user_id);
  }

  /** Bytes buffered for the slowest subscriber. */
  get buffered_bytes(): number {
    let bytes = 0;
    for (const { buffered_bytes } of this.subscribers) bytes = Math.max(bytes, buffered_bytes);
    return bytes;
  }

  add(subscriber: StreamReceiver): void {
    this.subscribers.add(subscriber);
    this.options.onSubscribersChange(true);
  }

  remove(subscriber: StreamReceiver): void {
    this.subscribers.delete(subscriber);
    this.options.onSubscribersChange(this.subscribers.size > 0);
  }

  /** Publishes the events of the control loop. */
  publishRobotEvents(events: readonly LoopEvent[]): void {
    for (const event of events) {
      if (event.kind === 'state_change') this.publishState(event.changes);
      else if (event.kind === 'lock_status') this.publishLock(event.holder);
      else if (event.kind === 'backdriving') this.publishWaypoint(event.waypoint);
    }
  }

  private publishState(changes: SectionChanges): void {
    this.dispatch('state_change', () => {
      const bytes = frame({ type: 'state_change', changes });
      for (const subscriber of this.subscribers) subscriber.sendState(bytes, changes);
    });
  }

  private publishLock(holder: Caller | null): void {
    this.dispatch('lock_status', () => {
      for (const subscriber of this.subscribers) {
        const lock = lockAsSeenBy(subscriber.caller, holder);
        subscriber.sendEvent(frame({ type: 'lock_status', lock }));
      }
    });
  }

  private publishWaypoint(waypoint: Joints): void {
    const holder = this.options.lockHolder();
    if (!holder) return;
    this.publish({ type: 'backdriving', waypoint }, { kind: 'token', token_id: holder.token_id });
  }

  /** Publishes an event to its audience; another one does not compile. */
  publish<Message extends StreamMessage>(
    message: Message,
    audience: AudienceOf<Message['type']>,
  ): void {
    const { type } = message;
    const { onDelivery } = this.options;
    onDelivery?.({ type, audience, receiver: null });
    this.dispatch(type, () => {
      const bytes = frame(message);
      for (const subscriber of this.subscribers) {
        if (!isInAudience(subscriber, audience)) continue;
        if (audience !== EVERYONE) onDelivery?.({ type, audience, receiver: subscriber.caller });
        subscriber.sendEvent(bytes);
      }
    });
  }

  /** Sends a message of a type; a subclass may delay or drop it. */
  protected dispatch(_type: StreamMessage['type'], send: () => void): void {
    send();
  }

  /** Closes the streams of a session that ended (D37). */
  closeSession(session: Session): void {
    for (const subscriber of this.subscribers) {
      if (subscriber.session !== session) continue;
      subscriber.close(limits.stream_session_ended_code, 'session ended');
    }
  }

  /** Pings every subscriber periodically until cancelled. */
  startPings(wall: WallClock): Cancel {
    let cancel: Cancel = () => {};
    const ping = () => {
      for (const subscriber of this.subscribers) subscriber.ping();
      cancel = wall.afterUnreferenced(limits.stream_ping_s * 1000, ping);
    };
    ping();
    return () => cancel();
  }

  closeAll(reason: string): void {
    for (const subscriber of this.subscribers) subscriber.close(1001, reason);
  }
}
