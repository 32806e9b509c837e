/**
 * Tells every event to those it is meant for (spec §6.1): everyone, one user, the lock's owner.
 * Frames are built once for all receivers; only the lock status differs between them.
 */
import { limits } from '../../contract/limits.ts';
import type { RobotEvent as ArmEvent, Joints, SimEvent } from '../../contract/types.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import type { Caller } from '../robot/commands.ts';
import type { RobotEvent, SnapshotChanges } from '../robot/events.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Subscriber } from './subscriber.ts';

type StreamMessage = ArmEvent | SimEvent;

export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'user'; readonly user_id: number }
  | { readonly kind: 'token'; readonly token_id: number };

export const EVERYONE: Audience = { kind: 'everyone' };

/** How a caller sees the lock (spec §2.9). */
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

export interface HubParts {
  /** Says whether anybody listens: the robot looks for differences only then. */
  readonly onListening: (somebody: boolean) => void;
  readonly lockHolder: () => Caller | null;
  readonly wall: WallClock;
}

/** What shall happen to a message: late by so much (s) of wall time, never; null: nothing. */
export type MessageFate = { readonly delay_s: number } | 'drop' | null;

export class Hub {
  /** Decides over messages by their type: the hand on the twin disturbs the stream here. */
  fateOf: (type: StreamMessage['type']) => MessageFate = () => null;
  private readonly subscribers = new Set<Subscriber>();
  private readonly parts: HubParts;

  constructor(parts: HubParts) {
    this.parts = parts;
  }

  get size(): number {
    return this.subscribers.size;
  }

  /** Bytes waiting for the slowest client. */
  get buffered_bytes(): number {
    let most = 0;
    for (const { buffered_bytes } of this.subscribers) most = Math.max(most, buffered_bytes);
    return most;
  }

  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
    this.parts.onListening(true);
  }

  remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    this.parts.onListening(this.subscribers.size > 0);
  }

  /** Events of the robot, as they leave the loop. */
  publish(events: readonly RobotEvent[]): void {
    for (const event of events) {
      if (event.kind === 'state_change') this.publishState(event.changes);
      else if (event.kind === 'lock_status') this.publishLock(event.holder);
      else if (event.kind === 'backdriving') this.publishWaypoint(event.waypoint);
    }
  }

  private publishState(changes: SnapshotChanges): void {
    this.send('state_change', () => {
      const bytes = frame({ type: 'state_change', changes });
      for (const subscriber of this.subscribers) subscriber.sendState(bytes, changes);
    });
  }

  private publishLock(holder: Caller | null): void {
    this.send('lock_status', () => {
      for (const subscriber of this.subscribers) {
        const lock = lockAsSeenBy(subscriber.caller, holder);
        subscriber.sendEvent(frame({ type: 'lock_status', lock }));
      }
    });
  }

  private publishWaypoint(waypoint: Joints): void {
    const holder = this.parts.lockHolder();
    if (!holder) return;
    this.tell({ type: 'backdriving', waypoint }, { kind: 'token', token_id: holder.token_id });
  }

  /** An event of the service around the robot. */
  tell(message: StreamMessage, audience: Audience): void {
    this.send(message.type, () => {
      const bytes = frame(message);
      for (const subscriber of this.subscribers) {
        if (belongs(subscriber, audience)) subscriber.sendEvent(bytes);
      }
    });
  }

  private send(type: StreamMessage['type'], go: () => void): void {
    const fate = this.fateOf(type);
    if (fate === null) go();
    else if (fate !== 'drop') this.parts.wall.afterUnreferenced(fate.delay_s * 1000, go);
  }

  /** Closes the streams of a session that ended (decision D37). */
  closeSession(session: Session): void {
    for (const subscriber of this.subscribers) {
      if (subscriber.session !== session) continue;
      subscriber.close(limits.stream_session_ended_code, 'session ended');
    }
  }

  /** Asks every client for a sign of life from time to time, until cancelled. */
  keepAlive(wall: WallClock): Cancel {
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

function belongs(subscriber: Subscriber, audience: Audience): boolean {
  if (audience.kind === 'everyone') return true;
  if (audience.kind === 'user') return subscriber.caller.user_id === audience.user_id;
  return subscriber.caller.token_id === audience.token_id;
}
