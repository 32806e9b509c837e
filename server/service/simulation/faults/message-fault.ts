/** What an injected fault does to a message: it is dropped or delayed. */

import { type Refusal, refuseAt } from '../../../../contract/refusal.ts';
import type { ReplyFaultBody, StreamFaultBody } from '../../../../contract/types.generated.ts';
import { type EffectFields, unusedField } from './effect-fields.ts';

/** A delay in wall time (s), or a dropped message. */
export type MessageFault = { readonly delay_s: number } | 'drop';

type MessageFaultBody = ReplyFaultBody | StreamFaultBody;

const FIELDS: EffectFields<MessageFaultBody['effect']> = { drop: [], delay: ['delay_s'] };

/** The fault that a body asks for, or the refusal of its delay. */
export function messageFaultOf(
  body: MessageFaultBody,
): MessageFault | Refusal<'invalid_arguments'> {
  const { effect, delay_s } = body;
  const unused = unusedField(body, effect, FIELDS);
  if (unused) return unused;
  if (effect === 'drop') return 'drop';
  return delay_s === undefined ? refuseAt('/delay_s', 'is required to delay') : { delay_s };
}
