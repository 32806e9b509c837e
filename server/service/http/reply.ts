/** What a handler answers: a reply with its body, or a refusal. */

import type { ErrorName } from '../../../contract/errors.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { EventFeed } from './event-feed.ts';

/** A long text in pieces: an array of known size, or made by a generator while they are sent. */
export type Pieces = readonly (string | Uint8Array)[] | Generator<string>;

/** A successful reply; `{}` where the route has no reply body. */
export interface Reply {
  readonly reply: object;
  /**
   * The body as JSON text, in place of `reply`: whole, in pieces if a worker thread built it, or in
   * pieces that are made while it is sent.
   */
  readonly text?: string | Pieces;
  /** A file of another media type, in place of JSON. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Events that are sent as they happen, in place of JSON. */
  readonly feed?: EventFeed;
  /** The reply of an earlier call with the same idempotency key. */
  readonly isRepeated?: true;
}

export type Answer<Name extends ErrorName = ErrorName> = Reply | Refusal<Name>;

export const EMPTY: Reply = { reply: {} };

/** Creates a reply with this body. */
export function answer(reply: object): Reply {
  return { reply };
}

/** Items of a list that are written at a time. */
const LIST_ITEMS = 200;

/** A list, or one whose items are made when a part of it is wanted. */
type ListItems = Pick<readonly object[], 'length' | 'slice'>;

function* listPieces(name: string, items: ListItems, rest: object): Generator<string> {
  for (let from = 0; from < items.length; from += LIST_ITEMS) {
    const before = from === 0 ? `{${JSON.stringify(name)}:[` : ',';
    const some = items.slice(from, from + LIST_ITEMS);
    yield before + some.map((item) => JSON.stringify(item)).join(',');
  }
  const after = JSON.stringify(rest).slice(1);
  yield after === '}' ? ']}' : `],${after}`;
}

/** Creates a reply with a list that may be long, and other fields: ticks go between its pieces. */
export function answerList(name: string, items: ListItems, rest: object = {}): Reply {
  if (items.length <= LIST_ITEMS) return answer({ [name]: items.slice(), ...rest });
  return { ...EMPTY, text: listPieces(name, items, rest) };
}

/** The answer to a command: an empty reply, or the refusal. */
export function done<Name extends ErrorName>(refusal: Refusal<Name> | null): Answer<Name> {
  return refusal ?? EMPTY;
}
