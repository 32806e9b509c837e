import { describe, expect, it } from 'vitest';
import { cycles } from './graph.mjs';
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
