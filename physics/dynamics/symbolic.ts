/**
 * Symbolic arithmetic and code generation: a trace records operations as terms, shares equal terms
 * and folds constants; `compileKernel` turns the used terms into one straight-line function over
 * flat arrays. The dynamics recursions run over it once at start. On the server the function is
 * compiled from source text; in a browser, whose content security policy forbids that, the same
 * operations are interpreted. Operations keep the order of the trace, so results are bit-equal.
 */

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

export type Operation = '+' | '-' | '*' | '/' | 'negate';

/** One value of a trace: a constant, an input read at run time, or an operation. */
export type Term =
  | { readonly kind: 'constant'; readonly id: number; readonly value: number }
  | { readonly kind: 'input'; readonly id: number; readonly array: string; readonly index: number }
  | {
      readonly kind: 'operation';
      readonly id: number;
      readonly operation: Operation;
      readonly left: Term;
      readonly right: Term;
    };

type Negated = Term & { readonly kind: 'operation'; readonly operation: 'negate' };

/** A term without its id. */
type UnnumberedTerm = Term extends infer Kind
  ? Kind extends Term
    ? Omit<Kind, 'id'>
    : never
  : never;

/** Collects terms; every method returns the existing term where an equal one is known. */
export class Trace {
  private readonly known = new Map<string, Term>();
  private readonly list: Term[] = [];
  readonly zero = this.constant(0);

  /** All terms in topological order: operands come first. */
  get terms(): readonly Term[] {
    return this.list;
  }

  constant(value: number): Term {
    const clean = value === 0 ? 0 : value;
    return this.keep(`c${clean}`, { kind: 'constant', value: clean });
  }

  /** The number at `array[index]` when the function is called. */
  input(array: string, index: number): Term {
    return this.keep(`i${array},${index}`, { kind: 'input', array, index });
  }

  add(a: Term, b: Term): Term {
    if (a.kind === 'constant' && b.kind === 'constant') return this.constant(a.value + b.value);
    if (isConstant(a, 0)) return b;
    if (isConstant(b, 0)) return a;
    if (isNegated(b)) return this.subtract(a, b.left);
    if (isNegated(a)) return this.subtract(b, a.left);
    return a.id < b.id ? this.operate('+', a, b) : this.operate('+', b, a);
  }

  subtract(a: Term, b: Term): Term {
    if (a.kind === 'constant' && b.kind === 'constant') return this.constant(a.value - b.value);
    if (a === b) return this.zero;
    if (isConstant(b, 0)) return a;
    if (isConstant(a, 0)) return this.negate(b);
    if (isNegated(b)) return this.add(a, b.left);
    return this.operate('-', a, b);
  }

  multiply(a: Term, b: Term): Term {
    if (a.kind === 'constant' && b.kind === 'constant') return this.constant(a.value * b.value);
    if (isConstant(a, 0) || isConstant(b, 0)) return this.zero;
    if (isConstant(a, 1)) return b;
    if (isConstant(b, 1)) return a;
    if (isConstant(a, -1)) return this.negate(b);
    if (isConstant(b, -1)) return this.negate(a);
    if (isNegated(a)) return this.negate(this.multiply(a.left, b));
    if (isNegated(b)) return this.negate(this.multiply(a, b.left));
    return a.id < b.id ? this.operate('*', a, b) : this.operate('*', b, a);
  }

  divide(a: Term, b: Term): Term {
    if (isConstant(a, 0)) return this.zero;
    return this.operate('/', a, b);
  }

  negate(a: Term): Term {
    if (a.kind === 'constant') return this.constant(-a.value);
    if (isNegated(a)) return a.left;
    if (a.kind === 'operation' && a.operation === '-') return this.subtract(a.right, a.left);
    return this.operate('negate', a, this.zero);
  }

  private operate(operation: Operation, left: Term, right: Term): Term {
    const key = `${operation},${left.id},${right.id}`;
    return this.keep(key, { kind: 'operation', operation, left, right });
  }

  private keep(key: string, fresh: UnnumberedTerm): Term {
    const found = this.known.get(key);
    if (found) return found;
    const term: Term = { ...fresh, id: this.list.length };
    this.known.set(key, term);
    this.list.push(term);
    return term;
  }
}

function isConstant(term: Term, value: number): boolean {
  return term.kind === 'constant' && term.value === value;
}

function isNegated(term: Term): term is Negated {
  return term.kind === 'operation' && term.operation === 'negate';
}
