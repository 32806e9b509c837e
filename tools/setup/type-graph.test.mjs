import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { declaredEntries, undeclaredImports } from './type-graph.mjs';

it('finds the entries of a package', () => {
  const exports = { '.': { types: './a.d.ts', default: './a.js' }, './b': { types: './b.d.ts' } };
  expect(declaredEntries(exports)).toEqual(['./a.d.ts', './b.d.ts']);
});

it('names the declaration files that need types which users lack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-types-'));
  try {
    writeFileSync(join(folder, 'a.d.ts'), "import type { B } from './b.ts';\nexport type A = B;\n");
    writeFileSync(join(folder, 'b.d.ts'), "export type B = import('ws').WebSocket;\n");
    writeFileSync(join(folder, 'c.d.ts'), "import type { C } from 'express';\n");
    const dev = { '@types/ws': '8.0.0', '@types/express': '5.0.0' };
    const a = join(folder, 'a.d.ts');
    expect(undeclaredImports([a], dev)).toEqual([`${join(folder, 'b.d.ts')} imports ws`]);
    expect(undeclaredImports([a], {})).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
