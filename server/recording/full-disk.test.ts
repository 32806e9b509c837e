/** A tape that cannot be written: the twin goes on, ends whole, and says so. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTwin } from '../index.ts';

const FULL = '/dev/full';

it.skipIf(!existsSync(FULL))('gives free what the twin holds, and says why it failed', async () => {
  const data = mkdtempSync(join(tmpdir(), 'armtwin-full-tape-'));
  try {
    const twin = await createTwin({ data, record: FULL });
    await twin.advance(60);
    await expect(twin.close()).rejects.toThrow(/ENOSPC/);
    const next = await createTwin({ data });
    await next.close();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
