import { describe, expect, it } from 'vitest';
import { docstrings, headComments, names } from './doc-rules.mjs';
import { treeOf } from './tree.mjs';

describe('names', () => {
  it.each(['server/utils.ts', 'server/http/test-helpers.ts', 'bridge/manager/a.ts'])(
    '%s',
    (path) => {
      expect(names(treeOf({ [path]: '' })).problems).toHaveLength(1);
    },
  );

  it('rejects the prefix I of an interface only', () => {
    const text = 'interface IArm {}\ninterface Io {}\ninterface IOMode {}';
    expect(names(treeOf({ 'bridge/a.ts': text })).problems).toHaveLength(1);
  });
});

describe('head comments', () => {
  const bare = (/** @type {string} */ text) => headComments(treeOf({ 'bridge/a.ts': text })).places;

  it('must precede the first statement', () => {
    expect(bare('/** What it is. */\nconst a = 1;').size).toBe(0);
    expect(bare('#!/usr/bin/env node\n/** What it is. */').size).toBe(0);
    expect(bare('const a = 1;\n/** Late. */').size).toBe(1);
    expect(bare('const a = 1;').size).toBe(1);
  });
});

describe('docstrings', () => {
  const bare = (/** @type {string} */ text) =>
    docstrings(treeOf({ 'bridge/a.ts': text })).places.get('bridge/a.ts')?.value ?? 0;

  it('must precede each exported function', () => {
    expect(bare('/** Promises. */\nexport function a() {}')).toBe(0);
    expect(bare('/** Promises. */\nexport const a = () => 1;')).toBe(0);
    expect(bare('export function a() {}\nexport const b = () => 1;')).toBe(2);
    expect(bare('// not a docstring\nexport function a() {}')).toBe(1);
    expect(bare('/** Of another. */\nconst x = 1;\nexport function a() {}')).toBe(1);
  });

  it('are optional on internal functions', () => {
    expect(bare('function a() {}\nexport const rows = [() => 1];')).toBe(0);
  });
});
