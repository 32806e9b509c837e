/**
 * Checks a toolpath against the server's JSON schemas in the browser. The server compiles the
 * schemas to code, which the page's content-security policy forbids; this interprets them. Tests
 * compare its results and paths with the server's. §2.1.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/refusal.ts';
import {
  alternative,
  pointerSegment,
  resolved,
  type Schema,
  type SchemaId,
  schemaOf,
  tagValues,
  unsafeContent,
} from '../../contract/schemas.ts';

/** Schema keywords that only validation needs. */
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

type Check = (value: never, rules: Rules) => string | null;

const TYPE_CHECKS: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
};

const numbers: Check = (value: number, rules) => {
  const { minimum, maximum, exclusiveMinimum } = rules;
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `must be above ${exclusiveMinimum}`;
  }
  return null;
};

const texts: Check = (value: string, rules) => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = rules;
  const length = [...value].length;
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return null;
  return rules['x-problem'] ?? 'must have another form';
};

const lists: Check = (value: readonly unknown[], rules) => {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = rules;
  const held = `but has ${value.length}`;
  if (value.length < minItems) return `must have at least ${minItems} items, ${held}`;
  return value.length > maxItems ? `must have at most ${maxItems} items, ${held}` : null;
};

/** Problem of a value itself, without its members. */
function ownProblem(value: unknown, rules: Rules): string | null {
  const types = rules.type === undefined ? [] : [rules.type].flat();
  if (types.length > 0 && !types.some((type) => TYPE_CHECKS[type]!(value))) {
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

class ShapeChecker {
  readonly problems: Problem[] = [];

  look(schema: Schema, value: unknown, path: string): void {
    const rules = resolved(schema) as Rules;
    const own = ownProblem(value, rules);
    if (own) this.problems.push({ path, problem: own });
    else if (Array.isArray(value)) this.lookInList(rules, value, path);
    else if (TYPE_CHECKS['object']!(value)) this.lookInObject(rules, value as object, path);
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
      this.problems.push({ path: path + pointerSegment(name), problem });
    }
    for (const [name, child] of Object.entries(value)) {
      const at = path + pointerSegment(name);
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
    const kinds = tagValues(rules).map((one) => JSON.stringify(one));
    const tag = rules.discriminator!.propertyName;
    const problem = `must have a ${tag} that is one of ${kinds.join(', ')}`;
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
  const inspector = new ShapeChecker();
  inspector.look(schema, value, '');
  return inspector.problems.length === 0;
}

/** All problems of a parsed JSON value against a schema; empty if valid. */
export function shapeProblems(id: SchemaId, value: unknown): readonly Problem[] {
  const unfit = unsafeContent(value);
  if (unfit) return [unfit];
  const inspector = new ShapeChecker();
  inspector.look(schemaOf(id), value, '');
  return inspector.problems.slice(0, limits.reported_problems);
}
