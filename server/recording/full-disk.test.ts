/** A recording file on a full disk: the twin keeps running and reports the error at its end. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireWritable } from '../cli/result-files.ts';
import { createTwin } from '../index.ts';

const FULL = '/dev/full';

it.skipIf(!existsSync(FULL))('closes all resources and rejects with the write error', async () => {
  const data = mkdtempSync(join(tmpdir(), 'armtwin-full-recording-'));
  try {
    const twin = await createTwin({ data, record: FULL });
    await twin.advance(60);
    await expect(twin.close()).rejects.toThrow(/\/dev\/full cannot be recorded into: ENOSPC/);
    const next = await createTwin({ data });
    await next.close();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

it.skipIf(!existsSync('/proc/self'))(
  'says when a folder exists but takes no new files',
  async () => {
    const path = '/proc/recording';
    await expect(createTwin({ record: path })).rejects.toThrow(
      `${path} cannot be recorded into: its folder takes no new files`,
    );
    expect(() => requireWritable({ html: path })).toThrow(
      '--html cannot be written: the folder /proc takes no new files (ENOENT)',
    );
  },
);
