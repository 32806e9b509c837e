import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf, firstVisitProblem } from './first-visit.mjs';

const LAZY = ['around-live', 'cell-layer'];
const MANIFEST = {
  'index.html': { file: 'index.js', name: 'index' },
  'styles/explain.css': { file: 'explain.css' },
  '_shared.js': { file: 'shared.js', name: 'shared', imports: ['index.html'] },
  ...Object.fromEntries(
    LAZY.map((name) => [
      `shell/${name}.ts`,
      { file: `${name}.js`, name, imports: ['index.html', '_shared.js'] },
    ]),
  ),
  'pages/teach-page.ts': { file: 'teach-page.js', name: 'teach-page', imports: ['index.html'] },
};
const COUNTED = ['index.html', 'index.js', 'explain.css', 'shared.js'];

/** A built page whose files have a hundred bytes each, compressed. */
function builtPage() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-'));
  for (const { file } of [...Object.values(MANIFEST), { file: 'index.html' }]) {
    writeFileSync(join(folder, file), 'x'.repeat(1000));
    writeFileSync(join(folder, `${file}.br`), 'x'.repeat(100));
  }
  for (const copy of ['', '.gz', '.br']) {
    writeFileSync(join(folder, `parts.json${copy}`), JSON.stringify(MANIFEST));
  }
  return folder;
}

it('counts each part of the first visit once, with what it imports, and nothing of other pages', () => {
  expect(filesOf(MANIFEST, ['index', 'cell-layer', 'explain.css']).sort()).toEqual(
    [...COUNTED, 'cell-layer.js'].sort(),
  );
});

it('refuses a list that names a part which is not there', () => {
  expect(() => filesOf(MANIFEST, ['tour'])).toThrow('the page has no part tour');
});

it('compares the bytes of the replies with the budget, and leaves no manifest in the page', () => {
  const bytes = (1000 + 100) * (COUNTED.length + LAZY.length);
  const folder = builtPage();
  expect(firstVisitProblem(folder, bytes)).toBe('');
  for (const copy of ['', '.gz', '.br'])
    expect(existsSync(join(folder, `parts.json${copy}`))).toBe(false);
  expect(firstVisitProblem(builtPage(), bytes - 1)).toMatch(
    `costs ${bytes} bytes, and its budget is ${bytes - 1}`,
  );
});
