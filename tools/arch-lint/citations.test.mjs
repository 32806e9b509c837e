import { describe, expect, it } from 'vitest';
import { anchorsOf, brokenLinks, citations, danglingIn, missingPaths } from './citations.mjs';

const anchors = anchorsOf({
  arm: '## §4 Calls\n### §4.5 Control\n',
  webhooks: '### §2.3 Bodies\n',
  decisions: '# Page\n\n## D7 Caps\n',
  requirements: "  A97: 'text',\n",
});
const cited = (/** @type {string} */ text) =>
  danglingIn(text, anchors).found.map((one) => one.cited);

describe('citations', () => {
  it.each(['(§4.5; D7)', '§4, §4.5', 'webhooks §2.3', 'A97', 'RFC 6455 §5.2', 'version 0.D9'])(
    'accepts %s',
    (text) => {
      expect(cited(text)).toEqual([]);
    },
  );

  it.each([
    ['§4.6', '§4.6'],
    ['§4.5, §9.9', '§9.9'],
    ['§4 to §4.7', '§4.7'],
    ['§2.3', '§2.3'],
    ['webhooks §4.5', '§4.5'],
    ['see D8', 'D8'],
    ['A98', 'A98'],
    ['H1', 'H1'],
    ['spec 4.5', 'spec 4.5'],
    ['measured, see facts/motion.md', 'facts/'],
  ])('reports %s', (text, wanted) => {
    expect(cited(text)).toEqual([wanted]);
  });

  it('reports links to missing files and headings', () => {
    const read = (/** @type {string} */ path) => (path === 'docs/a.md' ? '## Two words\n' : null);
    const text = '[a](a.md#two-words) [b](a.md#three) [c](../c.md) [d](https://e.org)';
    expect(brokenLinks('docs/index.md', text, read).found.map((one) => one.cited)).toEqual([
      'a.md#three',
      '../c.md',
    ]);
  });

  it('reports paths in code of files that are not there', () => {
    const there = new Set(['server', 'server/main.ts']);
    const exists = (/** @type {string} */ path) => there.has(path);
    const text = '`server/main.ts` `server/gone.ts` `server/NAME.ts` `dist/a.js` `a/b` server/x.ts';
    const { checked, found } = missingPaths(text, exists);
    expect(found.map((one) => one.cited)).toEqual(['server/gone.ts']);
    expect(checked).toBe(2);
  });

  it('reads the schemas and documents of the repository', { tags: ['ci'] }, () => {
    const root = new URL('../..', import.meta.url).pathname;
    const { checked, problems } = citations({ root, files: new Map() });
    expect(problems).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });
});
