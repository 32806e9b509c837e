/**
 * Parses JSON and records the line of every value, so that a finding with a JSON pointer can be
 * shown at its line. Syntax errors have a line too. Pure.
 */
import { failure, type Result, success } from '../../contract/refusal.ts';

export interface PositionedJson {
  readonly value: unknown;
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
  readonly lines = new Map<string, number>();
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

  document(): void {
    this.value('', 0);
    this.skip();
    if (this.at < this.text.length) this.fail('Unexpected text after the end of the definition');
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

  private value(pointer: string, depth: number): void {
    if (depth > DEPTH_MAX) this.fail('The nesting is too deep');
    this.skip();
    this.lines.set(pointer, this.lineNow());
    if (this.takes('{')) this.members(pointer, depth);
    else if (this.takes('[')) this.items(pointer, depth);
    else if (this.quoted() === null && this.take(PLAIN) === null) {
      const ended = this.at >= this.text.length;
      this.fail(ended ? 'The definition ends unexpectedly' : 'Expected a value');
    }
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

  private members(pointer: string, depth: number): void {
    if (this.takes('}')) return;
    do {
      this.skip();
      const key = this.quoted();
      if (key === null) this.fail('Expected a key in double quotes');
      const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
      if (!this.takes(':')) this.fail(`Expected a colon after “${key}”`);
      this.value(`${pointer}/${step}`, depth + 1);
    } while (this.takes(','));
    if (!this.takes('}')) this.fail('Expected a comma or a closing brace');
  }

  private items(pointer: string, depth: number): void {
    if (this.takes(']')) return;
    let i = 0;
    do this.value(`${pointer}/${i++}`, depth + 1);
    while (this.takes(','));
    if (!this.takes(']')) this.fail('Expected a comma or a closing bracket');
  }
}

function nearestLine(lines: ReadonlyMap<string, number>, pointer: string): number {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return lines.get('') ?? 1;
}

/** Parses `text`; fails with the line of the first syntax error. */
export function readJson(text: string): Result<PositionedJson, JsonFault> {
  const reader = new PositionReader(text);
  try {
    reader.document();
    const value: unknown = JSON.parse(text);
    return success({ value, lineOf: (pointer) => nearestLine(reader.lines, pointer) });
  } catch (fault) {
    if (!(fault instanceof Fault || fault instanceof SyntaxError)) throw fault;
    return failure({ line: reader.lineNow(), message: `${fault.message}.` });
  }
}
