/** The document thread runs one task per message and transfers texts without copying them. */

import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Refusal } from '../../contract/refusal.ts';
import type { BodyTask, ReadBody } from './body-task.ts';
import { carriesDocument } from './document-bodies.ts';
import { type DocumentCall, documentTasks } from './document-tasks.ts';
import { withText } from './text-body.ts';
import { memoriesIn } from './transferable-memory.ts';

/** Runs one task. The memory of the result moves to the caller's thread instead of being copied. */
export default function runTask(call: DocumentCall): unknown {
  const run = documentTasks[call.task] as (argument: unknown) => unknown;
  const result = run(call.argument);
  const isText = call.task === 'body' && !carriesDocument((call.argument as BodyTask).route);
  const value = isText ? withText(result as ReadBody | Refusal) : result;
  if (value === null || typeof value !== 'object') return value;
  return move({ [transferableSymbol]: [...memoriesIn(value)], [valueSymbol]: value });
}
