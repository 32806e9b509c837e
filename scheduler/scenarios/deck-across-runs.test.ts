/** The deck of a workcell outlives runs, and no run starts or opens the gripper against it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.generated.ts';
import {
  sharedTwinClient,
  type TwinAndClient,
  withTwinClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { deckFaults } from '../workcell/deck.ts';
import { deckStart } from '../workcell/deck-start.ts';
import {
  assayDefinition,
  clearDecks,
  ENOUGH_S,
  oneMove,
  runEventText,
  startedRun,
} from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });

afterEach(() => clearDecks(stage.arm));

type RunPath = { readonly run_id: number };

async function textsOf({ arm }: TwinAndClient, run: RunPath): Promise<string[]> {
  const { events } = await arm.listRunEvents(run);
  return events.filter(({ hook_type }: RunEvent) => hook_type !== 'NewPlanHook').map(runEventText);
}

async function deckNamed({ arm }: TwinAndClient, name: string) {
  const { workcells } = await arm.listWorkcells();
  const { id } = workcells.find((one) => one.name === name)!;
  return (await arm.getDeck({ workcell_id: id })).deck;
}

/** Advances the clock until half a second after the pick-up. */
async function carry(one: TwinAndClient, run: RunPath): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if ((await textsOf(one, run)).includes('Labware plate_1 started')) break;
    await one.twin.advance(0.5);
  }
  await one.twin.advance(0.5);
}

function gripperOf({ twin }: TwinAndClient): unknown {
  return Reflect.get(Object(twin.snapshot()['global.outputs']), 'ee_d0');
}

describe('a deck', () => {
  it('has the labware where the last run left it, and a second run is refused', async () => {
    const { arm, twin } = stage;
    await startedRun(arm, washAndRead());
    await twin.advance(100);
    expect(await deckNamed(stage, 'test')).toMatchObject({
      labware: [{ labware_id: 'plate_1', instrument_id: 'reader', slot: 1 }],
      gripper: null,
      runs: [],
    });
    await expect(startedRun(arm, washAndRead())).rejects.toThrow(
      'plate_1 is in reader slot 1, not in hotel slot 1',
    );
    await startedRun(arm, washAndRead(), { deck: 'as_defined' });
    expect((await deckNamed(stage, 'test')).runs.length).toBe(1);
    await twin.advance(100);
  });

  it('is not changed by a run with simulated drivers', async () => {
    const { arm, twin } = stage;
    const run = await startedRun(arm, washAndRead(), { simulate_drivers: true });
    expect((await arm.getRun(run)).run.workcell_id).toBeNull();
    await twin.advance(100);
    expect((await deckNamed(stage, 'test')).labware).toEqual([]);
  });

  it('keeps its other labware out of the way of a run', async () => {
    const { arm, twin } = stage;
    await startedRun(arm, washAndRead());
    await twin.advance(100);
    const other = washAndRead({ plates: 2 });
    const { workflow } = other;
    workflow.labware.splice(0, 1);
    for (const id of ['wash_plate_1', 'read_plate_1']) delete (workflow.tasks as never)[id];
    const run = await startedRun(arm, other);
    await twin.advance(100);
    expect((await textsOf(stage, run)).at(-1)).toBe('Run stopped (completed)');
    expect((await deckNamed(stage, 'test')).labware).toEqual([
      { labware_id: 'plate_1', instrument_id: 'reader', slot: 1 },
      { labware_id: 'plate_2', instrument_id: 'reader', slot: 2 },
    ]);
  });
});

describe('a plate that a stopped run left in the gripper', () => {
  const name = 'demo-bench';

  async function abandoned(): Promise<RunPath> {
    const run = await startedRun(stage.arm, oneMove());
    await carry(stage, run);
    await stage.arm.stopRun(run);
    await stage.twin.advance(1);
    return run;
  }

  it('is on the deck, and no run opens the gripper on it', async () => {
    const { arm, twin } = stage;
    await abandoned();
    const bench = assayDefinition()['workcell'] as { workcell_id?: string };
    const deck = await deckNamed(stage, bench.workcell_id ?? name);
    expect([deck.gripper, deck.labware]).toEqual(['plate_1', []]);
    const others = assayDefinition();
    others.workflow.labware.splice(0, 1);
    for (const id of Object.keys(others.workflow.tasks)) {
      if (id.endsWith('_1')) delete others.workflow.tasks[id];
    }
    others.workflow.time_constraints = [];
    const another = { ...others, workcell: { ...bench, workcell_id: 'another' } };
    await expect(startedRun(arm, oneMove())).rejects.toThrow('plate_1 is in the gripper');
    const asDefined = { deck: 'as_defined' } as const;
    await expect(startedRun(arm, oneMove(), asDefined)).rejects.toThrow('gripper holds plate_1');
    await expect(startedRun(arm, others)).rejects.toThrow('gripper holds plate_1');
    await expect(startedRun(arm, another)).rejects.toThrow('another workcell');
    await twin.advance(5);
    expect(gripperOf(stage)).toBe(true);
  });

  it('is put down first by a run that takes the deck as found', async () => {
    const { arm, twin } = stage;
    await abandoned();
    const run = await startedRun(arm, oneMove(), { deck: 'as_found' });
    while (!(await textsOf(stage, run)).includes('Labware plate_1 finished')) {
      expect(gripperOf(stage)).toBe(true);
      await twin.advance(0.1);
    }
    await twin.advance(ENOUGH_S);
    expect(await textsOf(stage, run)).toEqual([
      'Run started',
      'Labware plate_1 started',
      'Labware plate_1 finished',
      'Task dispense_1 started',
      'Task dispense_1 succeeded',
      'Run stopped (completed)',
    ]);
  });
});

it('after a kill the deck is as it was, and a run continues from it', async () => {
  const data = mkdtempSync(join(tmpdir(), 'deck-'));
  const options = { data, token: 'a token for two processes', webhooks: 'off' } as const;
  try {
    const { run, workflow_id } = await withTwinClient(options, async (one) => {
      const run = await startedRun(one.arm, washAndRead({ plates: 2 }));
      await one.twin.advance(28);
      const { workflow_id } = (await one.arm.getRun(run)).run;
      return { run, workflow_id };
    });
    await withTwinClient(options, async (one) => {
      const before = await deckNamed(one, 'test');
      expect([before.gripper, before.labware.length]).toEqual(['plate_1', 1]);
      const begun = await one.arm.startRun({ workflow_id }, { continue_run_id: run.run_id });
      await one.twin.advance(200);
      const texts = await textsOf(one, { run_id: begun.run.id });
      expect(texts.slice(0, 2)).toEqual(['Run started', 'Labware plate_1 started']);
      expect(texts).not.toContain('Task wash_plate_1 started');
      expect(texts).toContain('Task wash_plate_2 succeeded');
      expect(texts.at(-1)).toBe('Run stopped (completed)');
      const { tasks } = (await one.arm.getRun({ run_id: begun.run.id })).run;
      expect(tasks.map(({ state }) => state)).toEqual(Array(4).fill('succeeded'));
    });
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

describe('deck rules', () => {
  const instruments = [
    { id: 'hotel', type: 'hotel', capacity: 3 },
    { id: 'bin', type: 'waste', is_slotless_container: true },
    { id: 'arm', type: 'transport' },
  ];
  const at = (labware_id: string, instrument_id: string, slot: number) => {
    return { labware_id, instrument_id, slot };
  };

  it('name each contradiction', () => {
    const labware = [
      at('a', 'hotel', 1),
      at('b', 'hotel', 1),
      at('a', 'hotel', 2),
      at('c', 'hotel', 4),
      at('d', 'arm', 0),
      at('e', 'bin', 0),
      at('f', 'bin', 0),
    ];
    expect(deckFaults(instruments, { labware, gripper: 'f' })).toEqual([
      { path: '/labware/1', message: 'hotel slot 1 holds a already' },
      { path: '/labware/2', message: 'a is in hotel slot 1 already' },
      { path: '/labware/3', message: 'hotel has the slots 1 to 3' },
      { path: '/labware/4', message: 'there is no instrument arm' },
      { path: '/gripper', message: 'f is in bin slot 0 already' },
    ]);
    expect(deckFaults(instruments, { labware: [at('a', 'bin', 7)], gripper: null })).toEqual([]);
  });

  it('compare every place of a piece in every mode', () => {
    const places = [
      undefined,
      null,
      { instrument_id: 'hotel', slot: 1 },
      { instrument_id: 'hotel', slot: 2 },
    ];
    const definition = {
      name: 'one',
      workflow: {
        labware: [{ id: 'a', starting_location: { instrument: 'hotel', slot: 1 } }],
        tasks: {},
      },
      workcell: { instruments },
    };
    const outcomes = (['check', 'as_defined', 'as_found'] as const).map((mode) =>
      places.map((place) => {
        const deck = new Map(place === undefined ? [] : [['a', place] as const]);
        const { differences, held, definition: started } = deckStart(deck, definition, mode);
        const { slot } = started.workflow.labware[0]!.starting_location;
        return differences.length > 0 ? 'refused' : (held ?? slot);
      }),
    );
    expect(outcomes).toEqual([
      [1, 'refused', 1, 'refused'],
      [1, 'refused', 1, 1],
      [1, 'a', 1, 2],
    ]);
  });

  it('refuse a slot that another piece holds', () => {
    const definition = {
      name: 'one',
      workflow: {
        labware: [{ id: 'a', starting_location: { instrument: 'hotel', slot: 1 } }],
        tasks: {},
      },
      workcell: { instruments },
    };
    const deck = new Map([['b', { instrument_id: 'hotel', slot: 1 }]]);
    for (const mode of ['check', 'as_defined', 'as_found'] as const) {
      const { differences, others } = deckStart(deck, definition, mode);
      expect(differences).toEqual(['hotel slot 1 holds b, not a']);
      expect(others.length).toBe(1);
    }
  });
});
