import { describe, expect, it } from 'vitest';
import { bans, promises } from './bans.mjs';
import { treeOf } from './tree.mjs';

/** @param {string} path @param {string} text */
const found = (path, text) => bans(treeOf({ [path]: text })).problems;

describe('bans', () => {
  it.each([
    ['server/robot/a.ts', 'const t = Date.now();', 'clocks and chance'],
    ['server/robot/a.ts', 'const t = performance.now();', 'clocks and chance'],
    ['server/robot/a.ts', 'const t = new Date();', 'clocks and chance'],
    ['bridge/a.ts', 'const x = Math.random();', 'clocks and chance'],
    ['server/robot/a.ts', 'setTimeout(f, 1);', 'timers'],
    ['server/robot/a.ts', 'globalThis.setInterval(f, 1);', 'timers'],
    ['bridge/a.ts', 'let a: any;', 'any'],
    ['bridge/a.test.ts', 'let a: any;', 'any'],
    ['bridge/a.ts', 'const a = b as unknown as C;', 'as unknown as'],
    ['server/a.ts', 'console.log(1);', 'console'],
    ['e2e/a.spec.ts', 'test.only("x", f);', '.only'],
    ['server/http/a.ts', 'throw new Error("x");', 'bare throw'],
    ['server/http/a.ts', 'throw error;', 'bare throw'],
    ['physics/math/a.ts', 'const y = Math.sin(x);', 'unportable Math'],
    ['physics/math/a.ts', 'const { sin } = Math;', 'unportable Math'],
    ['physics/math/a.ts', 'const y = Math[name];', 'unportable Math'],
    ['physics/math/a.ts', 'const y = x ** 2;', 'power operator'],
    ['physics/math/a.ts', 'x **= 2;', 'power operator'],
  ])('%s: %s', (path, text, name) => {
    const problems = found(path, text);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(`${path}:1: ${name}; `);
  });

  it.each([
    ['server/clock/wall-clock.ts', 'const t = Date.now(); setTimeout(f, 1);'],
    ['server/robot/a.test.ts', 'const t = Date.now();'],
    ['server/robot/a.ts', 'const d = new Date(0);'],
    ['server/robot/a.ts', 'const row = { setTimeout: 1 }; row.setTimeout;'],
    ['server/http/a.ts', 'throw new ApiError(row, null);'],
    ['server/robot/a.ts', 'throw new Error("x");'],
    ['physics/math/a.ts', 'const y = Math.sqrt(Math.abs(x)) * Math.PI;'],
    ['physics/math/a.test.ts', 'const y = Math.sin(x) ** 2;'],
    ['bridge/a.ts', '// any console.log( as unknown as Date.now()'],
    ['bridge/a.ts', 'const company = "any"; const a = b as unknown;'],
  ])('leaves alone %s: %s', (path, text) => {
    expect(found(path, text)).toEqual([]);
  });
});

describe('promises', () => {
  it('finds them in comments alone', () => {
    const text = "// TODO: later\nconst s = 'TODO';\n/* good enough for now */";
    expect(promises(treeOf({ 'bridge/a.ts': text })).problems).toHaveLength(2);
  });
});
