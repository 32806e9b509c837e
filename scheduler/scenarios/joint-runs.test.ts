/** Several runs on one workcell over HTTP, stepped; the expected events are written by hand. */

import { afterEach, describe, expect, it } from 'vitest';
import type { StartRunBody } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearRuns, moment_s, roundTrips, runEventText, startedRun } from './assay.cases.ts';
import { deckContradictions, EventMonitor } from './event-monitor.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });
let began_s = 0;

afterEach(() => clearRuns(stage.arm));

/** Plates from a hotel are washed for 20 s one at a time and parked in a rack; moves take 5 s. */
function washing(plates: readonly string[], firstSlot: number): Record<string, unknown> {
  const tasks = plates.flatMap((plate, i) => {
    const source = { type: 'stored_labware', labware_id: plate };
    const then = { type: 'labware_source', labware_id: plate, source_task: `wash_${plate}` };
    const at = { destination_slot: firstSlot + i };
    const wash = { instrument: { type: 'washer' }, action: 'wash', time_estimate: 20 };
    const park = { instrument: { type: 'rack' }, action: 'park', time_estimate: 1 };
    return [
      [`wash_${plate}`, { ...wash, labware_sources: { [plate]: { ...source } } }],
      [`park_${plate}`, { ...park, labware_sources: { [plate]: { ...then, ...at } } }],
    ] as const;
  });
  const labware = plates.map((id, i) => {
    return { id, starting_location: { instrument: 'hotel', slot: firstSlot + i } };
  });
  return {
    name: `wash ${plates.join(' ')}`,
    workflow: { labware, tasks: Object.fromEntries(tasks) },
    workcell: {
      workcell_id: 'wash',
      instruments: [
        { id: 'hotel', type: 'hotel', capacity: 10 },
        { id: 'washer', type: 'washer' },
        { id: 'rack', type: 'rack', capacity: 10 },
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 5 },
    },
  };
}

type RunPath = { readonly run_id: number };

async function begun(plates: readonly string[], firstSlot: number, body: StartRunBody = {}) {
  return startedRun(stage.arm, washing(plates, firstSlot), body);
}

/** The events of runs in the order of time, without plans and parking. */
async function story(...runs: RunPath[]): Promise<string[]> {
  const lists = await Promise.all(runs.map((run) => stage.arm.listRunEvents(run)));
  return lists
    .flatMap(({ events }, i) => events.map((event) => ({ event, run: 'ABC'[i]! })))
    .filter(({ event }) => event.hook_type !== 'NewPlanHook')
    .map(({ event, run }) => {
      const at_s = Math.round(10 * (moment_s(event) - began_s)) / 10;
      return { at_s, text: `${at_s} ${run} ${runEventText(event)}` };
    })
    .filter(({ text }) => !text.includes('park_'))
    .sort((a, b) => a.at_s - b.at_s)
    .map(({ text }) => text);
}

async function ends_s(...runs: RunPath[]): Promise<number[]> {
  const ends = [];
  for (const run of runs) {
    const { events } = await stage.arm.listRunEvents(run);
    ends.push(moment_s(events.at(-1)!) - began_s);
  }
  return ends;
}

describe('two runs on one workcell', () => {
  it('share arm and washer; the run of the higher priority comes first', async () => {
    const { twin } = stage;
    began_s = twin.now_s();
    const a = await begun(['a1', 'a2'], 1);
    await twin.advance(12);
    const b = await begun(['b1'], 5, { priority: 9 });
    await twin.advance(200);
    expect(await story(a, b)).toEqual([
      '0 A Run started',
      '0 A Labware a1 started',
      '5 A Labware a1 finished',
      '5 A Task wash_a1 started',
      '12 B Run started',
      '25 A Task wash_a1 succeeded',
      '25 A Labware a1 started',
      '30 A Labware a1 finished',
      '30 B Labware b1 started',
      '35 B Labware b1 finished',
      '35 B Task wash_b1 started',
      '55 B Task wash_b1 succeeded',
      '55 B Labware b1 started',
      '60 A Labware a2 started',
      '60 B Labware b1 finished',
      '61 B Run stopped (completed)',
      '65 A Labware a2 finished',
      '65 A Task wash_a2 started',
      '85 A Task wash_a2 succeeded',
      '85 A Labware a2 started',
      '90 A Labware a2 finished',
      '91 A Run stopped (completed)',
    ]);
  });

  it('keep their order at equal priority, and a due time changes it', async () => {
    const { twin } = stage;
    began_s = twin.now_s();
    const a = await begun(['a1', 'a2'], 1);
    const b = await begun(['b1'], 5, { due_s: 65 });
    await twin.advance(200);
    expect(await ends_s(a, b)).toEqual([91, 61]);
  });

  it('start no earlier than asked for', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const a = await begun(['a1'], 1, { start_after_s: 40 });
    const b = await begun(['b1'], 5);
    expect((await arm.getRun(a)).run.schedule).toMatchObject({ start_after_s: 40, due_s: null });
    await twin.advance(200);
    expect(await ends_s(a, b)).toEqual([71, 31]);
  });

  it('go on without one that is paused, whose piece holds the washer', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const a = await begun(['a1'], 1);
    const b = await begun(['b1'], 5);
    await twin.advance(10);
    await arm.pauseRun(a, {});
    await twin.advance(90);
    const { waiting } = (await arm.getRun(b)).run;
    expect(waiting[0]!.reasons).toContain('washer slot 1 is held by a1');
    await arm.resumeRun(a);
    await twin.advance(100);
    expect(await ends_s(a, b)).toEqual([106, 136]);
  });

  it('resume in any order, and start nothing before there is a plan', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const a = await begun(['a1'], 1);
    const b = await begun(['b1'], 5);
    await twin.advance(10);
    for (const run of [a, b]) await arm.pauseRun(run, {});
    await twin.advance(20);
    await arm.resumeRun(b);
    const { state, waiting } = (await arm.getRun(b)).run;
    const reasons = ['it waits for a plan', 'washer slot 1 is held by a1'];
    expect([state, waiting[0]!.reasons]).toEqual(['started', expect.arrayContaining(reasons)]);
    await twin.advance(20);
    expect((await arm.listRunEvents(b)).events.at(-1)!.body).toMatchObject({ state: 'resumed' });
    await arm.resumeRun(a);
    const { events } = await arm.listRunEvents(b);
    expect(events.at(-1)!.hook_type).toBe('NewPlanHook');
    await twin.advance(100);
    expect(await ends_s(a, b)).toEqual([56, 86]);
  });

  it('leave their labware to each other: what one has parked, the next may use', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const a = await begun(['a1'], 1);
    const b = await begun(['b1', 'b2'], 5);
    await twin.advance(35);
    const again = await startedRun(arm, washing(['a1'], 1), { deck: 'as_found' });
    await twin.advance(200);
    expect((await arm.getRun(again)).run.message).toBe('completed');
    expect((await arm.getRun(b)).run.message).toBe('completed');
    expect((await arm.getRun(a)).run.message).toBe('completed');
  });

  it('hold a piece and release it, while the others go on', async () => {
    const { twin, arm } = stage;
    began_s = twin.now_s();
    const a = await begun(['a1', 'a2'], 1);
    await arm.holdLabware(a, { labware_id: 'a2' });
    await twin.advance(100);
    const { run } = await arm.getRun(a);
    expect(run.schedule).toMatchObject({ held_labware: ['a2'] });
    expect(run.tasks.map(({ state }) => state)).toEqual([
      'succeeded',
      'succeeded',
      'waiting',
      'waiting',
    ]);
    expect(run.waiting[0]!.reasons).toContain('a2 is on hold');
    await arm.releaseLabware(a, { labware_id: 'a2' });
    await expect(arm.releaseLabware(a, { labware_id: 'a2' })).rejects.toThrow();
    await twin.advance(100);
    expect(await ends_s(a)).toEqual([131]);
  });
});

/** Times of the moves of runs since the start (s), in their order. */
async function movesOf(...runs: RunPath[]) {
  const moves = [];
  for (const run of runs) {
    const { run: shown } = await stage.arm.getRun(run);
    const offset_s = Date.parse(shown.started_at) / 1000;
    for (const { labware_id, arm_started_at_s, arm_ended_at_s } of shown.moves) {
      const [start_s, end_s] = [arm_started_at_s! + offset_s, arm_ended_at_s! + offset_s];
      moves.push({ labware_id, start_s, end_s });
    }
  }
  return moves.sort((a, b) => a.start_s - b.start_s);
}

describe('two runs with the arm of the twin', () => {
  it('carry one plate at a time, and the run of the higher priority ends first', {
    tags: ['slow'],
    timeout: 60_000,
  }, async () => {
    const { arm, twin } = stage;
    const a = await startedRun(arm, roundTrips([1, 2]));
    await twin.advance(8);
    const b = await startedRun(arm, roundTrips([3]), { priority: 9 });
    const { workcell_id } = (await arm.getRun(a)).run;
    const plates = ['plate_1', 'plate_2', 'plate_3'];
    const faults: string[] = [];
    const isOn = async () => (await arm.listRuns()).runs.some(({ state }) => state !== 'stopped');
    let held = 0;
    for (let passed_s = 0; passed_s < 600 && (await isOn()); passed_s += 2) {
      await twin.advance(2);
      const { deck } = await arm.getDeck({ workcell_id: workcell_id! });
      faults.push(...deckContradictions(deck, plates));
      if (deck.gripper === null) continue;
      held += 1;
      if (twin.snapshot()['global.outputs'].ee_d0 !== true)
        faults.push(`the gripper is open on ${deck.gripper}`);
    }
    expect(held).toBeGreaterThan(5);
    const lists = [];
    for (const run of [a, b]) lists.push((await arm.listRunEvents(run)).events);
    const monitor = new EventMonitor({
      starts: new Map(plates.map((id, i) => [id, `hotel/${i + 1}`] as const)),
      capacities: new Map([
        ['dispenser', 1],
        ['washer', 1],
        ['hotel', 3],
      ]),
    });
    monitor.takeAll(lists);
    monitor.end((await arm.getDeck({ workcell_id: workcell_id! })).deck);
    expect([...faults, ...monitor.faults]).toEqual([]);
    const moves = await movesOf(a, b);
    expect(moves.length).toBe(9);
    moves.slice(1).forEach(({ start_s }, i) => {
      expect(start_s).toBeGreaterThanOrEqual(moves[i]!.end_s);
    });
    const messages = await Promise.all(
      [a, b].map(async (run) => (await arm.getRun(run)).run.message),
    );
    expect(messages).toEqual(['completed', 'completed']);
    expect(moment_s(lists[1]!.at(-1)!)).toBeLessThan(moment_s(lists[0]!.at(-1)!));
  });
});

describe('a second run is refused', () => {
  const refusal = async (plates: string[], slot: number, body: StartRunBody = {}) =>
    begun(plates, slot, body).then(
      () => '',
      (error: Error) => error.message,
    );

  it('for labware of an active run, and for a place in which one has a piece', async () => {
    await begun(['a1', 'a2'], 1);
    expect(await refusal(['a1'], 5)).toContain('a1 belongs to an active run');
    expect(await refusal(['b1'], 2)).toContain('hotel slot 2 holds a2, not b1');
  });

  it('when the two cannot both be done', async () => {
    const { arm } = stage;
    const blocking = washing(['a1'], 1) as { workflow: { tasks: Record<string, unknown> } };
    delete blocking.workflow.tasks['park_a1'];
    await startedRun(arm, blocking);
    expect(await refusal(['b1'], 5)).toContain('no plan (deadlock)');
  });

  it('lets an operator set the rest of the deck meanwhile', async () => {
    const { arm } = stage;
    const a = await begun(['a1'], 1);
    const { workcell_id } = (await arm.getRun(a)).run;
    const place = { instrument_id: 'hotel', slot: 1 };
    const other = { labware_id: 'z', instrument_id: 'rack', slot: 9 };
    const path = { workcell_id: workcell_id! };
    await arm.pauseRun(a, { immediate: true });
    const wrong = { labware: [{ labware_id: 'a1', ...place }], gripper: null };
    await expect(arm.setDeck(path, wrong)).rejects.toThrow('An active run uses a1');
    const { deck } = await arm.setDeck(path, { labware: [other], gripper: 'a1' });
    expect(deck.labware).toEqual([other]);
  });
});
