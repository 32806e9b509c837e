import { describe, expect, it } from 'vitest';
import { filled } from './reference.mjs';
import { fieldTable, limitRows, limitTable, typeText } from './tables.mjs';

describe('limits', () => {
  const source = '  /** Longest wait (D7). */\n  wait_s: 60 * 2,\n';

  it('have value with unit, meaning and origin', () => {
    expect(limitTable(limitRows(source, { wait_s: 120 }))).toContain(
      '| `wait_s` | 120 s | Longest wait | D7 |',
    );
  });

  it('have the unit of the whole ending of their name', () => {
    const rates = '  /** Rate (own). */\n  sent_bytes_per_s: 8,\n';
    expect(limitTable(limitRows(rates, { sent_bytes_per_s: 8 }))).toContain('| 8 bytes/s |');
  });

  it('need a comment', () => {
    expect(() => limitRows(source, { wait_s: 120, users: 3 })).toThrow('users has no comment');
  });
});

describe('schemas', () => {
  it('list fields with type, bounds and whether required', () => {
    const schema = {
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, description: 'Shown name.' },
        joints: { type: 'array', items: { type: 'number' }, minItems: 6, maxItems: 6 },
      },
    };
    const rows = fieldTable(schema).split('\n');
    expect(rows[2]).toBe('| `name` | string, at least 1 characters | yes | Shown name. |');
    expect(rows[3]).toBe('| `joints` | array of 6 × number | no |  |');
  });

  it('list the fields of objects without a name of their own', () => {
    const inner = { required: ['x'], properties: { x: { type: 'number' } } };
    const properties = { one: inner, list: { type: 'array', items: { type: 'object', ...inner } } };
    const fields = fieldTable({ properties }).split('\n').slice(2);
    expect(fields.map((row) => row.split(' | ').slice(0, 3))).toEqual([
      ['| `one`', 'any', 'no'],
      ['| `one.x`', 'number', 'yes'],
      ['| `list`', 'array of object', 'no'],
      ['| `list[].x`', 'number', 'yes'],
      [''],
    ]);
  });

  it('name other schemas', () => {
    expect(typeText({ oneOf: [{ $ref: 'lock.json#/$defs/LockOwner' }, { const: 1 }] })).toBe(
      '`LockOwner` or `1`',
    );
  });
});

describe('blocks', () => {
  const text = 'before\n<!-- generated: one x y -->\nold\n<!-- end -->\nafter\n';

  it('are replaced and the text around them stays', () => {
    const page = filled('a.md', text, { one: (argument) => `new ${argument}\n` });
    expect(page).toBe('before\n<!-- generated: one x y -->\n\nnew x y\n\n<!-- end -->\nafter\n');
    expect(filled('a.md', page, { one: (argument) => `new ${argument}\n` })).toBe(page);
  });

  it('need a known table', () => {
    expect(() => filled('a.md', text, { two: () => '' })).toThrow('a.md: no table one');
  });
});
