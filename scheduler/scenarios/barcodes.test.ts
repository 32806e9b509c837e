/** Plates whose barcodes are read, over HTTP with a stepped clock. */

import { describe, expect, it } from 'vitest';
import type { StartRunBody } from '../../contract/types.generated.ts';
import { startedRun } from './assay.cases.ts';
import { type DaySteps, labDay } from './lab-day.cases.ts';
import { watchedStage } from './watched-stage.cases.ts';

const stage = watchedStage();

type RunPath = { readonly run_id: number };

/** A day with what is printed on its plates. */
function labelled(steps: DaySteps, barcodes: Readonly<Record<string, string>>) {
  const bin = { id: 'bin', type: 'bin', capacity: 2, role: 'reject' };
  const day = labDay(steps, { more: [bin] });
  const { labware } = Reflect.get(day, 'workflow') as { labware: { id: string }[] };
  for (const piece of labware) {
    const barcode = barcodes[piece.id];
    if (barcode !== undefined) Object.assign(piece, { barcode });
  }
  return day;
}

/** Two plates whose barcodes are read before they are washed. */
function checked(rest: object = {}): DaySteps {
  const steps = [
    ['reader', 5, { reads_barcode: true, ...rest }],
    ['washer', 20],
  ] as const;
  return { p1: steps, p2: steps };
}

const PRINTED = { p1: 'B-1', p2: 'B-2' };

async function shown(run: RunPath) {
  const { tasks, labware, message } = (await stage.arm.getRun(run)).run;
  const errors = tasks.flatMap(({ id, error }) => (error ? [`${id}: ${error}`] : []));
  const places = labware.map(({ labware_id, instrument_id }) => `${labware_id} ${instrument_id}`);
  const barcodes = labware.map(({ barcode }) => barcode);
  return { tasks, errors, places, barcodes, message };
}

async function ended(
  definition: Record<string, unknown>,
  body: StartRunBody = {},
  time_s = 200,
): Promise<RunPath> {
  const run = await startedRun(stage.arm, definition, body);
  await stage.twin.advance(time_s);
  return run;
}

const reads = (plate: string, barcode: unknown) => {
  return { faults: [{ task_id: `${plate}_reader`, data_outputs: { barcode } }] } as StartRunBody;
};

describe('a barcode that is read', () => {
  it('lets the plate go on, and is shown once it was read', async () => {
    const run = await ended(labelled(checked(), PRINTED), {}, 3);
    expect((await shown(run)).barcodes).toEqual([null, null]);
    await stage.twin.advance(200);
    const { barcodes, tasks, message } = await shown(run);
    expect([barcodes, message]).toEqual([['B-1', 'B-2'], 'completed']);
    const read = tasks.find(({ id }) => id === 'p2_reader');
    expect(read!.data_outputs).toEqual({ barcode: 'B-2' });
  });

  it.each([
    [
      'that of another plate',
      'B-2',
      'the barcode on p1 is B-2, not B-1; that is the barcode of p2',
    ],
    ['one that nobody knows', 'X', 'the barcode on p1 is X, not B-1'],
    ['none', null, 'no barcode was read on p1'],
  ])(
    'fails where it is %s, and by the policy of its task the rest goes on',
    async (_, read, text) => {
      const policy = { on_failure: { action: 'continue_without' } };
      const run = await ended(labelled(checked(policy), PRINTED), reads('p1', read));
      const { errors, places, message } = await shown(run);
      expect(errors).toEqual([`p1_reader: ${text}`]);
      expect(places).toEqual(['p1 bin', 'p2 rack']);
      expect(message).toMatch(/^completed; aborted tasks: p1_reader, p1_washer/);
    },
  );

  it('is read again where the first reading fails', async () => {
    const policy = { on_failure: { retries: 1, retry_delay_s: 3, action: 'stop' } };
    const faults = [{ task_id: 'p1_reader', error: 'smudged' }];
    const run = await ended(labelled(checked(policy), PRINTED), { faults });
    expect((await shown(run)).message).toBe('completed');
  });

  it('fails in the second run of a workflow where only then another plate stands there', async () => {
    const { arm, twin } = stage;
    const { workflow } = await arm.createWorkflow(labelled(checked(), PRINTED));
    const path = { workflow_id: workflow.id };
    const first = (await arm.startRun(path)).run;
    await twin.advance(200);
    expect((await shown({ run_id: first.id })).message).toBe('completed');
    const again = { deck: 'as_defined', ...reads('p2', 'B-1') } as const;
    const second = { run_id: (await arm.startRun(path, again)).run.id };
    await twin.advance(200);
    const { errors, barcodes } = await shown(second);
    expect(errors).toEqual([
      'p2_reader: the barcode on p2 is B-1, not B-2; that is the barcode of p1',
    ]);
    // What was read on a plate that failed is no name of it.
    expect(barcodes[1]).toBeNull();
  });

  it('may be put right by hand: the plate is the right one, or has been exchanged', async () => {
    const { arm, twin } = stage;
    const run = await ended(labelled(checked(), PRINTED), reads('p1', 'X'), 50);
    const read = { task_id: 'p1_reader' };
    const other = arm.completeTask(run, { ...read, data_outputs: { barcode: 'B-2' } });
    await expect(other).rejects.toThrow('that is the barcode of p2');
    await arm.completeTask(run, read);
    await arm.resumeRun(run);
    await twin.advance(200);
    expect((await shown(run)).message).toBe('completed');
  });
});

describe('a plate without a barcode of its own', () => {
  const returned = (...values: string[]) => ({ values });

  it('has the first that is read on it, and none that another has', async () => {
    const policy = { on_failure: { action: 'continue_without' } };
    const day = labelled(checked(policy), {});
    const { instruments } = Reflect.get(day, 'workcell') as { instruments: { id: string }[] };
    const reader = instruments.find(({ id }) => id === 'reader')!;
    Object.assign(reader, { data_outputs: { barcode: returned('C-1', 'C-1') } });
    const run = await ended(day);
    const { errors, barcodes } = await shown(run);
    expect(barcodes.filter((one) => one === 'C-1')).toHaveLength(1);
    const [first, second] = barcodes[0] === 'C-1' ? ['p1', 'p2'] : ['p2', 'p1'];
    expect(errors).toEqual([
      `${second}_reader: the barcode on ${second} is C-1; that is the barcode of ${first}`,
    ]);
  });
});
