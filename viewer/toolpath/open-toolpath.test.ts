import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TOOLPATH_FILES, WRONG_FILES } from '../../physics/toolpath/toolpath-files.cases.ts';
import { openToolpath } from './open-toolpath.ts';

function text(name: string): string {
  return readFileSync(new URL(`../../fixtures/toolpaths/${name}.json`, import.meta.url), 'utf8');
}

function problems(given: string): readonly { path: string; problem: string }[] {
  const outcome = openToolpath(given);
  return outcome.ok ? [] : outcome.error;
}

describe('opening a file', () => {
  it('reads a toolpath, bare or inside a reply', () => {
    const bare = openToolpath(text('sorter'));
    const held = openToolpath(JSON.stringify({ id: 1, toolpath: JSON.parse(text('sorter')) }));
    expect(bare.ok && bare.value.toolpath.waypoints.length).toBe(9);
    expect(held.ok && held.value.toolpath).toEqual(bare.ok && bare.value.toolpath);
  });

  it('migrates the older format and lists breaking changes', () => {
    const outcome = openToolpath(text('pick-and-place.format-1'));
    expect(outcome.ok && outcome.value.toolpath.metadata.version).toBe(2);
    expect(outcome.ok && outcome.value.notes.length).toBeGreaterThan(0);
  });

  it.each([
    ['{', 'is not JSON: line 1: expected a key in double quotes'],
    ['[]', 'is a list of 0; give one toolpath'],
    ['{"metadata": {"version": 3}}', 'must be 1 or 2; cannot migrate from format 3'],
  ])('reports the problem of %s', (given, problem) => {
    expect(problems(given)).toMatchObject([{ problem }]);
  });

  it('names the path of a broken rule', () => {
    const toolpath = JSON.parse(text('sorter'));
    toolpath.timeline[5].waypoint_id = 77;
    expect(problems(JSON.stringify(toolpath))[0]?.path).toBe('/timeline/5/waypoint_id');
  });
});

describe('files of the field', () => {
  it.each(TOOLPATH_FILES)('opens %s', (_, path) => {
    expect(openToolpath(readFileSync(path, 'utf8'))).toMatchObject({ ok: true });
  });

  it.each(WRONG_FILES)('says of %s what the other doors say', (_, given, problem) => {
    expect(problems(given)).toMatchObject([{ problem: expect.stringContaining(problem) }]);
  });
});
