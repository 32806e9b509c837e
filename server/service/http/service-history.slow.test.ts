/** Kills, stops, full disks and second instances: 500 lives of the service lose nothing. */
import { expect, it } from 'vitest';
import { playRounds } from '../../rounds.cases.ts';
import { playServiceHistory } from './service-history.cases.ts';

/** Folders, and lives on each. */
const FOLDERS = 50;
const LIVES = 10;

it('keeps what is acknowledged, and nothing that is refused', async () => {
  const played = await playRounds('service-history', FOLDERS, (seed) =>
    playServiceHistory({ seed, lives: LIVES }),
  );
  expect(played.violations).toEqual([]);
  expect(played.counts['acknowledged']).toBeGreaterThan(played.rounds * LIVES);
}, 7_200_000);
