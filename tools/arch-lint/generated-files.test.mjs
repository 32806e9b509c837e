import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { generatedFiles } from './generated-files.mjs';
import { treeOf } from './tree.mjs';

const root = mkdtempSync(join(tmpdir(), 'generated-files-'));
mkdirSync(join(root, 'tools'));
afterAll(() => rmSync(root, { recursive: true }));
const problems = async (/** @type {string} */ generator) => {
  writeFileSync(join(root, 'tools/generate.mjs'), generator);
  return (await generatedFiles(treeOf({ 'contract/types.generated.ts': '' }, root))).problems;
};

describe('generated files', () => {
  it('accepts files that are current', async () => {
    expect(await problems('process.exit(0)')).toEqual([]);
  });

  it('reports the files that the generator calls stale', async () => {
    const found = await problems(
      "console.log('stale contract/types.generated.ts'); process.exit(1)",
    );
    expect(found).toEqual([
      'stale contract/types.generated.ts',
      'generate them again: npm run generate',
    ]);
  });
});
