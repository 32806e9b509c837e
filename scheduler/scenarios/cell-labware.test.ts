/** A workflow in a simulated cell: carries are real, and the cell says where labware is. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { Cell, CellObject, StartRunBody } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearDecks, oneMove, runEventText, startedRun } from './assay.cases.ts';

/** The stations of the assay stand on a circle about the arm (m), their plates at this height. */
const RADIUS_M = Math.hypot(0.35, 0.2);
const HEIGHT_M = 0.11;

const positionAt = (turn_rad: number) => ({
  x: RADIUS_M * Math.cos(turn_rad),
  y: RADIUS_M * Math.sin(turn_rad),
  z: 0,
});

/** A fixture with a post and a nest at each of the angles. */
function instrument(id: string, turns_rad: readonly number[]) {
  return {
    name: id,
    position: { x: 0, y: 0, z: 0 },
    boxes: turns_rad.map((turn_rad) => ({
      size_m: { x: 0.02, y: 0.02, z: HEIGHT_M },
      position: positionAt(turn_rad),
    })),
    nests: turns_rad.map((turn_rad, i) => ({
      name: `${id} nest ${i + 1}`,
      position: { ...positionAt(turn_rad), z: HEIGHT_M },
    })),
  };
}

const PLATE: CellObject = {
  name: 'plate_1',
  shape: { kind: 'cylinder', diameter_m: 0.04, height_m: 0.04 },
  mass_kg: 0.06,
  nest: 'hotel nest 1',
};

const CELL: Cell = {
  name: 'stations',
  fixtures: [instrument('hotel', [-2, -1.5, -1]), instrument('dispenser', [-0.5])],
  objects: [PLATE],
  grippers: [
    {
      kind: 'jaws',
      name: 'jaws',
      output: 'ee_d0',
      tip_m: { x: 0, y: 0, z: 0.1 },
      stroke_m: 0.08,
      force_n: 20,
      closing_time_s: 0.2,
      pad_width_m: 0.02,
      pad_height_m: 0.015,
    },
  ],
};

const NO_ACTIONS = { retry: false, ignore: false, complete_manually: false };
const DEFINITION = () => oneMove({ available_failure_actions: NO_ACTIONS });
const BEGIN = ['NewPlan', 'Run started'];
const CARRIED = ['Labware plate_1 started', 'Labware plate_1 finished'];
const DONE = ['Task dispense_1 started', 'Task dispense_1 succeeded', 'Run stopped (completed)'];

const stage = sharedTwinClient({ webhooks: 'off' });
beforeEach(async () => {
  const { arm } = stage;
  await arm.resetTwin({ scopes: ['state', 'faults'] });
  await clearDecks(arm);
  await arm.setCell(CELL);
});

/** Runs the workflow to its end; returns its events, and where the plate is then. */
async function story(body: StartRunBody = {}) {
  const { arm, twin } = stage;
  const run = await startedRun(arm, DEFINITION(), body);
  for (let i = 0; i < 120; i++) {
    await twin.advance(1);
    if ((await arm.getRun(run)).run.state === 'stopped') break;
  }
  await twin.advance(2);
  const { object } = await arm.getCellObject({ object_name: 'plate_1' });
  return { events: (await arm.listRunEvents(run)).events.map(runEventText), at: object.at };
}

describe('a workflow whose labware are objects of the cell', () => {
  it('picks and places them', async () => {
    const { events, at } = await story();
    expect(events).toEqual([...BEGIN, ...CARRIED, ...DONE]);
    expect(at).toBe('dispenser nest 1');
  });

  it('has the times of the webhooks in run, report and CSV', async () => {
    const { arm, twin } = stage;
    const run = await startedRun(arm, DEFINITION());
    await twin.advance(2);
    const [begun] = (await arm.getRun(run)).run.moves;
    expect(begun).toMatchObject({ started_at_s: null, ended_at_s: null, arm_started_at_s: 0 });
    await twin.advance(100);
    const { events } = await arm.listRunEvents(run);
    const { operations, run: head } = await arm.getRunReport(run);
    const timeOf = (text: string) => {
      const { body } = events.find((event) => runEventText(event) === text)!;
      return (Date.parse(body.timestamp) - Date.parse(head.started_at)) / 1000;
    };
    const [move, task] = operations;
    const [started_s, finished_s] = CARRIED.map(timeOf);
    expect([move!.started_at_s, move!.ended_at_s]).toEqual([started_s, finished_s]);
    expect((await arm.getRun(run)).run.moves[0]).toMatchObject({
      started_at_s: started_s,
      ended_at_s: finished_s,
    });
    // The arm first goes home, which is not in the plan, and then keeps to it.
    const first_s = started_s! - move!.planned_start_s!;
    const last_s = finished_s! - move!.planned_end_s!;
    expect(first_s).toBeGreaterThan(0);
    expect(Math.abs(last_s - first_s)).toBeLessThan(0.5);
    expect(move!.arm_started_at_s).toBe(0);
    expect(move!.arm_ended_at_s).toBeGreaterThan(finished_s! + 1);
    expect(task!.started_at_s).toBeGreaterThanOrEqual(finished_s!);
    const [header, row] = (await arm.getRunReportCsv(run)).split('\r\n');
    const column = (name: string) => row!.split(',')[header!.split(',').indexOf(name)];
    expect([column('started_at_s'), column('ended_at_s')].map(Number)).toEqual([
      started_s,
      finished_s,
    ]);
    expect(Number(column('arm_ended_at_s'))).toBe(move!.arm_ended_at_s);
  });

  it('fails a task whose piece was missed, with the reason of the cell', async () => {
    await stage.arm.addFault({ kind: 'object', object: 'plate_1', fault: 'missing' });
    const start = { deck: 'as_found' } as const;
    await expect(story(start)).rejects.toThrow(/plate_1 is missing/);
    await stage.arm.clearFaults();
    await stage.twin.advance(1);
    await stage.arm.addFault({ kind: 'gripper', gripper: 'jaws', fault: 'jammed' });
    const { events, at } = await story();
    expect(events.at(-1)).toBe(
      'Run stopped (failure: task dispense_1 failed: jaws missed: it is jammed)',
    );
    expect(at).toBe('hotel nest 1');
  });

  it('fails a task whose piece was dropped, with the reason of the cell', async () => {
    await stage.arm.addFault({ kind: 'gripper', gripper: 'jaws', fault: 'slips', after_s: 1 });
    const { events, at } = await story();
    expect(events).toContain('Labware plate_1 failed');
    expect(events.at(-1)).toMatch(/dispense_1 failed: .*slipped out of jaws; its grip failed 1 s/);
    // It falls beside its nest, onto the post below or past it.
    expect(['hotel', 'floor']).toContain(at);
  });

  it('reads the deck of their workcell from the cell', async () => {
    const { arm, twin } = stage;
    const run = await startedRun(arm, DEFINITION());
    const { workcell_id } = (await arm.getRun(run)).run;
    const path = { workcell_id: workcell_id! };
    const deckNow = async () => {
      const { labware, gripper } = (await arm.getDeck(path)).deck;
      return [...labware.map((one) => Object.values(one).join(' ')), gripper];
    };
    expect(await deckNow()).toEqual(['plate_1 hotel 1', null]);
    await arm.runUntilObject({ object: 'plate_1', held_by: 'jaws', limit_s: 30 });
    expect(await deckNow()).toEqual(['plate_1']);
    await twin.advance(60);
    expect(await deckNow()).toEqual(['plate_1 dispenser 1', null]);
    await arm.moveCellObject({ object_name: 'plate_1' }, { nest: 'hotel nest 2' });
    await twin.advance(1);
    expect(await deckNow()).toEqual(['plate_1 hotel 2', null]);
    const setTo = (slot: number) =>
      arm.setDeck(path, {
        labware: [{ labware_id: 'plate_1', instrument_id: 'hotel', slot }],
        gripper: null,
      });
    await expect(setTo(1)).rejects.toThrow(/The cell has plate_1 in hotel slot 2; move the object/);
    await setTo(2);
    await arm.addFault({ kind: 'object', object: 'plate_1', fault: 'missing' });
    await twin.advance(1);
    expect(await deckNow()).toEqual([null]);
    await expect(setTo(2)).rejects.toThrow(/The cell has plate_1 in no slot/);
    await arm.removeCell();
    expect(await deckNow()).toEqual(['plate_1 hotel 2', null]);
  });

  it('starts from where the cell has the labware, whatever the deck says', async () => {
    const { arm } = stage;
    await arm.moveCellObject({ object_name: 'plate_1' }, { nest: 'hotel nest 2' });
    await stage.twin.advance(1);
    for (const deck of ['check', 'as_defined'] as const) {
      await expect(story({ deck })).rejects.toThrow(
        /plate_1 is in hotel slot 2, not in hotel slot 1/,
      );
    }
    const { events, at } = await story({ deck: 'as_found' });
    expect(events).toEqual([...BEGIN, ...CARRIED, ...DONE]);
    expect(at).toBe('dispenser nest 1');
    await arm.moveCellObject({ object_name: 'plate_1' }, { position: { x: 0.6, y: 0.4, z: 0 } });
    await stage.twin.advance(1);
    await expect(story({ deck: 'as_found' })).rejects.toThrow(/plate_1 is resting at floor/);
  });

  it('advises what a cell can follow, where the deck differs', async () => {
    const { arm, twin } = stage;
    await arm.moveCellObject({ object_name: 'plate_1' }, { nest: 'hotel nest 2' });
    await twin.advance(1);
    const move = 'Move the object (PUT /sim/v1/cell/objects/{name})';
    const start = (deck: 'check' | 'as_found' | 'as_defined') =>
      startedRun(arm, DEFINITION(), { deck });
    for (const deck of ['check', 'as_defined'] as const) {
      await expect(start(deck)).rejects.toThrow(`${move}, or start with \\"deck\\": `);
    }
    await arm.moveCellObject({ object_name: 'plate_1' }, { position: { x: 0.6, y: 0.4, z: 0 } });
    await twin.advance(1);
    for (const deck of ['check', 'as_defined', 'as_found'] as const) {
      await expect(start(deck)).rejects.toThrow(`plate_1 is resting at floor. ${move}"`);
    }
  });

  it('says of a piece that was taken away where it is, when the grasp misses it', async () => {
    const { arm, twin } = stage;
    const run = await startedRun(arm, DEFINITION());
    await twin.advance(1);
    await arm.moveCellObject({ object_name: 'plate_1' }, { position: { x: 0.6, y: 0.4, z: 0 } });
    await twin.advance(30);
    const { events } = await arm.listRunEvents(run);
    expect(events.map(runEventText).at(-1)).toContain(
      'plate_1 is not in hotel slot 1 but resting at floor; put it back and retry (jaws missed',
    );
  });

  it.each([
    [{ retries: 2, action: 'continue_without' }, 'paused'],
    [{ retries: 2 }, 'stopped'],
  ])('tries no dropped piece again by itself: %o', async (on_failure, state) => {
    const { arm, twin } = stage;
    await arm.addFault({ kind: 'gripper', gripper: 'jaws', fault: 'slips', after_s: 1 });
    const task = { available_failure_actions: NO_ACTIONS, on_failure };
    const run = await startedRun(arm, oneMove(task));
    await twin.advance(60);
    await arm.clearFaults();
    const { run: shown } = await arm.getRun(run);
    expect(shown.state).toBe(state);
    expect(shown.message).toMatch(/task dispense_1 failed: .*slipped out of jaws/);
    if (state === 'paused') await arm.stopRun(run);
  });

  it('goes on after a drop from the slot into which a person has put the plate', async () => {
    const { arm, twin } = stage;
    await arm.addFault({ kind: 'gripper', gripper: 'jaws', fault: 'slips', after_s: 1 });
    const run = await startedRun(arm, oneMove());
    const until = async (state: string) => {
      for (let i = 0; i < 120; i++) {
        await twin.advance(1);
        if ((await arm.getRun(run)).run.state === state) break;
      }
      return (await arm.getRun(run)).run.message;
    };
    expect(await until('paused')).toMatch(/task dispense_1 failed: .*slipped out of jaws/);
    await arm.clearFaults();
    await arm.retryTask(run, { task_id: 'dispense_1' });
    await arm.moveCellObject({ object_name: 'plate_1' }, { position: { x: 0.6, y: 0.4, z: 0 } });
    await twin.advance(1);
    await expect(arm.resumeRun(run)).rejects.toThrow(
      'plate_1 is resting at floor. Put it into a slot, then resume the run',
    );
    await arm.moveCellObject({ object_name: 'plate_1' }, { nest: 'hotel nest 2' });
    await twin.advance(1);
    await arm.resumeRun(run);
    expect(await until('stopped')).toBe('completed');
    const { events } = await arm.listRunEvents(run);
    const carries = events.flatMap(({ body }) =>
      'source_slot' in body ? [`${body.state} from hotel slot ${body.source_slot}`] : [],
    );
    expect(carries).toEqual([
      'started from hotel slot 1',
      'failed from hotel slot 1',
      'started from hotel slot 2',
      'finished from hotel slot 2',
    ]);
    const { object } = await arm.getCellObject({ object_name: 'plate_1' });
    expect(object.at).toBe('dispenser nest 1');
  });
});
