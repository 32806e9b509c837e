/** The rule that finds capacities outside of the table of shares, on small trees. */
import { describe, expect, it } from 'vitest';
import { capacities } from './capacities.mjs';
import { treeOf } from './tree.mjs';

/** @param {string} text @param {string} [path] */
const found = (text, path = 'server/a.ts') => capacities(treeOf({ [path]: text }), {}).problems;
const inClass = (/** @type {string} */ body) => `const QUEUE_MAX = 8;\nclass A { f() { ${body} } }`;

describe('a capacity outside of the table of shares', () => {
  it.each([
    ['a queue', inClass('if (this.waiting.length >= QUEUE_MAX) return;'), 'QUEUE_MAX'],
    ['the other way round', inClass('return QUEUE_MAX > this.parts.queue.size;'), 'QUEUE_MAX'],
    [
      'a computed one',
      'const MOST = 4 * 16;\nclass A { f() { return this.a.size < MOST; } }',
      'MOST',
    ],
    ['a number', inClass('while (this.entries.size > 100) this.drop();'), '100'],
    ['a limit', inClass('return this.rows.size < limits.rows;'), 'limits.rows'],
    ['a table of the module', 'const rows = new Map();\nconst f = () => rows.size > 50;', '50'],
    ['a pool', 'const pool = new Pool({ maxThreads: 4 });', '4'],
    [
      'a pool by a constant',
      'const MANY = 4;\nconst pool = new Pool({ maxThreads: MANY });',
      'MANY',
    ],
  ])('is found: %s', (_name, text, bound) => {
    expect(found(text)).toEqual([expect.stringContaining(`: ${bound} bounds what is kept`)]);
  });

  it.each([
    ['a row of the table', inClass('return this.rows.size < shares.rows.total;')],
    ['a share', inClass('return this.share.hasRoom(claimant);')],
    ['what one call has', inClass('const list = []; return list.length > QUEUE_MAX;')],
    ['one or none', inClass('return this.rows.size > 1;')],
    ['a pool of the table', 'new Pool({ maxThreads: shares.planning_threads.total });'],
  ])('is not: %s', (_name, text) => {
    expect(found(text)).toEqual([]);
  });

  it('is not looked for in tests and in commands', () => {
    const text = inClass('return this.rows.size > 100;');
    expect([found(text, 'server/a.test.ts'), found(text, 'server/cli/a.ts')]).toEqual([[], []]);
    expect(found(text, 'scheduler/a.ts')).toHaveLength(1);
  });

  it('is accepted with a reason, which must not outlive it', () => {
    const others = { 'server/a.ts 100': 'of one client' };
    const text = inClass('return this.rows.size > 100;');
    expect(capacities(treeOf({ 'server/a.ts': text }), others).problems).toEqual([]);
    const gone = capacities(treeOf({ 'server/a.ts': 'const a = 1;' }), others).problems;
    expect(gone).toEqual([expect.stringContaining('server/a.ts 100, which is not there')]);
  });
});
