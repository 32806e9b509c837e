import { describe, expect, it } from 'vitest';
import { currentTables, importDirections, nodeModules, packageOwners } from './imports.mjs';
import { treeOf } from './tree.mjs';

/** @param {Record<string, string>} texts */
const directions = (texts) => importDirections(treeOf(texts)).problems;

describe('import directions', () => {
  it('allows physics to import the contract', () => {
    expect(directions({ 'physics/math/a.ts': "import { x } from '../../contract/x.ts';" })).toEqual(
      [],
    );
  });

  it('reports file, line and target when the contract imports physics', () => {
    const [problem] = directions({
      'contract/a.ts': "\nimport { x } from '../physics/math/x.ts';",
    });
    expect(problem).toMatch(
      /^contract\/a\.ts:2: physics\/math\/x\.ts; may import contract, arms\/\S+, arms\/\S+$/,
    );
  });

  it('enforces the order of the folders of physics', () => {
    expect(directions({ 'physics/math/a.ts': "import '../motion/x.ts';" })).toHaveLength(1);
    expect(directions({ 'physics/motion/a.ts': "import '../math/x.ts';" })).toEqual([]);
  });

  it('allows the robot only types of a driver', () => {
    const type = "import type { A } from '../../bridge/arm-world.ts';";
    expect(directions({ 'server/robot/a.ts': type })).toEqual([]);
    const value = "import { a } from '../../bridge/arm-world.ts';";
    expect(directions({ 'server/robot/a.ts': value })).toHaveLength(1);
    const other = "import type { A } from '../../bridge/simulated/simulated-arm.ts';";
    expect(directions({ 'server/robot/a.ts': other })).toHaveLength(1);
  });

  it('keeps families of servos to their table', () => {
    const text = "import { X } from '../feetech/registers.ts';";
    expect(directions({ 'bridge/servo/a.ts': text })).toHaveLength(1);
    expect(directions({ 'bridge/dynamixel/a.ts': text })).toHaveLength(1);
    expect(directions({ 'bridge/feetech/a.ts': "import { X } from '../servo/a.ts';" })).toEqual([]);
    const family = "import { FEETECH } from './feetech/family.ts';";
    expect(directions({ 'bridge/servo-families.ts': family })).toEqual([]);
    expect(directions({ 'bridge/mirrored-arm.ts': family })).toHaveLength(1);
  });

  it('keeps http out of robot and store', () => {
    expect(directions({ 'server/robot/a.ts': "import '../http/pipeline.ts';" })).toHaveLength(1);
    expect(directions({ 'server/service/http/a.ts': "import '../../robot/robot.ts';" })).toEqual(
      [],
    );
    expect(directions({ 'server/store/a.ts': "import '../../robot/robot.ts';" })).toHaveLength(1);
  });

  it('keeps http out of the stream', () => {
    expect(
      directions({ 'server/service/stream/a.ts': "import '../http/pipeline.ts';" }),
    ).toHaveLength(1);
    expect(directions({ 'server/service/http/a.ts': "import '../stream/hub.ts';" })).toEqual([]);
  });

  it('lets only program, index and tests import the app', () => {
    const text = "import { createTwin } from './app/app.ts';";
    expect(directions({ 'server/program.ts': text })).toEqual([]);
    expect(directions({ 'server/rehearse-worker.ts': text })).toEqual([]);
    expect(directions({ 'server/app.test.ts': text })).toEqual([]);
    expect(directions({ 'server/cli/a.ts': "import '../app/app.ts';" })).not.toEqual([]);
    const [problem] = directions({ 'server/app/services.ts': "import './app.ts';" });
    expect(problem).toContain(
      'only server/program.ts, index.ts and threads of the program import the app',
    );
  });

  it('finds exports, dynamic imports, import types and workers', () => {
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

  it('ignores imports in strings and comments', () => {
    const text = "// import '../physics/a.ts';\nconst s = \"import '../physics/a.ts'\";";
    expect(directions({ 'contract/a.ts': text })).toEqual([]);
  });

  it('reports a folder without a row', () => {
    expect(directions({ 'unknown/a.ts': '' })).toHaveLength(1);
  });
});

describe('package owners', () => {
  const problems = (/** @type {Record<string, string>} */ texts) =>
    packageOwners(treeOf(texts)).problems;

  it('accepts the owner as a folder or a file', () => {
    expect(problems({ 'contract/validator.ts': "import 'ajv/dist/2020.js';" })).toEqual([]);
    expect(
      problems({ 'server/service/http/pipeline.ts': "import express from 'express';" }),
    ).toEqual([]);
  });

  it('reports every other importer', () => {
    expect(problems({ 'contract/validators.ts': "import 'ajv';" })).toHaveLength(1);
    expect(problems({ 'server/robot/a.ts': "import '@dimforge/rapier3d-compat';" })).toHaveLength(
      1,
    );
  });

  it('allows tests to import any package', () => {
    expect(problems({ 'physics/collision/a.test.ts': "import 'three';" })).toEqual([]);
  });
});

describe('no Node modules', () => {
  it('reports Node modules in browser code and in the robot', () => {
    const text = "import { readFileSync } from 'node:fs';";
    expect(nodeModules(treeOf({ 'contract/a.ts': text })).problems).toHaveLength(1);
    expect(nodeModules(treeOf({ 'server/robot/a.ts': text })).problems).toHaveLength(1);
    expect(nodeModules(treeOf({ 'contract/a.test.ts': text })).problems).toEqual([]);
    expect(nodeModules(treeOf({ 'server/store/a.ts': text })).checked).toBe(0);
  });
});

describe('import tables', () => {
  it('report places without a file', () => {
    const { problems } = currentTables(treeOf({ 'contract/a.ts': '' }));
    expect(problems).toContainEqual(expect.stringMatching(/^physics: no such file or folder/));
    expect(problems).not.toContainEqual(expect.stringMatching(/^contract:/));
  });
});
