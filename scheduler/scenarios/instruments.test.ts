/** Instruments as they are in a lab, in runs over HTTP with a stepped clock. */

import { describe, expect, it } from 'vitest';
import type { LabwareMovement } from '../../contract/types.generated.ts';
import { moment_s, runEventText, startedRun } from './assay.cases.ts';
import { labDay } from './lab-day.cases.ts';
import { watchedStage } from './watched-stage.cases.ts';

const stage = watchedStage();

type RunPath = { readonly run_id: number };

/** The events of a run with a word, and their times. */
async function told(run: RunPath, word: RegExp): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events
    .map((event) => `${Math.round(moment_s(event) - stage.began_s)} ${runEventText(event)}`)
    .filter((text) => word.test(text));
}

/** Where a piece was put, in order. */
async function placesOf(run: RunPath, piece: string): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events.flatMap(({ hook_type, body }) => {
    if (hook_type !== 'LabwareMovementHook') return [];
    const { labware_id, state, ...to } = body as LabwareMovement;
    if (labware_id !== piece || state !== 'finished') return [];
    return [`${to.destination_instrument_id} ${to.destination_slot}`];
  });
}

describe('a reader that warms up and cools down', () => {
  const cell = { instruments: { reader: { warm_up_s: 100, cool_down_s: 30 } } };

  it('reads once it is warm, and the next plate once it is cool', async () => {
    const { twin, arm } = stage;
    const plates = { p1: [['reader', 10]], p2: [['reader', 10]] } as const;
    const run = await startedRun(arm, labDay(plates, cell));
    const reasonsOf = async (task: string) => {
      const { waiting } = (await arm.getRun(run)).run;
      return waiting.find(({ task_id }) => task_id === task)!;
    };
    await twin.advance(50);
    const { reasons, blocked_by } = await reasonsOf('p1_reader');
    expect(reasons).toEqual(['reader warms up for 50 s']);
    expect(blocked_by).toMatchObject([{ text: 'reader warms up for 50 s', freed_by: 'time' }]);
    await twin.advance(80);
    expect((await reasonsOf('p2_reader')).reasons).toEqual(['reader cools down for 10 s']);
    await twin.advance(100);
    expect(await told(run, /./)).toEqual([
      '0 NewPlan',
      '0 Run started',
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '100 Task p1_reader started',
      '110 Task p1_reader succeeded',
      '110 Labware p1 started',
      '115 Labware p1 finished',
      '115 Labware p2 started',
      '115 Task p1_rack started',
      '116 Task p1_rack succeeded',
      '120 Labware p2 finished',
      '140 Task p2_reader started',
      '150 Task p2_reader succeeded',
      '150 Labware p2 started',
      '155 Labware p2 finished',
      '155 Task p2_rack started',
      '156 Task p2_rack succeeded',
      '156 Run stopped (completed)',
    ]);
  });

  it('is waited for where it was used longer than planned', async () => {
    const { twin, arm } = stage;
    const late = { execution_time: 25 };
    const plates = { p1: [['reader', 10, late]], p2: [['reader', 10]] } as const;
    const run = await startedRun(arm, labDay(plates, cell));
    await twin.advance(300);
    expect(await told(run, /p2_reader/)).toEqual([
      '155 Task p2_reader started',
      '165 Task p2_reader succeeded',
    ]);
  });
});

describe('a step that a person does', () => {
  const bench = { id: 'bench', type: 'bench' };
  const bin = { id: 'bin', type: 'bin', role: 'reject' };
  const prompt = 'Check the colour of the wells';
  const asking = (rest: object) => {
    const step = ['bench', 30, { prompt, ...rest }] as const;
    return labDay({ p1: [step] }, { more: [bench, bin] });
  };

  it('goes on when they say that it is done', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, asking({ time_out_s: 100 }));
    await twin.advance(20);
    expect((await arm.getRun(run)).run.prompts).toEqual([
      {
        task_id: 'p1_bench',
        instrument_id: 'bench',
        prompt,
        since_s: 5,
        times_out_at_s: 105,
        outputs: [],
      },
    ]);
    await expect(arm.completeTask(run, { task_id: 'p1_rack' })).rejects.toThrow('no person');
    await twin.advance(40);
    await arm.completeTask(run, { task_id: 'p1_bench' });
    expect((await arm.getRun(run)).run.prompts).toEqual([]);
    await twin.advance(60);
    expect(await told(run, /p1|Run/)).toEqual([
      '0 Run started',
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '5 Task p1_bench started',
      '60 Task p1_bench succeeded',
      '60 Labware p1 started',
      '65 Labware p1 finished',
      '65 Task p1_rack started',
      '66 Task p1_rack succeeded',
      '66 Run stopped (completed)',
    ]);
  });

  it('fails when nobody answers, and is handled as other failures', async () => {
    const { twin, arm } = stage;
    const on_failure = { retries: 1, retry_delay_s: 10, action: 'continue_without' };
    const run = await startedRun(arm, asking({ time_out_s: 100, on_failure }));
    await twin.advance(400);
    expect(await told(run, /p1|Run/)).toEqual([
      '0 Run started',
      '0 Labware p1 started',
      '5 Labware p1 finished',
      '5 Task p1_bench started',
      '105 Task p1_bench failed (nobody did it within 100 s)',
      '115 Task p1_bench started',
      '215 Task p1_bench failed (nobody did it within 100 s)',
      '215 Labware p1 started',
      '220 Labware p1 finished',
      '220 Run stopped (completed; aborted tasks: p1_bench, p1_rack)',
    ]);
  });

  it('is late and waited for where it has no time-out, also while the run is paused', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, asking({}));
    await twin.advance(1000);
    const { late, prompts } = (await arm.getRun(run)).run;
    expect(late).toMatchObject([{ task_id: 'p1_bench', late_s: 965 }]);
    expect(prompts).toMatchObject([{ times_out_at_s: null }]);
    await arm.pauseRun(run, { immediate: true });
    await arm.completeTask(run, { task_id: 'p1_bench' });
    await arm.resumeRun(run);
    await twin.advance(20);
    expect((await arm.getRun(run)).run.message).toBe('completed');
  });

  it('ends as its simulated person does', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, asking({ execution_time: 12, time_out_s: 100 }));
    await twin.advance(60);
    expect(await told(run, /bench/)).toEqual([
      '5 Task p1_bench started',
      '17 Task p1_bench succeeded',
    ]);
  });
});

describe('a bench with a shift', () => {
  /** A time of day some minutes from now, and how long it is until then (s). */
  function soon(minutes: number): { readonly text: string; readonly after_s: number } {
    const at_s = 60 * (Math.ceil(stage.began_s / 60) + minutes);
    const text = new Date(at_s * 1000).toISOString().slice(11, 16);
    return { text, after_s: Math.round(at_s - stage.began_s) };
  }

  it('begins its tasks in it, and what must end soon before waits, too', async () => {
    const { twin, arm } = stage;
    const [from, to] = [soon(10), soon(20)];
    const bench = { id: 'bench', type: 'bench', shifts: [{ from: from.text, to: to.text }] };
    const limit = { id: 'wet', type: 'end_to_start', max_duration: 100 };
    const ends = { start_task_id: 'p1_washer', end_task_id: 'p1_bench' };
    const day = labDay(
      {
        p1: [
          ['washer', 60],
          ['bench', 30],
        ],
      },
      { more: [bench], workflow: { time_constraints: [{ ...limit, ...ends }] } },
    );
    const run = await startedRun(arm, day);
    await twin.advance(1);
    const { waiting } = (await arm.getRun(run)).run;
    const last = waiting.find(({ task_id }) => task_id === 'p1_bench')!;
    expect(last.reasons).toContain(`bench works again from ${from.text}`);
    await twin.advance(1000);
    expect(await told(run, /bench started/)).toEqual([`${from.after_s} Task p1_bench started`]);
    const { limits, violations, message } = (await arm.getRun(run)).run;
    expect([limits, violations, message]).toEqual([[], [], 'completed']);
  });

  it('has no plan for a task that is longer', async () => {
    const shifts = [{ from: '08:00', to: '08:05' }];
    const bench = { id: 'bench', type: 'bench', shifts };
    const { errors } = await stage.arm.validateWorkflow(
      labDay({ p1: [['bench', 301]], p2: [['bench', 300]] }, { more: [bench] }),
    );
    expect(errors).toEqual([
      {
        path: '/workflow/tasks/p1_bench/time_estimate',
        message: 'is longer than every shift of bench',
      },
    ]);
  });
});

describe('an incubator with two slots of which any will do', () => {
  const cell = { instruments: { incubator: { slots: 2, max_tasks: 2 } } };

  it('takes the third plate in the slot that is free first', async () => {
    const { twin, arm } = stage;
    const day = labDay(
      {
        p1: [['incubator', 60, { slot: 'any', execution_time: 400 }]],
        p2: [['incubator', 90, { slot: 'any' }]],
        p3: [
          ['washer', 100],
          ['incubator', 30, { slot: 'any' }],
        ],
      },
      cell,
    );
    const run = await startedRun(arm, day);
    await twin.advance(500);
    const [first, second, third] = await Promise.all(
      ['p1', 'p2', 'p3'].map((piece) => placesOf(run, piece)),
    );
    const slots = [first![0], second![0]].toSorted();
    expect(slots).toEqual(['incubator 1', 'incubator 2']);
    // Plate 1 stays for five minutes longer than planned.
    expect(third).toEqual(['washer 1', second![0], 'rack 3']);
    expect((await arm.getRun(run)).run.message).toBe('completed');
  });
});

describe('a centrifuge whose slots balance each other', () => {
  const centrifuge = { slots: 4, max_tasks: 1, closed_while_running: true };
  const pairs = [
    [1, 3],
    [2, 4],
  ];

  /** Plates 1 and 2 are spun together, and read one after the other; then 3 and 4 are spun. */
  function spins(terms: object): Record<string, unknown> {
    const together = (one: string, slot: number, other: string, opposite: number) => {
      const need = (labware_id: string, destination_slot: number) => {
        return { type: 'stored_labware', labware_id, destination_slot };
      };
      return { labware_sources: { [one]: need(one, slot), [other]: need(other, opposite) } };
    };
    const day = labDay(
      {
        p1: [
          ['centrifuge', 60, together('p1', 1, 'p2', 3)],
          ['reader', 100],
        ],
        p2: [['reader', 100]],
        p3: [
          ['centrifuge', 60, { ...together('p3', 2, 'p4', 4), dependencies: ['p1_centrifuge'] }],
        ],
        p4: [],
      },
      { instruments: { centrifuge: { ...centrifuge, ...terms } } },
    );
    const { tasks } = Reflect.get(day, 'workflow') as { tasks: Record<string, object> };
    const from = (labware_id: string, source_task: string, slot: number) => {
      const need = { type: 'labware_source', labware_id, source_task, destination_slot: slot };
      return { labware_sources: { [labware_id]: need } };
    };
    Object.assign(tasks['p2_reader']!, from('p2', 'p1_centrifuge', 1));
    Object.assign(tasks['p4_rack']!, from('p4', 'p3_centrifuge', 4));
    return day;
  }

  it('spins while what is left of the spin before does not unbalance it, as the plan says', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, spins({ balance: pairs }));
    const { plan } = (await arm.getRun(run)).run;
    const { start } = (plan!.tasks as Record<string, { start: number }>)['p3_centrifuge']!;
    await twin.advance(600);
    const starts = await told(run, /_centrifuge started|Run stopped/);
    expect(starts.at(-1)).toContain('completed');
    expect(starts[1]).toBe(`${start} Task p3_centrifuge started`);
    const taken = await told(run, /Labware p[12] started/);
    // In, in, out to the reader, away, and then the other one out to the reader.
    const plates = taken.map((text) => text.split(' ')[2]!);
    expect([plates[2], plates[4]].sort()).toEqual(['p1', 'p2']);
    expect(Number(taken[4]!.split(' ')[0])).toBeLessThanOrEqual(start);
  });

  it('would spin earlier if its slots did not balance each other', async () => {
    const { arm } = stage;
    const starts: number[] = [];
    for (const terms of [{ balance: pairs }, {}]) {
      const { workflow } = await arm.createWorkflow(spins(terms));
      const { plan } = await arm.planWorkflow({ workflow_id: workflow.id });
      starts.push((plan.tasks as Record<string, { start: number }>)['p3_centrifuge']!.start);
    }
    expect(starts[0]).toBeGreaterThan(starts[1]!);
  });

  it('says which half is filled while it waits', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, spins({ balance: pairs }));
    await twin.advance(100);
    const { waiting } = (await arm.getRun(run)).run;
    const [spin] = waiting.filter(({ task_id }) => task_id === 'p3_centrifuge');
    const texts = [...spin!.reasons, ...spin!.blocked_by.map(({ text }) => text)].join('; ');
    expect(texts).toMatch(/centrifuge slot [13] is empty, which balances slot [13]/);
  });
});
