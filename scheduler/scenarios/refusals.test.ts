/** What a run and a deck refuse over HTTP: each with its reason, and nothing is lost. */

import { describe, expect, it } from 'vitest';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { clearDecks, startedRun } from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });

async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => '',
    (error: Error) => error.message,
  );
}

type Definition = ReturnType<typeof washAndRead>;

describe('an answer of the operator', () => {
  it('for what is unknown, too late or given twice is refused, and the run completes', async () => {
    const { arm, twin } = stage;
    const faults = [{ task_id: 'wash_plate_1' }];
    const run = await startedRun(arm, washAndRead(), { faults });
    const wash = { task_id: 'wash_plate_1' };
    const early = 'Task wash_plate_1 has not failed in a paused run';
    expect(await refusal(arm.retryTask(run, wash))).toContain(early);
    expect(await refusal(arm.whatIf(run, wash))).toContain(early);
    expect(await refusal(arm.resumeRun(run))).toContain('The run is started');
    await twin.advance(30);
    expect((await arm.getRun(run)).run.state).toBe('paused');
    const none = { task_id: 'no_such' };
    expect(await refusal(arm.retryTask(run, none))).toContain('There is no task no_such');
    expect(await refusal(arm.completeTask(run, none))).toContain('There is no task no_such');
    expect(await refusal(arm.skipTask(run, wash))).toContain('wash_plate_1');
    const labware_id = 'no_plate';
    expect(await refusal(arm.abortLabware(run, { labware_id }))).toContain('no labware no_plate');
    expect(await refusal(arm.holdLabware(run, { labware_id }))).toContain('no labware no_plate');
    expect(await refusal(arm.resumeRun(run))).toContain('wash_plate_1');
    await arm.retryTask(run, wash);
    expect(await refusal(arm.retryTask(run, wash))).toContain(early);
    expect(await refusal(arm.completeTask(run, wash))).toContain(early);
    await arm.resumeRun(run);
    expect(await refusal(arm.retryTask(run, wash))).toContain(early);
    await twin.advance(100);
    const { message, tasks } = (await arm.getRun(run)).run;
    expect([message, ...tasks.map(({ state }) => state)]).toEqual([
      'completed',
      'succeeded',
      'succeeded',
    ]);
    for (const late of [
      () => arm.retryTask(run, wash),
      () => arm.whatIf(run, wash),
      () => arm.pauseRun(run, {}),
      () => arm.resumeRun(run),
      () => arm.stopRun(run),
      () => arm.replanRun(run),
      () => arm.abortLabware(run, { labware_id: 'plate_1' }),
      () => arm.holdLabware(run, { labware_id: 'plate_1' }),
    ]) {
      expect(await refusal(late())).toContain('The run is stopped');
    }
    await clearDecks(arm);
  });
});

describe('a workcell and its deck', () => {
  const at = (labware_id: string, instrument_id: string, slot: number) => {
    return { labware_id, instrument_id, slot };
  };

  it('refuse what contradicts itself, and stay as they were', async () => {
    const { arm } = stage;
    const { workcell: instruments } = washAndRead();
    const { workcell } = await arm.createWorkcell({
      name: 'deck',
      instruments: instruments.instruments,
    });
    const path = { workcell_id: workcell.id };
    const before = { labware: [at('a', 'hotel', 1)], gripper: 'b' };
    await arm.setDeck(path, before);
    const refused = [
      [{ labware: [at('a', 'hotel', 1), at('c', 'hotel', 1)], gripper: null }, 'holds a already'],
      [{ labware: [at('a', 'hotel', 1), at('a', 'hotel', 2)], gripper: null }, 'slot 1 already'],
      [{ labware: [at('a', 'hotel', 1)], gripper: 'a' }, 'a is in hotel slot 1 already'],
      [{ labware: [at('a', 'hotel', 11)], gripper: null }, 'hotel has the slots 1 to 10'],
      [{ labware: [at('a', 'fridge', 1)], gripper: null }, 'there is no instrument fridge'],
      [{ labware: [at('a', 'arm', 1)], gripper: null }, 'there is no instrument arm'],
    ] as const;
    for (const [body, text] of refused) {
      const { labware, gripper } = body;
      expect(await refusal(arm.setDeck(path, { labware: [...labware], gripper }))).toContain(text);
    }
    expect((await arm.getDeck(path)).deck).toMatchObject(before);
    const less = workcell.instruments.filter(({ id }) => id !== 'hotel');
    const removed = arm.updateWorkcell(path, { name: 'deck', instruments: less });
    expect(await refusal(removed)).toContain('a stands in hotel slot 1');
    expect((await arm.getWorkcell(path)).workcell).toEqual(workcell);
    await clearDecks(arm);
  });

  it('refuse to lose an instrument in use, and a definition that needs a lost one', async () => {
    const { arm, twin } = stage;
    const { instruments } = washAndRead().workcell;
    const named = { ...washAndRead(), workcell: { workcell_id: 'shrinking' } };
    const { workcell } = await arm.createWorkcell({ name: 'shrinking', instruments });
    const path = { workcell_id: workcell.id };
    const body = {
      name: 'shrinking',
      instruments: instruments.filter(({ id }) => id !== 'reader'),
    };
    const { workflow } = await arm.createWorkflow(named);
    const start = () => arm.startRun({ workflow_id: workflow.id }, {});
    const { run } = await start();
    const busy = `Run ${run.id} uses the workcell`;
    expect(await refusal(arm.updateWorkcell(path, body))).toContain(busy);
    expect(await refusal(arm.deleteWorkcell(path))).toContain(busy);
    await twin.advance(100);
    expect((await arm.getRun({ run_id: run.id })).run.message).toBe('completed');
    expect(await refusal(arm.updateWorkcell(path, body))).toContain('stands in reader slot 1');
    await clearDecks(arm);
    await arm.updateWorkcell(path, body);
    expect(await refusal(start())).toContain('no longer valid');
    const { errors } = await arm.validateWorkflow(named);
    expect(errors[0]!.message).toContain('there is no instrument of type reader');
    await arm.deleteWorkcell(path);
    expect(await refusal(start())).not.toBe('');
  });
});

describe('a definition', () => {
  async function problem(change: (definition: Definition) => object): Promise<string> {
    const definition = washAndRead({ plates: 2 });
    const { errors } = await stage.arm.validateWorkflow({ ...definition, ...change(definition) });
    return errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  }

  it('refuses slots that are used twice, and choices that are unknown', async () => {
    const limit = { id: 'l', type: 'start_to_end', max_duration: 9 };
    const ends = { start_task_id: 'wash_plate_1', end_task_id: 'wash_plate_1' };
    const cases = [
      [
        (one: Definition) => {
          one.workflow.labware[1]!.starting_location.slot = 1;
          return {};
        },
        'hotel slot 1 already holds plate_1',
      ],
      [() => ({ options: { speed: 'high' } }), '/options/speed is not supported'],
      [
        ({ workflow }: Definition) => {
          const time_constraints = [{ ...limit, ...ends, on_violation: 'shout' }];
          return { workflow: { ...workflow, time_constraints } };
        },
        'on_violation must be one of',
      ],
      [
        ({ workcell }: Definition) => {
          const rack = { id: 'rack', type: 'rack', role: 'bufer' };
          return { workcell: { ...workcell, instruments: [...workcell.instruments, rack] } };
        },
        '/role',
      ],
    ] as const;
    for (const [change, text] of cases) expect(await problem(change)).toContain(text);
  });
});
