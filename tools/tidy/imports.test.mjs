import { describe, expect, it } from 'vitest';
import { browserRooms, importDirections, oneHome } from './imports.mjs';
import { treeOf } from './tree.mjs';

/** @param {Record<string, string>} texts */
const directions = (texts) => importDirections(treeOf(texts)).problems;

describe('import directions', () => {
  it('lets physics know the contract', () => {
    expect(directions({ 'physics/math/a.ts': "import { x } from '../../contract/x.ts';" })).toEqual(
      [],
    );
  });

  it('names file, line and target when the contract knows physics', () => {
    const [problem] = directions({
      'contract/a.ts': "\nimport { x } from '../physics/math/x.ts';",
    });
    expect(problem).toMatch(/^contract\/a\.ts:2: physics\/math\/x\.ts; may import contract$/);
  });

  it('keeps the order of the rooms of physics', () => {
    expect(directions({ 'physics/math/a.ts': "import '../motion/x.ts';" })).toHaveLength(1);
    expect(directions({ 'physics/motion/a.ts': "import '../math/x.ts';" })).toEqual([]);
  });

  it('gives the robot types of a driver, never the driver', () => {
    const type = "import type { A } from '../../bridge/arm-world.ts';";
    expect(directions({ 'server/robot/a.ts': type })).toEqual([]);
    const value = "import { a } from '../../bridge/arm-world.ts';";
    expect(directions({ 'server/robot/a.ts': value })).toHaveLength(1);
    const other = "import type { A } from '../../bridge/simulated-arm.ts';";
    expect(directions({ 'server/robot/a.ts': other })).toHaveLength(1);
  });

  it('keeps the shell out of the core of the server', () => {
    expect(directions({ 'server/robot/a.ts': "import '../http/mount.ts';" })).toHaveLength(1);
    expect(directions({ 'server/http/a.ts': "import '../robot/robot.ts';" })).toEqual([]);
    expect(directions({ 'server/store/a.ts': "import '../robot/robot.ts';" })).toHaveLength(1);
  });

  it('lets only main, index and tests take the whole app', () => {
    const text = "import { createTwin } from './app.ts';";
    expect(directions({ 'server/main.ts': text })).toEqual([]);
    expect(directions({ 'server/app.test.ts': text })).toEqual([]);
    expect(directions({ 'server/verbs/a.ts': "import '../app.ts';" })).not.toEqual([]);
  });

  it('sees exports, dynamic imports, import types and workers', () => {
    const target = '../physics/math/x.ts';
    for (const text of [
      `export * from '${target}';`,
      `export { a } from '${target}';`,
      `const a = await import('${target}');`,
      `type A = import('${target}').A;`,
      `const worker = new URL('${target}', import.meta.url);`,
    ]) {
      expect(directions({ 'contract/a.ts': text }), text).toHaveLength(1);
    }
  });

  it('does not take a text or a comment for an import', () => {
    const text = "// import '../physics/a.ts';\nconst s = \"import '../physics/a.ts'\";";
    expect(directions({ 'contract/a.ts': text })).toEqual([]);
  });

  it('refuses a room that no row knows', () => {
    expect(directions({ 'attic/a.ts': '' })).toHaveLength(1);
  });
});

describe('one home a package', () => {
  const problems = (/** @type {Record<string, string>} */ texts) => oneHome(treeOf(texts)).problems;

  it('knows the home by folder and by file', () => {
    expect(problems({ 'contract/validator.ts': "import 'ajv/dist/2020.js';" })).toEqual([]);
    expect(problems({ 'server/http/mount.ts': "import express from 'express';" })).toEqual([]);
  });

  it('refuses every other place', () => {
    expect(problems({ 'contract/validators.ts': "import 'ajv';" })).toHaveLength(1);
    expect(problems({ 'server/robot/a.ts': "import '@dimforge/rapier3d-compat';" })).toHaveLength(
      1,
    );
  });

  it('leaves tests their oracles', () => {
    expect(problems({ 'physics/collision/a.test.ts': "import 'three';" })).toEqual([]);
  });
});

describe('browser rooms', () => {
  it('keeps Node out of what a browser runs', () => {
    const text = "import { readFileSync } from 'node:fs';";
    expect(browserRooms(treeOf({ 'contract/a.ts': text })).problems).toHaveLength(1);
    expect(browserRooms(treeOf({ 'contract/a.test.ts': text })).problems).toEqual([]);
    expect(browserRooms(treeOf({ 'server/store/a.ts': text })).checked).toBe(0);
  });
});
