/** A recording file on a full disk: the twin keeps running and reports the error at its end. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
