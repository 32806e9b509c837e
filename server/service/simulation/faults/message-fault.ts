/** What an injected fault does to a message: it is dropped or delayed. */

import type { Refusal } from '../../../../contract/refusal.ts';
import type { ReplyFaultBody, StreamFaultBody } from '../../../../contract/types.ts';
import { invalid, unusedField } from './fault-fields.ts';

/** A delay in wall time (s), or a dropped message. */
export type MessageFault = { readonly delay_s: number } | 'drop';

export function messageFault({ effect, delay_s }: ReplyFaultBody | StreamFaultBody): MessageFault {
  return effect === 'drop' ? 'drop' : { delay_s: delay_s ?? 0 };
}

/** What is wrong with the delay of a fault, or null. */
export function delayProblem(
  body: ReplyFaultBody | StreamFaultBody,
): Refusal<'invalid_arguments'> | null {
  const { effect, delay_s } = body;
  if (effect === 'drop') return unusedField(body, effect, ['delay_s']);
  return delay_s === undefined ? invalid('/delay_s', 'is required to delay') : null;
}
