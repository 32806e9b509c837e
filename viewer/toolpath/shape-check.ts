/**
 * Judges a toolpath's shape in the browser by the same schemas as the server. The server compiles
 * them to code, which the page's content-security policy forbids; this walks them instead. Its
 * verdicts and places are held equal to the server's by test. Spec §2.1.
 */
import { guardProblem, pointerStep } from '../../contract/body-guard.ts';
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/result.ts';
import {
  alternative,
  resolved,
  type Schema,
  type SchemaId,
  schemaOf,
} from '../../contract/schemas.ts';

/** The keywords that only a judge needs. */
interface Rules extends Schema {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly else?: Schema;
}

type Judge = (value: never, rules: Rules) => string | null;

const WORDS: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
};

const numbers: Judge = (value: number, rules) => {
  const { minimum, maximum, exclusiveMinimum } = rules;
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `must be above ${exclusiveMinimum}`;
  }
  return null;
};

const texts: Judge = (value: string, rules) => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = rules;
  const length = [...value].length;
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return null;
  return rules['x-problem'] ?? 'must have another form';
};

const lists: Judge = (value: readonly unknown[], rules) => {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = rules;
  const held = `but has ${value.length}`;
  if (value.length < minItems) return `must have at least ${minItems} items, ${held}`;
  return value.length > maxItems ? `must have at most ${maxItems} items, ${held}` : null;
};

/** What is wrong with the value itself, its parts left out. */
function ownProblem(value: unknown, rules: Rules): string | null {
  const types = rules.type === undefined ? [] : [rules.type].flat();
  if (types.length > 0 && !types.some((type) => WORDS[type]!(value))) {
    return `must be ${types.join(' or ')}`;
  }
  if ('const' in rules && value !== rules.const) {
    return rules['x-problem'] ?? `must be ${JSON.stringify(rules.const)}`;
  }
  if (rules.enum && !rules.enum.includes(value)) {
    return `must be one of ${rules.enum.map((one) => JSON.stringify(one)).join(', ')}`;
  }
  if (typeof value === 'number') return numbers(value as never, rules);
  if (typeof value === 'string') return texts(value as never, rules);
  return Array.isArray(value) ? lists(value as never, rules) : null;
}

class Inspector {
  readonly problems: Problem[] = [];

  look(schema: Schema, value: unknown, path: string): void {
    const rules = resolved(schema) as Rules;
    const own = ownProblem(value, rules);
    if (own) this.problems.push({ path, problem: own });
    else if (Array.isArray(value)) this.lookInList(rules, value, path);
    else if (WORDS['object']!(value)) this.lookInObject(rules, value as object, path);
    this.lookAround(rules, value, path);
  }

  private lookInList(rules: Rules, value: readonly unknown[], path: string): void {
    const { items } = rules;
    if (!items) return;
    for (const [i, item] of value.entries()) this.look(items, item, `${path}/${i}`);
  }

  private lookInObject(rules: Rules, value: object, path: string): void {
    const { properties = {}, required = [], additionalProperties, discriminator } = rules;
    for (const name of required.filter((each) => !Object.hasOwn(value, each))) {
      const problem = 'is missing, and it is required';
      this.problems.push({ path: path + pointerStep(name), problem });
    }
    for (const [name, child] of Object.entries(value)) {
      const at = path + pointerStep(name);
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known) this.look(known, child, at);
      else if (additionalProperties === false) {
        this.problems.push({ path: at, problem: 'is not a known field' });
      }
    }
    if (discriminator && Object.hasOwn(value, discriminator.propertyName)) {
      this.lookAtKind(rules, value, path);
    }
  }

  private lookAtKind(rules: Rules, value: object, path: string): void {
    const chosen = alternative(rules, value);
    const problem = `must have a known ${rules.discriminator!.propertyName}`;
    if (chosen) this.look(chosen, value, path);
    else this.problems.push({ path, problem });
  }

  private lookAround(rules: Rules, value: unknown, path: string): void {
    const problem = rules['x-problem'] ?? 'is not valid';
    if (rules.anyOf && !rules.anyOf.some((schema) => fits(schema, value))) {
      this.problems.push({ path, problem });
    }
    if (rules.not && fits(rules.not, value)) this.problems.push({ path, problem });
    if (rules.if && rules.else && !fits(rules.if, value)) this.look(rules.else, value, path);
  }
}

function fits(schema: Schema, value: unknown): boolean {
  const inspector = new Inspector();
  inspector.look(schema, value, '');
  return inspector.problems.length === 0;
}

/** Everything wrong with a parsed JSON value that shall be of a type of the wire; empty if fit. */
export function shapeProblems(id: SchemaId, value: unknown): readonly Problem[] {
  const unfit = guardProblem(value);
  if (unfit) return [unfit];
  const inspector = new Inspector();
  inspector.look(schemaOf(id), value, '');
  return inspector.problems.slice(0, limits.reported_problems);
}
