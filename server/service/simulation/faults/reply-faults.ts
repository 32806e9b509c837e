/** Faults of replies to calls. */
import type { FaultRules } from './fault-rules.ts';
import type { MessageFault } from './message-fault.ts';

/** A call as the rules of reply faults see it. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
}

/** The rules of the active reply faults. */
export type ReplyFaults = FaultRules<AnsweredCall, MessageFault>;
