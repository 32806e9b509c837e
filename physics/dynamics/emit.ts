/**
 * Turns the terms of a trace into one straight-line function over flat arrays. The function is
 * compiled from text when a plant starts, on the server only: a page whose content policy forbids
 * that runs no plant. The order of operations is the order of the trace, so its bits are fixed.
 */
import type { Term, Trace } from './expression.ts';

/** A compiled trace: reads its input arrays in the order of their names, writes the last one. */
export type Kernel = (...arrays: Float64Array[]) => void;

interface Usage {
  readonly count: Int32Array;
  /** Bodies of operations that are read more than once or written out. */
  readonly lines: string[];
}

/** Counts how often each term is read on the way to the outputs. */
function countUses(trace: Trace, outputs: readonly Term[]): Int32Array {
  const count = new Int32Array(trace.terms.length);
  for (const output of outputs) count[output.id]! += 1;
  for (let i = trace.terms.length - 1; i >= 0; i--) {
    const term = trace.terms[i]!;
    if (term.kind !== 'operation' || count[i] === 0) continue;
    count[term.left.id]! += 1;
    if (term.operation !== 'negate') count[term.right.id]! += 1;
  }
  return count;
}

function nameOf(term: Term): string {
  if (term.kind === 'constant') return term.value < 0 ? `(${term.value})` : String(term.value);
  return term.kind === 'input' ? `${term.array}${term.index}` : `t${term.id}`;
}

function bodyOf(term: Term, texts: readonly string[]): string {
  if (term.kind === 'input') return `${term.array}[${term.index}]`;
  if (term.kind === 'constant') return nameOf(term);
  const left = texts[term.left.id]!;
  if (term.operation === 'negate') return `-${left}`;
  return `${left}${term.operation}${texts[term.right.id]!}`;
}

/** Text of every used term where it is read; terms read more than once become a line. */
function writeTerms(trace: Trace, usage: Usage): string[] {
  const texts: string[] = [];
  for (const term of trace.terms) {
    const uses = usage.count[term.id]!;
    const name = nameOf(term);
    if (uses === 0 || term.kind === 'constant') texts.push(name);
    else if (uses === 1 && term.kind === 'operation') texts.push(`(${bodyOf(term, texts)})`);
    else {
      usage.lines.push(`const ${name}=${bodyOf(term, texts)};`);
      texts.push(name);
    }
  }
  return texts;
}

/**
 * Compiles a function that reads `inputs` (names as given to `Trace.input`) and writes `outputs`
 * one after the other into its last argument, which may be one of the inputs.
 */
export function emitKernel(
  trace: Trace,
  inputs: readonly string[],
  outputs: readonly Term[],
): Kernel {
  const usage: Usage = { count: countUses(trace, outputs), lines: [] };
  const texts = writeTerms(trace, usage);
  const stores = outputs.map((output, i) => `const o${i}=${texts[output.id]!};`);
  const writes = outputs.map((_, i) => `out[${i}]=o${i};`);
  const body = ['"use strict";', ...usage.lines, ...stores, ...writes].join('\n');
  return new Function(...inputs, 'out', body) as Kernel;
}
