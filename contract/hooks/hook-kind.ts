/** What a type of hook is made of (webhooks §2.2, §2.3). */

import type { Hook, HookTypeName, RunEvent } from '../types.generated.ts';

/** The body of the events of a type. */
type EventBody<Type extends HookTypeName> = Extract<RunEvent, { hook_type: Type }>['body'];

/** What an event says besides its run and its time. */
export type EventContent<Type extends HookTypeName> = Omit<EventBody<Type>, 'run_id' | 'timestamp'>;

/** A type of hook, and the events that fire it. */
export interface HookKind<Type extends HookTypeName = HookTypeName> {
  /** Short name of its events on pages. */
  readonly title: string;
  /** Its name in the deprecated `filter` of a hook; null for a type that has none. */
  readonly filter: NonNullable<Hook['filter']> | null;
  /** The members that only hooks of this type have: one makes a hook without `type` one of it. */
  readonly ownMembers: readonly (keyof Hook)[];
  /** The fields of a body, in the order in which it is sent. */
  readonly fields: readonly (keyof EventBody<Type>)[];
  /** Whether its deliveries wait behind no other of their run (D51). */
  readonly isUrgent?: true;
  /** Whether an event of the type fires a hook of the type. */
  matches(hook: Hook, body: EventBody<Type>): boolean;
  /** What the event of a test call says. */
  readonly sample: EventContent<Type>;
  /** For events of things that begin and end; absent for those that stand alone. */
  readonly span?: {
    /** Names what begins and ends. */
    subjectOf(body: EventBody<Type>): string;
    isBegin(body: EventBody<Type>): boolean;
    /** What its failure says, after its begin. */
    failed(begin: EventBody<Type>, error: string): EventBody<Type>;
  };
}

/** A type of hook, for code that does not ask which. */
export type AnyHookKind = Omit<HookKind, 'fields' | 'sample'> & {
  readonly fields: readonly string[];
  readonly sample: object;
};

/** Whether an id is one of a list of a hook; every id is one of an absent or empty list. */
export function isListed(list: readonly string[] | undefined, id: string): boolean {
  return list === undefined || list.length === 0 || list.includes(id);
}
