/**
 * One recording at a time goes into a file; a killed one does not keep others from it.
 * @module-tag ci
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runRecord } from '../cli/commands/record.ts';
import { createTwin } from '../index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-record-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is refused to a second twin, also over a link, until the first ends', async () => {
  const record = join(folder, 'run.jsonl');
  const first = await createTwin({ record });
  symlinkSync(record, join(folder, 'link.jsonl'));
  for (const path of [record, join(folder, 'link.jsonl')]) {
    await expect(createTwin({ record: path })).rejects.toThrow(
      `${path} is being recorded into by process ${process.pid}. ` +
        'Stop it, or choose another file with the option record.',
    );
  }
  await first.close();
  expect(readdirSync(folder).sort()).toEqual(['link.jsonl', 'run.jsonl']);
  const second = await createTwin({ record });
  await second.close();
});

it('is refused to a twin of another process, until that one is killed', async () => {
  const record = join(folder, 'run.jsonl');
  const lock = JSON.stringify(`${record}.lock`);
  const file = JSON.stringify(new URL('../store/folder-lock.ts', import.meta.url).href);
  const script = `import { FolderLock } from ${file};
    await FolderLock.acquire(${lock}); console.log('ready'); setInterval(() => {}, 1000);`;
  const flags = ['--import', 'tsx', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await expect(createTwin({ record })).rejects.toThrow(`by process ${child.pid}`);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const twin = await createTwin({ record });
  await twin.close();
});

it('is refused to armtwin record while a twin records into it', async () => {
  const out = join(folder, 'run.jsonl');
  const twin = await createTwin({ record: out });
  const said: string[] = [];
  const write = { write: (text: string) => said.push(text) > 0 };
  const { signal } = new AbortController();
  const flags = { token: twin.token, out };
  expect(await runRecord(twin.url, flags, { out: write, err: write, signal })).toBe(2);
  expect(said.join('')).toBe(
    `Cannot write ${out}: ${out} is being recorded into by process ${process.pid}. ` +
      'Stop it, or choose another file with --out.\n',
  );
  await twin.close();
});
