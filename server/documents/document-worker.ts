/**
 * Entry point of the document thread: runs one task per message and transfers texts without copying
 * them.
 */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { DocumentCall } from './document-reader.ts';
import { documentTasks, type ReadBody } from './document-tasks.ts';

/** Where a read body has texts. */
interface Texts {
  readonly json?: unknown;
  readonly toolpath?: { readonly json?: unknown };
  readonly toolpaths?: readonly { readonly toolpath?: { readonly json?: unknown } }[];
}

/** The texts in a read body. */
function textsOf({ body }: ReadBody): Uint8Array[] {
  if (body instanceof Uint8Array) return [body];
  if (body === null || typeof body !== 'object') return [];
  const { json, toolpath, toolpaths = [] } = body as Texts;
  const texts = [json, toolpath?.json, ...toolpaths.map((one) => one.toolpath?.json)];
  return texts.filter((text) => text instanceof Uint8Array);
}

/** Runs one task. */
export default function runTask(call: DocumentCall): unknown {
  const run = documentTasks[call.task] as (argument: unknown) => unknown;
  const value = run(call.argument);
  if (call.task !== 'body') return value;
  const texts = textsOf(value as ReadBody);
  const buffers = texts.map((text) => text.buffer);
  return move({ [transferableSymbol]: buffers, [valueSymbol]: value as object });
}
