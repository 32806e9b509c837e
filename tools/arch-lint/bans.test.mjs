import { describe, expect, it } from 'vitest';
import { bans } from './bans.mjs';
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
    ['bridge/a.ts', 'const a = b as unknown as C;', 'as unknown as'],
    ['bridge/a.test.ts', 'const a = b as unknown as C;', 'as unknown as'],
    ['server/service/http/a.ts', 'throw new Error("x");', 'throw'],
    ['server/service/http/a.ts', 'throw error;', 'throw'],
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
    ['server/service/http/a.ts', "const r = refuse('not_found');"],
    ['server/robot/a.ts', 'throw new Error("x");'],
    ['server/robot/loop.ts', 'robot.tick(f, 1);'],
    ['server/clock/a.ts', 'loop.tick(1);'],
    ['physics/math/a.ts', 'const y = Math.sqrt(Math.abs(x)) * Math.PI;'],
    ['physics/math/a.test.ts', 'const y = Math.sin(x) ** 2;'],
    ['bridge/a.ts', '// as unknown as Date.now()'],
    ['bridge/a.ts', 'const a = b as unknown;'],
  ])('accept %s: %s', (path, text) => {
    expect(found(path, text)).toEqual([]);
  });
});
