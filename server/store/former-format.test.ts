/** Data folders of earlier versions open without loss. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renameFormerFiles } from './former-format.ts';
import { Spool } from './spool.ts';

it('reads the deliveries that version 0.1 stored under another file name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-former-'));
  try {
    writeFileSync(join(folder, 'shelf.jsonl'), '{"id":1}\n{"id":2}\n');
    await renameFormerFiles(folder);
    await renameFormerFiles(folder);
    const found: string[] = [];
    const spool = await Spool.open(folder, 'overflow.jsonl', (line) => found.push(line));
    await spool.close();
    expect(found).toEqual(['{"id":1}', '{"id":2}']);
    expect(existsSync(join(folder, 'shelf.jsonl'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
