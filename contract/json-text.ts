/**
 * Reads JSON text with the position of every value, and the line of a JSON pointer or of a syntax
 * error. Pure.
 */
import { failure, type Result, success } from './result.ts';

/** A value in the text, from offset `from` to `to`. */
export interface JsonNode {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly kind: 'object' | 'array' | 'plain';
  /** Members of an object in the order of the text, or items with their index as key. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  /** Offset of the key; of the value for items. */
  readonly from: number;
  /** End of the key. */
  readonly keyTo: number;
  readonly node: JsonNode;
}

/** Keys and indices from the root to a value. */
export type JsonPath = readonly string[];

export interface PositionedJson {
  readonly value: unknown;
  readonly root: JsonNode;
  /** Line (from 1) of the value at a pointer, or of its nearest ancestor. */
  lineOf(pointer: string): number;
}

export interface JsonFault {
  readonly line: number;
  readonly message: string;
}

const DEPTH_MAX = 500;
const SPACE = /[ \t\r\n]*/y;
const TEXT = /"(?:[^"\\\n\r]|\\.)*"/y;
const PLAIN = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

class Fault extends Error {}

class PositionReader {
  private readonly text: string;
  private at = 0;
  private counted = 0;
  private line = 1;

  constructor(text: string) {
    this.text = text;
  }

  /** Line of the current position. */
  lineNow(): number {
    for (; this.counted < this.at; this.counted++) {
      if (this.text.charCodeAt(this.counted) === 10) this.line++;
    }
    return this.line;
  }

  document(): JsonNode {
    const root = this.value(0);
    this.skip();
    if (this.at < this.text.length) this.fail('Unexpected text after the end of the JSON');
    return root;
  }

  private fail(message: string): never {
    throw new Fault(message);
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  private skip(): void {
    this.take(SPACE);
  }

  private takes(character: string): boolean {
    this.skip();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private value(depth: number): JsonNode {
    if (depth > DEPTH_MAX) this.fail('The nesting is too deep');
    this.skip();
    const [line, from] = [this.lineNow(), this.at];
    const begun = { from, line };
    if (this.takes('{')) return this.ended(begun, 'object', this.members(depth));
    if (this.takes('[')) return this.ended(begun, 'array', this.items(depth));
    if (this.quoted() === null && this.take(PLAIN) === null) {
      const ended = this.at >= this.text.length;
      this.fail(ended ? 'The text ends unexpectedly' : 'Expected a value');
    }
    return this.ended(begun, 'plain', []);
  }

  private ended(
    begun: Pick<JsonNode, 'from' | 'line'>,
    kind: JsonNode['kind'],
    members: readonly JsonMember[],
  ): JsonNode {
    return { ...begun, to: this.at, kind, members };
  }

  /** Reads a quoted text; null if there is none. */
  private quoted(): string | null {
    const found = this.take(TEXT);
    if (found === null) return null;
    try {
      return JSON.parse(found) as string;
    } catch {
      return this.fail('Invalid character or escape in a string');
    }
  }

  private members(depth: number): JsonMember[] {
    const members: JsonMember[] = [];
    if (this.takes('}')) return members;
    do {
      this.skip();
      const from = this.at;
      const key = this.quoted();
      if (key === null) this.fail('Expected a key in double quotes');
      const keyTo = this.at;
      if (!this.takes(':')) this.fail(`Expected a colon after “${key}”`);
      members.push({ key, from, keyTo, node: this.value(depth + 1) });
    } while (this.takes(','));
    if (!this.takes('}')) this.fail('Expected a comma or a closing brace');
    return members;
  }

  private items(depth: number): JsonMember[] {
    const items: JsonMember[] = [];
    if (this.takes(']')) return items;
    do {
      const node = this.value(depth + 1);
      items.push({ key: String(items.length), from: node.from, keyTo: node.from, node });
    } while (this.takes(','));
    if (!this.takes(']')) this.fail('Expected a comma or a closing bracket');
    return items;
  }
}

function memberOf({ members }: JsonNode, key: string): JsonMember | undefined {
  return members.findLast((member) => member.key === key);
}

/** The keys of a JSON pointer. */
export function pointerPath(pointer: string): JsonPath {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON pointer of a path. */
export function pointerOf(path: JsonPath): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a path; null if there is none. */
export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | null {
  let node: JsonNode | undefined = root;
  for (const key of path) node = node && memberOf(node, key)?.node;
  return node ?? null;
}

function nearestLine(root: JsonNode, pointer: string): number {
  let node = root;
  for (const key of pointerPath(pointer)) {
    const next = memberOf(node, key);
    if (!next) break;
    node = next.node;
  }
  return node.line;
}

/** Parses `text`; fails with the line of the first syntax error. */
export function readJson(text: string): Result<PositionedJson, JsonFault> {
  const reader = new PositionReader(text);
  try {
    const root = reader.document();
    const value: unknown = JSON.parse(text);
    return success({ value, root, lineOf: (pointer) => nearestLine(root, pointer) });
  } catch (fault) {
    if (!(fault instanceof Fault || fault instanceof SyntaxError)) throw fault;
    return failure({ line: reader.lineNow(), message: `${fault.message}.` });
  }
}

/** What is wrong with a text that is not JSON, with its line: for messages about files. */
export function jsonFaultText(text: string): string {
  const read = readJson(text);
  if (read.ok) return 'it is JSON';
  const { line, message } = read.error;
  const [first = '', ...rest] = message.replace(/\.$/, '');
  return `line ${line}: ${first.toLowerCase()}${rest.join('')}`;
}
