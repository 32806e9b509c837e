import { describe, expect, it } from 'vitest';
import type { TwinOptions } from '../../server/index.ts';
import {
  type TwinAndClient,
  withTwinClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { bodyFaults } from '../../server/webhooks/body-check.cases.ts';
import { openReceiver } from '../../server/webhooks/receiver.cases.ts';
import { assayDefinition, ENOUGH_S, startedRun } from './assay.cases.ts';

const quiet: TwinOptions = { webhooks: 'off' };

/** Advances in small steps until a call is answered, however late it arrives. */
async function advanceUntil(twin: TwinAndClient['twin'], call: Promise<unknown>) {
  const answered = call.then(() => true);
  while (!(await Promise.race([answered, twin.advance(0.02).then(() => false)])));
}

describe('the assay with the arm as transporter', () => {
  it('ends with every plate back in the hotel, and sends exactly its events', async () => {
    const receiver = await openReceiver();
    await withTwinClient({}, async ({ twin, arm }) => {
      const run = await startedRun(arm, assayDefinition(receiver.url));
      await twin.advance(ENOUGH_S);
      const { run: shown } = await arm.getRun(run);
      expect([shown.state, shown.message]).toEqual(['stopped', 'completed']);
      expect(shown.labware.map(({ instrument_id, slot }) => [instrument_id, slot])).toEqual([
        ['hotel', 1],
        ['hotel', 2],
        ['hotel', 3],
      ]);
      expect((await arm.getLock()).owner).toBe('none');
      const { events } = await arm.listRunEvents(run);
      const counts: Record<string, number> = {};
      for (const { hook_type } of events) counts[hook_type] = (counts[hook_type] ?? 0) + 1;
      // Nothing drifts, so the first plan, whose makespan is the lower bound, is the only one.
      expect(counts).toEqual({
        NewPlanHook: 1,
        RunStateChangeHook: 2,
        LabwareMovementHook: 2 * 15,
        TaskStateChangeHook: 2 * 15,
      });
      expect(shown.plan).toMatchObject({ makespan: 859, lower_bound: 859 });
      expect(shown.now_s).toBe(859);
      await receiver.heard(events.length);
      const sent = receiver.received.map(({ text }) => JSON.parse(text) as unknown);
      expect(sent).toEqual(events.map(({ body }) => body));
      const faults = receiver.received.map(({ headers, text }) =>
        bodyFaults(String(headers['x-hook-type']), text),
      );
      expect(faults.flat()).toEqual([]);
    });
    await receiver.close();
  }, 60_000);

  it(
    'says what waits for an arm that is paused beside the run, before the pick-up and after',
    () =>
      withTwinClient(quiet, async ({ twin, arm }) => {
        const run = await startedRun(arm, assayDefinition());
        for (const further_s of [0.5, 1]) {
          await twin.advance(further_s);
          await advanceUntil(twin, arm.pause());
          const { state, waiting } = (await arm.getRun(run)).run;
          expect(state).toBe('started');
          expect(waiting[0]!.reasons[0]).toBe('the arm is paused');
          await advanceUntil(twin, arm.resume());
          await twin.advance(0.1);
          const { run: goesOn } = await arm.getRun(run);
          expect(goesOn.waiting[0]!.reasons).not.toContain('the arm is paused');
        }
      }),
    60_000,
  );

  it(
    'pauses with the plate in the gripper at an emergency stop, and puts it down later',
    { tags: ['slow'], timeout: 60_000 },
    () =>
      withTwinClient(quiet, async ({ twin, arm }) => {
        const run = await startedRun(arm, assayDefinition());
        for (let held = false; !held; ) {
          await twin.advance(0.5);
          const { labware } = (await arm.getRun(run)).run;
          held = labware.some(({ instrument_id }) => instrument_id === null);
        }
        twin.apply({ kind: 'estop', engaged: true });
        await twin.advance(5);
        twin.apply({ kind: 'estop', engaged: false });
        await twin.advance(5);
        const states = (await arm.listRunEvents(run)).events.flatMap(({ body }) =>
          'state' in body ? [body.state] : [],
        );
        expect(states.slice(-4)).toEqual(['emergency_stop', 'failed', 'paused', 'ok']);
        await arm.resetErrors().catch(() => {});
        await arm.resumeRun(run);
        await twin.advance(ENOUGH_S);
        expect((await arm.getRun(run)).run.message).toBe('completed');
      }),
  );

  it(
    'ends all motion and releases the lock when it is stopped',
    () =>
      withTwinClient(quiet, async ({ twin, arm }) => {
        const run = await startedRun(arm, assayDefinition());
        await twin.advance(4);
        expect((await arm.getLock()).owner).not.toBe('none');
        await arm.stopRun(run);
        await twin.advance(5);
        expect(twin.snapshot()['control']).toMatchObject({ state: 'ready' });
        expect((await arm.getLock()).owner).toBe('none');
      }),
    60_000,
  );
});
