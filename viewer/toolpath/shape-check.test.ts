import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validate } from '../../contract/validator.ts';
import { shapeProblems } from './shape-check.ts';

const sorter = readFileSync(
  new URL('../../fixtures/toolpaths/sorter.json', import.meta.url),
  'utf8',
);

type Json = Record<string, unknown>;

/** The server's result for the same value: the paths of its problems. */
function serverPlaces(value: unknown): string[] {
  const verdict = validate('Toolpath', value, { dialect: 'documented' });
  return verdict.ok ? [] : [...new Set(verdict.error.map(({ path }) => path))].sort();
}

function ownPlaces(value: unknown): string[] {
  return [...new Set(shapeProblems('Toolpath', value).map(({ path }) => path))].sort();
}

/** All positions in a JSON value, as lists of keys. */
function places(value: unknown, chain: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [chain];
  const deeper = Object.entries(value).flatMap(([key, child]) => places(child, [...chain, key]));
  return [chain, ...deeper];
}

/** A copy of the sorter with the value at a position replaced, or removed if undefined. */
function withValueAt(chain: readonly string[], value: unknown): unknown {
  const copy = JSON.parse(sorter) as Json;
  const parent = chain.slice(0, -1).reduce((at, key) => at[key] as Json, copy);
  const key = chain.at(-1);
  if (key === undefined) return value;
  if (value === undefined) delete parent[key];
  else parent[key] = value;
  return JSON.parse(JSON.stringify(copy));
}

describe('the schema check in the browser', () => {
  it('accepts a valid toolpath', () => {
    expect(shapeProblems('Toolpath', JSON.parse(sorter))).toEqual([]);
  });

  it.each([
    [['metadata', 'payload'], 2],
    [
      ['waypoints', '0', 'joints'],
      [1, 2, 3],
    ],
    [['waypoints', '0', 'label'], 'longer than sixteen characters'],
    [['timeline', '0', 'type'], 'teleport'],
    [['timeline', '3', 'timeline', '0', 'speed'], 1],
    [['metadata', 'tcp_config', 'radius'], null],
    [['timeline'], undefined],
  ])('names the place %j as the server does', (chain, value) => {
    const changed = withValueAt(chain, value);
    expect(serverPlaces(changed)).not.toEqual([]);
    expect(ownPlaces(changed)).toEqual(serverPlaces(changed));
  });

  it('agrees with the server after any single change', () => {
    const anyPlace = fc.constantFrom(...places(JSON.parse(sorter)));
    const anyValue = fc.constantFrom(undefined, null, -1, 0.5, 1e9, 'x', '', true, [], {}, [1]);
    fc.assert(
      fc.property(anyPlace, anyValue, (chain, value) => {
        const changed = withValueAt(chain, value);
        expect(ownPlaces(changed).length > 0).toBe(serverPlaces(changed).length > 0);
      }),
      { numRuns: 300 },
    );
  });

  it('rejects keys that reach into prototypes', () => {
    const sly = JSON.parse('{"metadata": {"__proto__": {}}}');
    expect(shapeProblems('Toolpath', sly)[0]?.path).toBe('/metadata/__proto__');
  });
});
