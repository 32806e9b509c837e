import { describe, expect, it } from 'vitest';
import { bans, openEnds } from './bans.mjs';
import { treeOf } from './tree.mjs';

/** @param {string} path @param {string} text */
const found = (path, text) => bans(treeOf({ [path]: text })).problems;

describe('banned constructs', () => {
  it.each([
    ['server/robot/a.ts', 'const t = Date.now();', 'clock or random source'],
    ['server/robot/a.ts', 'const t = performance.now();', 'clock or random source'],
    ['server/robot/a.ts', 'const t = new Date();', 'clock or random source'],
    ['bridge/a.ts', 'const x = Math.random();', 'clock or random source'],
    ['server/robot/a.ts', 'setTimeout(f, 1);', 'timers'],
    ['server/robot/a.ts', 'globalThis.setInterval(f, 1);', 'timers'],
    ['bridge/a.ts', 'let a: any;', 'any'],
    ['bridge/a.test.ts', 'let a: any;', 'any'],
    ['bridge/a.ts', 'const a = b as unknown as C;', 'as unknown as'],
    ['server/a.ts', 'console.log(1);', 'console'],
    ['e2e/a.spec.ts', 'test.only("x", f);', '.only'],
    ['server/http/a.ts', 'throw new Error("x");', 'throw'],
    ['server/http/a.ts', 'throw error;', 'throw'],
    ['server/recording/a.ts', 'this.robot.tick(f, 1);', 'a second control loop'],
    ['server/app/a.ts', 'robot.tick(f, 1);', 'a second control loop'],
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
    ['server/clock/clock.ts', 'const t = Date.now(); setTimeout(f, 1);'],
    ['server/robot/a.test.ts', 'const t = Date.now();'],
    ['server/robot/a.ts', 'const d = new Date(0);'],
    ['server/robot/a.ts', 'const row = { setTimeout: 1 }; row.setTimeout;'],
    ['server/http/a.ts', "const r = refuse('not_found');"],
    ['server/robot/a.ts', 'throw new Error("x");'],
    ['server/robot/loop.ts', 'robot.tick(f, 1);'],
    ['server/clock/a.ts', 'loop.tick(1);'],
    ['physics/math/a.ts', 'const y = Math.sqrt(Math.abs(x)) * Math.PI;'],
    ['physics/math/a.test.ts', 'const y = Math.sin(x) ** 2;'],
    ['bridge/a.ts', '// any console.log( as unknown as Date.now()'],
    ['bridge/a.ts', 'const company = "any"; const a = b as unknown;'],
  ])('accept %s: %s', (path, text) => {
    expect(found(path, text)).toEqual([]);
  });
});

describe('no open ends', () => {
  it('are found only in comments', () => {
    const text = "// TODO: later\nconst s = 'TODO';\n/* good enough for now */";
    expect(openEnds(treeOf({ 'bridge/a.ts': text })).problems).toHaveLength(2);
  });
});
