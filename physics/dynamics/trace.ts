/**
 * Symbolic arithmetic: a trace records operations as terms, shares equal terms and folds
 * constants. The dynamics recursions run over it once at start.
 */

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
