import { describe, expect, it } from 'vitest';
import { cycles, deadFiles } from './graph.mjs';
import { treeOf } from './tree.mjs';

describe('no runtime cycles', () => {
  it('are reported as the whole cycle', () => {
    const tree = treeOf({
      'bridge/a.ts': "import './b.ts';",
      'bridge/b.ts': "import './c.ts';",
      'bridge/c.ts': "import './a.ts';",
    });
    const { problems } = cycles(tree);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch('bridge/a.ts → bridge/b.ts → bridge/c.ts → bridge/a.ts');
  });

  it('may consist of types', () => {
    const tree = treeOf({
      'bridge/a.ts': "import type { B } from './b.ts';",
      'bridge/b.ts': "import { type A } from './a.ts';",
    });
    expect(cycles(tree).problems).toEqual([]);
  });

  it('are not two paths to one file', () => {
    const tree = treeOf({
      'bridge/a.ts': "import './b.ts'; import './c.ts';",
      'bridge/b.ts': "import './c.ts';",
      'bridge/c.ts': '',
    });
    expect(cycles(tree).problems).toEqual([]);
  });
});

describe('no dead files', () => {
  const dead = (/** @type {Record<string, string>} */ texts) => [
    ...deadFiles(treeOf(texts)).places.keys(),
  ];

  it('are those that the program does not import', () => {
    const texts = {
      'server/main.ts': "import './a.ts';",
      'server/a.ts': "import type { B } from './b.ts';",
      'server/b.ts': '',
      'server/forgotten.ts': '',
    };
    expect(dead(texts)).toEqual(['server/forgotten.ts']);
  });

  it('are not those that tests, workers and tools import', () => {
    const texts = {
      'server/main.ts': '',
      'physics/math/a.test.ts': "import './a.ts';",
      'physics/math/a.ts': '',
      'server/app/run-worker.ts': '',
      'tools/setup.mjs': "await import('./setup/start.mjs');",
      'tools/setup/start.mjs': '',
    };
    expect(dead(texts)).toEqual([]);
  });

  it('reports nothing in a tree without a program', () => {
    expect(dead({ 'physics/math/a.ts': '', 'tools/setup/old.mjs': '' })).toEqual([
      'tools/setup/old.mjs',
    ]);
  });
});
