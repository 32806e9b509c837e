/**
 * Building the toolpaths of fixtures/ gives the recorded bits; `npm run generate goldens` explains
 * differences.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { checkToolpath } from './check.ts';
import { explainDifference, type Golden, goldenOf } from './golden.cases.ts';
import { migrateToolpath } from './migrate.ts';

function fixture<Value>(path: string): Value {
  return JSON.parse(readFileSync(`fixtures/${path}`, 'utf8')) as Value;
}

const record = fixture<Record<string, Golden>>('goldens/toolpaths.json');

describe.each(Object.keys(record))('%s', (name) => {
  const toolpath = fixture<Toolpath>(`toolpaths/${name}`);

  it('passes the toolpath check', () => {
    expect(checkToolpath(toolpath)).toEqual([]);
  });

  it('builds to the recorded bits, twice', () => {
    const golden = goldenOf(toolpath);
    expect(explainDifference(record[name], golden)).toEqual([]);
    expect(golden).toEqual(goldenOf(toolpath));
    expect(golden.outcome).toBe('built');
  });
});

describe('the explanation of a difference', () => {
  const golden = record['pick-and-place.json']!;

  it('is empty for equal records and reports new ones', () => {
    expect(explainDifference(golden, golden)).toEqual([]);
    expect(explainDifference(undefined, golden)).toHaveLength(1);
  });

  it('names the motion whose timing or path changed', () => {
    const [first, ...others] = golden.motions;
    const slower = { ...first!, timing: 'x', automatic_s: first!.automatic_s + 1 };
    const [line] = explainDifference(golden, { ...golden, motions: [slower, ...others] });
    expect(line).toContain(`${first!.at}: the same path, ${first!.automatic_s} →`);
    const moved = { ...first!, path: 'x' };
    const [other] = explainDifference(golden, { ...golden, motions: [moved, ...others] });
    expect(other).toContain('another path');
  });

  it('falls back to the setpoints when the motions agree', () => {
    expect(explainDifference(golden, { ...golden, digest: 'x' })[0]).toContain('setpoints');
  });
});

it('the example of format 1 migrates to a toolpath that passes the check', () => {
  const migrated = migrateToolpath(fixture('toolpaths/pick-and-place.format-1.json'));
  if (!migrated.ok) throw new Error(JSON.stringify(migrated.error));
  const { toolpath, breaking_changes } = migrated.value;
  expect(checkToolpath(structuredClone(toolpath) as object as Toolpath)).toEqual([]);
  expect(breaking_changes.length).toBeGreaterThan(3);
});
