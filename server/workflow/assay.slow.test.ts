import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.ts';
import { onStage } from '../sim/sim.cases.ts';
import { ADDRESS, assay, began, ENOUGH_S } from './assay.cases.ts';

const quiet = { webhooks: 'off' } as const;

function ran(definition: Record<string, unknown>): Promise<readonly RunEvent[]> {
  return onStage(quiet, async ({ twin, arm }) => {
    const run = await began(arm, definition);
    await twin.advance(ENOUGH_S);
    return (await arm.listRunEvents(run)).events;
  });
}

function moments(events: readonly RunEvent[], type: RunEvent['hook_type']): number[] {
  const chosen = events.filter(({ hook_type }) => hook_type === type);
  return chosen.map(({ body }) => Date.parse(body.timestamp) / 1000 - 1_577_836_800);
}

describe('the assay, carried by the arm', () => {
  it('comes later, move by move, from a slower arm', async () => {
    const swift = moments(await ran(assay()), 'LabwareMovementHook');
    const slow = moments(
      await ran(assay(ADDRESS, '"default_max_speed": 0.3')),
      'LabwareMovementHook',
    );
    expect(slow.length).toBe(swift.length);
    expect(slow.length).toBe(30);
    for (const [i, moment_s] of swift.entries()) expect(slow[i]).toBeGreaterThan(moment_s);
  }, 60_000);
});
