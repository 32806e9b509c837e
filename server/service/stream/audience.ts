/** The audience of an event (§6.1): everyone, one user, or the owner of the lock. */
import type { RobotEvent as ArmEvent, SimEvent } from '../../../contract/types.generated.ts';
import type { StreamReceiver } from './subscriber.ts';

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
export type AudienceOf<Type extends StreamMessage['type']> = Extract<
  Audience,
  { kind: Type extends keyof PrivateEvents ? PrivateEvents[Type] : 'everyone' }
>;

export function isInAudience(subscriber: StreamReceiver, audience: Audience): boolean {
  if (audience.kind === 'everyone') return true;
  if (audience.kind === 'user') return subscriber.caller.user_id === audience.user_id;
  return subscriber.caller.token_id === audience.token_id;
}
