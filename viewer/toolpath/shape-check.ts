/**
 * Checks a toolpath against the server's JSON schemas in the browser. The server compiles the
 * schemas to code, which the page's content-security policy forbids; this interprets them. Tests
 * compare its results and paths with the server's. §2.1.
 */

import { pointerSegment } from '../../contract/json-pointer.ts';
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import {
  alternative,
  resolved,
  type Schema,
  type SchemaId,
  schemaOf,
  tagValues,
} from '../../contract/schemas.ts';
import { unsafeContent } from '../../contract/unsafe-content.ts';

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

/** The characters of a text; its UTF-16 units where these alone decide. */
function lengthOf(value: string, least: number, most: number): number {
  return value.length <= most && value.length >= 2 * least ? value.length : [...value].length;
}

const texts: Check = (value: string, rules) => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = rules;
  const length = lengthOf(value, minLength, maxLength);
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

function isOfType(value: unknown, type: string | readonly string[]): boolean {
  if (typeof type === 'string') return TYPE_CHECKS[type]!(value);
  return type.some((one) => TYPE_CHECKS[one]!(value));
}

/** Problem of a value itself, without its members. */
function ownProblem(value: unknown, rules: Rules): string | null {
  const { type } = rules;
  if (type !== undefined && !isOfType(value, type)) {
    return `must be ${[type].flat().join(' or ')}`;
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

/** Where a value is: written as a JSON pointer only for a problem, as most values have none. */
interface Place {
  readonly parent: Place | null;
  readonly key: string | number;
}

function pointerTo(place: Place | null): string {
  return place === null ? '' : pointerTo(place.parent) + pointerSegment(String(place.key));
}

class ShapeChecker {
  readonly problems: Problem[] = [];

  look(schema: Schema, value: unknown, at: Place | null): void {
    const rules = resolved(schema) as Rules;
    const own = ownProblem(value, rules);
    if (own) this.note(at, own);
    else if (Array.isArray(value)) this.lookInList(rules, value, at);
    else if (TYPE_CHECKS['object']!(value)) this.lookInObject(rules, value as object, at);
    if (rules.anyOf || rules.not || rules.if) this.lookAround(rules, value, at);
  }

  private note(at: Place | null, problem: string): void {
    this.problems.push({ path: pointerTo(at), problem });
  }

  private lookInList(rules: Rules, value: readonly unknown[], at: Place | null): void {
    const { items } = rules;
    if (!items) return;
    for (let i = 0; i < value.length; i++) this.look(items, value[i], { parent: at, key: i });
  }

  private lookInObject(rules: Rules, value: object, at: Place | null): void {
    const { properties = {}, required = [], additionalProperties, discriminator } = rules;
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue;
      this.note({ parent: at, key: name }, 'is missing, and it is required');
    }
    for (const [name, child] of Object.entries(value)) {
      const place = { parent: at, key: name };
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known) this.look(known, child, place);
      else if (additionalProperties === false) this.note(place, 'is not a known field');
    }
    if (discriminator && Object.hasOwn(value, discriminator.propertyName)) {
      this.lookAtKind(rules, value, at);
    }
  }

  private lookAtKind(rules: Rules, value: object, at: Place | null): void {
    const chosen = alternative(rules, value);
    if (chosen) {
      this.look(chosen, value, at);
      return;
    }
    const kinds = tagValues(rules).map((one) => JSON.stringify(one));
    const tag = rules.discriminator!.propertyName;
    this.note(at, `must have a ${tag} that is one of ${kinds.join(', ')}`);
  }

  private lookAround(rules: Rules, value: unknown, at: Place | null): void {
    const problem = rules['x-problem'] ?? 'is not valid';
    if (rules.anyOf && !rules.anyOf.some((schema) => fits(schema, value))) this.note(at, problem);
    if (rules.not && fits(rules.not, value)) this.note(at, problem);
    if (rules.if && rules.else && !fits(rules.if, value)) this.look(rules.else, value, at);
  }
}

function fits(schema: Schema, value: unknown): boolean {
  const inspector = new ShapeChecker();
  inspector.look(schema, value, null);
  return inspector.problems.length === 0;
}

/** All problems of a parsed JSON value against a schema; empty if valid. */
export function shapeProblems(id: SchemaId, value: unknown): readonly Problem[] {
  const unfit = unsafeContent(value);
  if (unfit) return [unfit];
  const inspector = new ShapeChecker();
  inspector.look(schemaOf(id), value, null);
  return inspector.problems.slice(0, limits.reported_problems);
}
