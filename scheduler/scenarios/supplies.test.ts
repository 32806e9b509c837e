/** Tips and reagents that tasks use up, over HTTP with a stepped clock. */

import { describe, expect, it } from 'vitest';
import type { StartRunBody } from '../../contract/types.generated.ts';
import { moment_s, startedRun } from './assay.cases.ts';
import { type DaySteps, labDay } from './lab-day.cases.ts';
import { watchedStage } from './watched-stage.cases.ts';

const stage = watchedStage();

type RunPath = { readonly run_id: number };

/** Units that each wash takes. */
const TAKEN = 8;
const TIPS = { labware_id: 'tips', instrument_id: 'washer', slot: 2 } as const;

/** A day whose washes take tips from a rack in slot 2 of the washer. */
function tipDay(steps: DaySteps, tips: { readonly units: number; readonly refill?: string }) {
  const washer = { slots: 2, max_tasks: 1 };
  const day = labDay(steps, { instruments: { washer } });
  const { labware, tasks } = Reflect.get(day, 'workflow') as {
    labware: object[];
    tasks: Record<string, { action: string; labware_sources: Record<string, object> }>;
  };
  labware.push({ id: 'tips', starting_location: { instrument: 'washer', slot: 2 }, ...tips });
  const taken = { type: 'consumable', labware_id: 'tips', units_consumed: TAKEN };
  for (const { action, labware_sources } of Object.values(tasks)) {
    if (action === 'washer') labware_sources['tips'] = taken;
  }
  return day;
}

const washes = (...plates: string[]): DaySteps =>
  Object.fromEntries(plates.map((plate) => [plate, [['washer', 20]]] as const));

const begun = (definition: Record<string, unknown>, body: StartRunBody = {}): Promise<RunPath> =>
  startedRun(stage.arm, definition, body);

async function detailsOf(run: RunPath) {
  const { run: shown } = await stage.arm.getRun(run);
  const places = shown.labware.map((one) => `${one.labware_id} ${one.instrument_id}`);
  const states = Object.fromEntries(shown.tasks.map(({ id, state }) => [id, state]));
  return { ...shown, places, states };
}

/** The reasons of new plans, with their times. */
async function reasons(run: RunPath): Promise<string[]> {
  const { events } = await stage.arm.listRunEvents(run);
  return events.flatMap((event) =>
    event.hook_type === 'NewPlanHook' && event.reason !== undefined
      ? [`${Math.round(moment_s(event) - stage.began_s)} ${event.reason}`]
      : [],
  );
}

async function workcellId(): Promise<number> {
  const { workcells } = await stage.arm.listWorkcells();
  return workcells.find(({ name }) => name === 'day')!.id;
}

async function tipsLeft(): Promise<number | undefined> {
  const { deck } = await stage.arm.getDeck({ workcell_id: await workcellId() });
  return deck.labware.find(({ labware_id }) => labware_id === 'tips')?.units;
}

/** Tells the deck how many tips there are now. */
async function putTips(units: number, at: object = TIPS): Promise<void> {
  const path = { workcell_id: await workcellId() };
  const { labware, gripper } = (await stage.arm.getDeck(path)).deck;
  const others = labware.filter(({ labware_id }) => labware_id !== 'tips');
  await stage.arm.setDeck(path, { gripper, labware: [...others, { ...TIPS, ...at, units }] });
}

describe('tips that tasks take', () => {
  it('are counted over runs, and a run that would run out is refused until they are refilled', async () => {
    const { twin, arm } = stage;
    const day = tipDay(washes('p1', 'p2'), { units: 20 });
    const { workflow } = await arm.createWorkflow(day);
    const path = { workflow_id: workflow.id };
    const first = { run_id: (await arm.startRun(path)).run.id };
    await twin.advance(10);
    const tips = { ...TIPS, full: 20 };
    expect((await detailsOf(first)).supplies).toEqual([{ ...tips, units: 12, needed: 8 }]);
    await twin.advance(200);
    expect((await detailsOf(first)).message).toBe('completed');
    expect(await tipsLeft()).toBe(4);
    const found = { deck: 'as_found' } as const;
    await expect(arm.startRun(path, found)).rejects.toThrow(
      'tips has 4 units left; this run takes 16. Refill it and say so with setDeck',
    );
    await putTips(16);
    const second = { run_id: (await arm.startRun(path, found)).run.id };
    await twin.advance(200);
    expect([(await detailsOf(second)).message, await tipsLeft()]).toEqual(['completed', 0]);
    await arm.startRun(path, { deck: 'as_defined' });
    expect(await tipsLeft()).toBe(20);
  });

  it('are taken again by each new try', async () => {
    const day = tipDay({ p1: [['washer', 20, { on_failure: { retries: 1 } }]] }, { units: 20 });
    await begun(day, { faults: [{ task_id: 'p1_washer' }] });
    await stage.twin.advance(200);
    expect(await tipsLeft()).toBe(20 - 2 * TAKEN);
  });

  it('are counted in a run without a deck, too', async () => {
    const day = tipDay(washes('p1', 'p2'), { units: 16 });
    const run = await begun(day, { simulate_drivers: true });
    await stage.twin.advance(10);
    expect((await detailsOf(run)).supplies).toMatchObject([{ units: 8, needed: 8 }]);
    await stage.twin.advance(200);
    expect((await detailsOf(run)).message).toBe('completed');
  });
});

describe('a run that runs out of tips', () => {
  const refill = 'Put a new rack of tips into the washer';
  const steps = { ...washes('p1', 'p2'), p3: [['shaker', 60]] } as const;

  it('asks a person, does the rest meanwhile, and goes on once they have refilled', async () => {
    const { twin, arm } = stage;
    const run = await begun(tipDay(steps, { units: 10, refill }));
    await twin.advance(150);
    const { prompts, waiting, states, places } = await detailsOf(run);
    const short = Object.keys(states).find((id) => /washer/.test(id) && states[id] === 'waiting')!;
    const plate = short.slice(0, 2);
    expect(prompts).toMatchObject([{ task_id: short, instrument_id: 'washer', prompt: refill }]);
    const { reasons: why, blocked_by } = waiting.find(({ task_id }) => task_id === short)!;
    expect(why).toContain('tips has 2 of the 8 units that it takes');
    expect(blocked_by).toMatchObject([{ labware_id: 'tips', instrument_id: 'washer' }]);
    expect(states['p3_rack']).toBe('succeeded');
    // It does not stand in the way of what needs no tips.
    expect(places).toContain(`${plate} hotel`);
    await arm.completeTask(run, { task_id: short });
    await twin.advance(100);
    expect((await detailsOf(run)).message).toBe('completed');
    expect(await tipsLeft()).toBe(10 - TAKEN);
    const told = await reasons(run);
    expect(told.some((text) => text.includes('tips has 2 units left'))).toBe(true);
    expect(told).toContain('150 tips was refilled');
  });

  it('waits on where the refill is too small, and goes on with the next', async () => {
    const { twin } = stage;
    const run = await begun(tipDay(steps, { units: 10, refill }));
    await twin.advance(150);
    await putTips(5);
    await twin.advance(100);
    const { waiting, states } = await detailsOf(run);
    const all = waiting.flatMap(({ reasons: why }) => why);
    expect(all).toContain('tips has 5 of the 8 units that it takes');
    expect(Object.values(states)).toContain('waiting');
    await putTips(9);
    await twin.advance(100);
    expect((await detailsOf(run)).message).toBe('completed');
    expect(await tipsLeft()).toBe(1);
  });

  it('keeps what it takes units of where it stands', async () => {
    const run = await begun(tipDay(steps, { units: 10, refill }));
    await stage.twin.advance(20);
    const moved = { instrument_id: 'hotel', slot: 9 };
    await expect(putTips(9, moved)).rejects.toThrow(
      'An active run takes units of tips in washer slot 2',
    );
    expect((await detailsOf(run)).state).toBe('started');
  });
});

describe('two runs that take from one rack', () => {
  it('never take more than there is: the second waits, and goes on after a refill', async () => {
    const { twin } = stage;
    const tips = { units: 10, refill: 'More tips' };
    const one = await begun(tipDay(washes('p1'), tips));
    const other = await begun(tipDay(washes('p2'), tips));
    await twin.advance(150);
    const shown = [await detailsOf(one), await detailsOf(other)];
    const ended = shown.filter(({ state }) => state === 'stopped');
    expect(ended).toHaveLength(1);
    expect(await tipsLeft()).toBe(2);
    expect(shown.flatMap(({ prompts }) => prompts)).toHaveLength(1);
    await putTips(8);
    await twin.advance(150);
    expect((await detailsOf(one)).message).toBe('completed');
    expect((await detailsOf(other)).message).toBe('completed');
    expect(await tipsLeft()).toBe(0);
  });

  it('are not both begun where nobody is asked and they would race for the last', async () => {
    await begun(tipDay(washes('p1'), { units: 10 }));
    const second = begun(tipDay(washes('p2'), { units: 10 }));
    await expect(second).rejects.toThrow('tips has 10 units left; this run takes 8, other runs 8');
  });

  it('are refused where one would carry the rack away', async () => {
    await begun(tipDay(washes('p1'), { units: 10 }));
    const day = labDay(
      { p2: [['shaker', 20]] },
      { instruments: { washer: { slots: 2, max_tasks: 1 } } },
    );
    const { labware, tasks } = Reflect.get(day, 'workflow') as {
      labware: object[];
      tasks: Record<string, object>;
    };
    labware.push({ id: 'tips', starting_location: { instrument: 'washer', slot: 2 } });
    tasks['away'] = {
      instrument: { type: 'shaker' },
      action: 'shake',
      time_estimate: 1,
      labware_sources: {
        tips: { type: 'stored_labware', labware_id: 'tips', destination_slot: 1 },
      },
    };
    await expect(begun(day)).rejects.toThrow('tips belongs to an active run');
  });
});
