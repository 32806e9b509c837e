/**
 * The hub of an event stream (§6.1): publishes each event to its audience, which is everyone, one
 * user or the lock's owner. A frame is built once for all subscribers, except for the lock status.
 */
import { limits } from '../../contract/limits.ts';
import type { RobotEvent as ArmEvent, Joints, SimEvent } from '../../contract/types.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import type { Caller, LoopEvent, SectionChanges } from '../robot/commands.ts';
import type { EventDelivery } from '../robot/invariant-statements.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Subscriber } from './subscriber.ts';

export type StreamMessage = ArmEvent | SimEvent;

export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'user'; readonly user_id: number }
  | { readonly kind: 'token'; readonly token_id: number };

export const EVERYONE = { kind: 'everyone' } as const satisfies Audience;

/** The audiences of the events that not everyone receives (§6.1). */
interface PrivateEvents {
  backdriving: 'token';
  toolpath_created: 'user';
  toolpath_updated: 'user';
  toolpath_deleted: 'user';
  toolpath_shared: 'user';
}

/** The only audience that an event may have. */
type AudienceOf<Type extends StreamMessage['type']> = Extract<
  Audience,
  { kind: Type extends keyof PrivateEvents ? PrivateEvents[Type] : 'everyone' }
>;

/** How a caller sees the lock (§2.9). */
export function lockAsSeenBy(
  caller: Pick<Caller, 'token_id'>,
  holder: Caller | null,
): { owner: 'you' | 'admin' | 'user' | 'none'; status: 'locked' | 'unlocked' } {
  if (!holder) return { owner: 'none', status: 'unlocked' };
  const owner = holder.token_id === caller.token_id ? 'you' : holder.role;
  return { owner, status: 'locked' };
}

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
  private readonly subscribers = new Set<Subscriber>();
  private readonly options: HubOptions;

  constructor(options: HubOptions) {
    this.options = options;
  }

  get size(): number {
    return this.subscribers.size;
  }

  /** Bytes buffered for the slowest subscriber. */
  get buffered_bytes(): number {
    let bytes = 0;
    for (const { buffered_bytes } of this.subscribers) bytes = Math.max(bytes, buffered_bytes);
    return bytes;
  }

  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
    this.options.onSubscribersChange(true);
  }

  remove(subscriber: Subscriber): void {
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

function isInAudience(subscriber: Subscriber, audience: Audience): boolean {
  if (audience.kind === 'everyone') return true;
  if (audience.kind === 'user') return subscriber.caller.user_id === audience.user_id;
  return subscriber.caller.token_id === audience.token_id;
}
