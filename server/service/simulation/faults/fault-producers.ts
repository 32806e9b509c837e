/**
 * Producers of all fault kinds. Each acts at one port of the twin: driver, inputs, planner,
 * updates, stream, database or replies.
 */

import { pathMatches } from '../path-pattern.ts';
import { armProducers } from './arm-fault-producers.ts';
import { cellProducers } from './cell-fault-producers.ts';
import { createDraw } from './draw.ts';
import type { FaultKind, FaultProducer, FaultProducers } from './fault-kinds.ts';
import type { FaultPorts } from './fault-ports.ts';
import { FaultRules } from './fault-rules.ts';
import { delayProblem, messageFault } from './message-fault.ts';
import type { AnsweredCall, ReplyFaults } from './reply-faults.ts';
import { serviceProducers } from './service-fault-producers.ts';

/** Creates a producer for each fault kind, and the rules of reply faults. */
export function createFaultProducers(ports: FaultPorts): {
  readonly producers: FaultProducers;
  readonly replyFaults: ReplyFaults;
} {
  const replies: ReplyFaults = new FaultRules();
  const reply: FaultProducer<'reply'> = (fault, reporter) => {
    const refusal = delayProblem(fault);
    if (refusal) return refusal;
    const { path, method, times } = fault;
    const draw = createDraw(fault.chance ?? 1, fault.seed ?? 0);
    const matches = (call: AnsweredCall) =>
      pathMatches(call.path, path) && (method ?? call.method) === call.method && draw();
    return replies.add({ matches, effect: messageFault(fault), times }, reporter);
  };
  const arm = { ...armProducers(ports), ...cellProducers(ports) };
  const producers = { ...arm, ...serviceProducers(ports), reply };
  return {
    producers: producers satisfies Record<FaultKind, unknown>,
    replyFaults: replies,
  };
}
