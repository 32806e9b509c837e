/** I/O errors at each step of a durable write: the old content remains. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Database } from './database.ts';
import { emptyRecords } from './records.ts';

type Step = 'open' | 'writeFile' | 'sync' | 'rename';
const failing = vi.hoisted(() => ({ step: null as string | null }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  const fail = (step: string) => {
    if (failing.step === step) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  };
  return {
    ...real,
    async open(...given: Parameters<typeof real.open>) {
      fail('open');
      const file = await real.open(...given);
      const { writeFile, sync } = file;
      file.writeFile = async (...args) => {
        fail('writeFile');
        return writeFile.apply(file, args);
      };
      file.sync = async () => {
        fail('sync');
        return sync.apply(file);
      };
      return file;
    },
    async rename(...given: Parameters<typeof real.rename>) {
      fail('rename');
      return real.rename(...given);
    },
  };
});

const folder = mkdtempSync(join(tmpdir(), 'armtwin-eio-'));
afterEach(() => {
  failing.step = null;
});

describe.each<Step>(['open', 'writeFile', 'sync', 'rename'])('EIO at %s', (step) => {
  it('rejects the change, rolls back, and works again after the error', async () => {
    const place = join(folder, step);
    const database = await Database.open(place, emptyRecords('Before', '4.9.0'));
    await database.change(() => {});
    failing.step = step;
    const change = database.change((draft) => {
      draft.name = 'Lost';
    });
    await expect(change).rejects.toThrow(/index\.json could not be saved: EIO/);
    expect(database.records.name).toBe('Before');
    failing.step = null;
    expect(JSON.parse(readFileSync(join(place, 'index.json'), 'utf8')).name).toBe('Before');
    expect(readdirSync(place).filter((name) => name.endsWith('.new'))).toEqual([]);
    await database.change((draft) => {
      draft.name = 'After';
    });
    await database.close();
    const again = await Database.open(place, emptyRecords('', ''));
    expect(again.records.name).toBe('After');
    await again.close();
    rmSync(place, { recursive: true });
  });
});
