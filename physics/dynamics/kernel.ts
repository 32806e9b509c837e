/**
 * Code generation: turns the used terms of a trace into one straight-line function over flat
 * arrays. On the server the function is compiled from source text; in a browser, whose content
 * security policy forbids that, the same operations are interpreted. Operations keep the order of
 * the trace, so results are bit-equal.
 */
import type { Operation, Term, Trace } from './trace.ts';

/** A compiled trace: reads its input arrays in the given order and writes the last argument. */
export type Kernel = (...arrays: Float64Array[]) => void;

interface Usage {
  readonly count: Int32Array;
  /** Statements for operations that are read more than once or written out. */
  readonly lines: string[];
}

/** Counts the uses of each term that the outputs depend on. */
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

/** Source text of every used term; a term read more than once becomes a statement. */
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

/** Whether source text must not be compiled here: pages and their workers forbid eval. */
const IN_BROWSER = 'window' in globalThis || 'WorkerGlobalScope' in globalThis;

const CODES: Readonly<Record<Operation, number>> = { '+': 0, '-': 1, '*': 2, '/': 3, negate: 4 };

/** The result of an operation with a code of `CODES`. */
function calculate(code: number, left: number, right: number): number {
  if (code === 0) return left + right;
  if (code === 1) return left - right;
  if (code === 2) return left * right;
  return code === 3 ? left / right : -left;
}

/** The kernel of `compileKernel` without source text: runs the used operations one by one. */
export function interpretKernel(
  trace: Trace,
  inputs: readonly string[],
  outputs: readonly Term[],
): Kernel {
  const count = countUses(trace, outputs);
  const values = new Float64Array(trace.terms.length);
  const reads: { readonly id: number; readonly array: number; readonly index: number }[] = [];
  const operations: number[] = [];
  for (const term of trace.terms) {
    if (count[term.id] === 0) continue;
    if (term.kind === 'constant') values[term.id] = term.value;
    else if (term.kind === 'input') {
      reads.push({ id: term.id, array: inputs.indexOf(term.array), index: term.index });
    } else operations.push(CODES[term.operation], term.id, term.left.id, term.right.id);
  }
  const program = Int32Array.from(operations);
  return (...arrays) => {
    const out = arrays[inputs.length]!;
    for (const { id, array, index } of reads) values[id] = arrays[array]![index]!;
    for (let i = 0; i < program.length; i += 4) {
      const left = values[program[i + 2]!]!;
      const right = values[program[i + 3]!]!;
      values[program[i + 1]!] = calculate(program[i]!, left, right);
    }
    for (let i = 0; i < outputs.length; i++) out[i] = values[outputs[i]!.id]!;
  };
}

/**
 * Compiles a function that reads `inputs` (names as given to `Trace.input`) and writes `outputs`
 * one after the other into its last argument, which may be one of the inputs.
 */
export function compileKernel(
  trace: Trace,
  inputs: readonly string[],
  outputs: readonly Term[],
): Kernel {
  if (IN_BROWSER) return interpretKernel(trace, inputs, outputs);
  const usage: Usage = { count: countUses(trace, outputs), lines: [] };
  const texts = writeTerms(trace, usage);
  const stores = outputs.map((output, i) => `const o${i}=${texts[output.id]!};`);
  const writes = outputs.map((_, i) => `out[${i}]=o${i};`);
  const body = ['"use strict";', ...usage.lines, ...stores, ...writes].join('\n');
  return new Function(...inputs, 'out', body) as Kernel;
}
