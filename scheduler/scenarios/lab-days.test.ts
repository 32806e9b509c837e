/** Days in a lab over HTTP with a stepped clock; the expected events are written by hand. */

import { afterEach, describe, expect, it } from 'vitest';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearDecks, moment_s, runEventText, startedRun } from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });
let began_s = 0;

afterEach(() => clearDecks(stage.arm));

type RunPath = { readonly run_id: number };

async function begun(definition: Record<string, unknown>): Promise<RunPath> {
  began_s = stage.twin.now_s();
  return startedRun(stage.arm, definition);
}

/** Events with their time since the start, without plans. */
async function story(run: RunPath): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events
    .filter(({ hook_type }) => hook_type !== 'NewPlanHook')
    .map((event) => `${Math.round(10 * (moment_s(event) - began_s)) / 10} ${runEventText(event)}`);
}

const stored = (labware_id: string) => ({ type: 'stored_labware', labware_id });
const taken = (labware_id: string, source_task: string) => {
  return { type: 'labware_source', labware_id, source_task };
};

/** A task of 10 s on an instrument of the same type and id. */
function taskOn(type: string, source: { labware_id: string }, dependencies: string[] = []) {
  const labware_sources = { [source.labware_id]: { ...source, destination_slot: 1 } };
  const rest = { action: 'hold', time_estimate: 10, dependencies, labware_sources };
  return { instrument: { type }, ...rest };
}

/** Plates a and b in two instruments with one slot each change places; moves take 5 s. */
function swap(rack: object): Record<string, unknown> {
  const both = ['a_left', 'b_right'];
  return {
    name: 'swap',
    workflow: {
      labware: [
        { id: 'a', starting_location: { instrument: 'left', slot: 1 } },
        { id: 'b', starting_location: { instrument: 'right', slot: 1 } },
      ],
      tasks: {
        a_left: taskOn('left', stored('a')),
        b_right: taskOn('right', stored('b')),
        a_right: taskOn('right', taken('a', 'a_left'), both),
        b_left: taskOn('left', taken('b', 'b_right'), both),
      },
    },
    workcell: {
      workcell_id: 'swap',
      instruments: [
        { id: 'left', type: 'left' },
        { id: 'right', type: 'right' },
        { id: 'rack', type: 'rack', capacity: 2, ...rack },
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 5 },
    },
  };
}

describe('a swap of two plates', () => {
  it('has no plan beside a rack that is no buffer, and validate says so on request', async () => {
    const { arm } = stage;
    expect((await arm.validateWorkflow(swap({}))).is_valid).toBe(true);
    const { is_valid, errors } = await arm.validateWorkflow(swap({}), { plan: 1 });
    expect(is_valid).toBe(false);
    expect(errors.map(({ message }) => message)).toEqual([
      'no plan (deadlock): a_right waits for right slot 1 for a, held by b',
      'no plan (deadlock): b_left waits for left slot 1 for b, held by a',
    ]);
    await expect(begun(swap({}))).rejects.toThrow();
  });

  it('goes through a buffer', async () => {
    const { arm, twin } = stage;
    const definition = swap({ role: 'buffer' });
    expect(await arm.validateWorkflow(definition)).not.toHaveProperty('plan');
    const checked = await arm.validateWorkflow(definition, { plan: 1 });
    expect(checked.errors).toEqual([]);
    const { workflow } = await arm.createWorkflow(definition);
    const { plan } = await arm.planWorkflow({ workflow_id: workflow.id });
    expect(checked.plan).toEqual({ ...plan, id: checked.plan!.id });
    const run = await begun(definition);
    await twin.advance(100);
    expect(await story(run)).toEqual([
      '0 Run started',
      '0 Task a_left started',
      '0 Task b_right started',
      '10 Task a_left succeeded',
      '10 Task b_right succeeded',
      '10 Labware b started',
      '15 Labware b finished',
      '15 Labware a started',
      '20 Labware a finished',
      '20 Labware b started',
      '20 Task a_right started',
      '25 Labware b finished',
      '25 Task b_left started',
      '30 Task a_right succeeded',
      '35 Task b_left succeeded',
      '35 Run stopped (completed)',
    ]);
    const { moves } = (await arm.getRun(run)).run;
    expect(moves[0]).toMatchObject({ labware_id: 'b', destination_instrument_id: 'rack' });
  });

  it('goes on after an emergency stop on the way to the buffer', async () => {
    const { arm, twin } = stage;
    const run = await begun(swap({ role: 'buffer' }));
    await twin.advance(12);
    await arm.setEmergencyStop({ engaged: true });
    await twin.advance(1);
    await arm.setEmergencyStop({ engaged: false });
    await twin.advance(7);
    await arm.resumeRun(run);
    await twin.advance(100);
    expect((await story(run)).slice(5)).toEqual([
      '10 Labware b started',
      '12 Safety emergency_stop',
      '12 Labware b failed',
      '12 Run paused (emergency stop)',
      expect.stringMatching(/^13\S* Safety ok$/),
      '20 Run resumed',
      '20 Labware b started',
      '25 Labware b finished',
      '25 Labware a started',
      '30 Labware a finished',
      '30 Labware b started',
      '30 Task a_right started',
      '35 Labware b finished',
      '35 Task b_left started',
      '40 Task a_right succeeded',
      '45 Task b_left succeeded',
      '45 Run stopped (completed)',
    ]);
  });
});
