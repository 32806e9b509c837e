/** 100 kills, in every phase of a carry: nothing stays open, and the work goes on. */
import { expect, it } from 'vitest';
import { playRounds } from '../../server/rounds.cases.ts';
import { playKilledCarries } from './kill-carry.cases.ts';

/** Folders, each with four kills. */
const FOLDERS = 25;

it('closes what a killed process had begun, and continues from the deck', async () => {
  const played = await playRounds('kill-carry', FOLDERS, playKilledCarries);
  expect(played.violations).toEqual([]);
  expect(played.counts['events']).toBeGreaterThan(played.rounds * 20);
}, 7_200_000);
