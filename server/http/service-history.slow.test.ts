/** Kills, stops and second instances: 500 lives of the service, nothing acknowledged lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ServiceHistory } from './service-history.cases.ts';

const ROUNDS = Number(process.env['ARMTWIN_ROUNDS'] ?? 500);
const SEED = 1;

it('keeps what is acknowledged, and nothing that is refused', async () => {
  const data = mkdtempSync(join(tmpdir(), 'armtwin-history-'));
  const history = new ServiceHistory(data, SEED);
  for (let round = 0; round < ROUNDS; round++) await history.round();
  expect(history.violations.slice(0, 5)).toEqual([]);
  expect(history.acknowledged).toBeGreaterThan(ROUNDS);
  rmSync(data, { recursive: true });
}, 7_200_000);
