/** The invariants of runs on 60 workcells with 100 seeds each, every other with two runs. */

import { expect, it } from 'vitest';
import { playRounds } from '../../server/rounds.cases.ts';
import { withTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { disturbedRun } from './run-invariants.cases.ts';

const WORKCELLS = 60;
const SEEDS = 100;
/** Seeds in a round, which has a twin of its own: the lists of runs and events stay short. */
const PER_ROUND = 10;
/** Rounds of the workcell that the twin's arm serves. */
const ARM_ROUNDS = 40;
const ROUNDS_PER_WORKCELL = SEEDS / PER_ROUND;

async function playedRound(layout: number | 'arm', round: number) {
  return withTwinClient({ webhooks: 'off', driver: 'fast' }, async (stage) => {
    const violations: string[] = [];
    const counts = { runs: 0, events: 0, ticks: 0 };
    for (let i = 0; i < PER_ROUND; i++) {
      const seed = PER_ROUND * round + i;
      const { faults, events, ticks } = await disturbedRun(
        stage,
        { layout, seed },
        seed % 2 === 0 ? 2 : 1,
      );
      violations.push(...faults);
      counts.events += events;
      counts.ticks += ticks;
      if (events > 0) counts.runs += 1;
    }
    return { violations, counts };
  });
}

it('events and deck of disturbed runs agree, and nothing stays open', async () => {
  const played = await playRounds('run-invariants', WORKCELLS * ROUNDS_PER_WORKCELL, (round) =>
    playedRound(1000 + Math.floor((round - 1) / ROUNDS_PER_WORKCELL), round),
  );
  expect(played.violations).toEqual([]);
  // Only a few workcells have no plan.
  expect(played.counts['runs']).toBeGreaterThan(0.5 * PER_ROUND * played.rounds);
}, 7_200_000);

it('so do those with the arm, whose gripper never opens on a plate', async () => {
  const played = await playRounds('arm-run-invariants', ARM_ROUNDS, (round) =>
    playedRound('arm', round),
  );
  expect(played.violations).toEqual([]);
  expect(played.counts['runs']).toBe(PER_ROUND * played.rounds);
}, 7_200_000);
