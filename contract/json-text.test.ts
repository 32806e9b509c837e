import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './json-text.ts';

const TEXT = `{
  "name": "a",
  "workflow": {
    "tasks": { "re/ad": { "id": 3 },
      "wash": [1,
        {"x": null}] }
  }
}`;

function lineOf(pointer: string): number {
  const read = readJson(TEXT);
  return read.ok ? read.value.lineOf(pointer) : -1;
}

test('finds the line of every value by its pointer', () => {
  expect(lineOf('')).toBe(1);
  expect(lineOf('/name')).toBe(2);
  expect(lineOf('/workflow/tasks/re~1ad/id')).toBe(4);
  expect(lineOf('/workflow/tasks/wash/0')).toBe(5);
  expect(lineOf('/workflow/tasks/wash/1/x')).toBe(6);
});

test('uses the nearest ancestor of a missing pointer', () => {
  expect(lineOf('/workflow/tasks/wash/1/missing')).toBe(6);
  expect(lineOf('/workflow/labware/4')).toBe(3);
  expect(lineOf('/nothing')).toBe(1);
});

test('reports the line of a syntax error', () => {
  const faults = ['{\n"a": 1,\n}', '{\n"a" 1}', '[1,\n\n2', '{"a":\ntru}', '{}\n{}', ''];
  const lines = faults.map((text) => {
    const read = readJson(text);
    return read.ok ? null : read.error.line;
  });
  expect(lines).toEqual([3, 2, 3, 2, 2, 1]);
});

test('survives deep nesting', () => {
  const read = readJson('['.repeat(100_000));
  expect(read.ok ? '' : read.error.message).toBe('The nesting is too deep.');
});

test('accepts what JSON.stringify writes, and rejects what JSON.parse rejects', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value, null, 2);
      const read = readJson(text);
      expect(read.ok && read.value.value).toEqual(JSON.parse(text));
      const less = text.slice(0, cut % text.length);
      expect(readJson(less).ok).toBe(parses(less));
    }),
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
