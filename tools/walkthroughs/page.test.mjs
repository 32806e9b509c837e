import { describe, expect, it } from 'vitest';
import { filesRun } from './coverage.mjs';
import { countProblems, firstSentence, inOrder, walkthroughPage } from './page.mjs';

describe('files', () => {
  it('count when one of their functions ran', () => {
    const script = (/** @type {string} */ url, /** @type {number[]} */ counts) => ({
      url,
      functions: counts.map((count) => ({ ranges: [{ count }] })),
    });
    const scripts = [script('a', [0, 2]), script('b', [0, 0]), script('c', [1])];
    expect(filesRun(scripts, (url) => (url === 'c' ? null : url))).toEqual(['a']);
  });

  it('are in the order of the data flow', () => {
    const files = ['physics/math/a.ts', 'server/robot/robot-context.ts', 'server/http/server.ts'];
    files.push('server/robot/robot.ts', 'server/http/handlers/robot.ts');
    expect(inOrder(files)).toEqual([
      'server/http/server.ts',
      'server/http/handlers/robot.ts',
      'server/robot/robot.ts',
      'server/robot/robot-context.ts',
      'physics/math/a.ts',
    ]);
  });
});

describe('the page', () => {
  it('lists each file once, with the first sentence of its head comment', () => {
    const stages = [
      { name: 'First', files: ['physics/a.ts'] },
      { name: 'Then', files: ['physics/a.ts', 'physics/b.ts'] },
    ];
    const page = walkthroughPage([{ title: 'go_to', stages }], () => '/** One thing. Two. */');
    expect(page).toContain('## go_to\n\n2 files.\n');
    expect(page).toContain('- [physics/a.ts](../physics/a.ts): One thing.\n');
    expect(page).toContain('1 of the files above run again, and:\n\n- [physics/b.ts]');
  });

  it.each([
    ['/**\n * One\n * thing (v1.5). More.\n */', 'One thing (v1.5).'],
    ['/** No full stop */', 'No full stop'],
  ])('takes the first sentence of %j', (text, sentence) => {
    expect(firstSentence(text)).toBe(sentence);
  });
});

describe('counts', () => {
  it('may fall, not rise by more than periodic work, and a fall is saved', () => {
    for (const count of [58, 60, 62])
      expect(countProblems({ go_to: count }, { go_to: 60 })).toEqual([]);
    expect(countProblems({ go_to: 63 }, { go_to: 60 })[0]).toContain('63 files, more than 60');
    expect(countProblems({ go_to: 57 }, { go_to: 60 })[0]).toContain('save it');
    expect(countProblems({ build: 1 }, {})[0]).toContain('more than none');
  });
});
