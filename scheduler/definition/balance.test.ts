/** Slots that balance each other, in the check of a definition. */

import { describe, expect, it } from 'vitest';
import { checkDefinition } from './checked-definition.ts';
import { washAndRead } from './workflow.cases.ts';

type Sources = Record<string, { destination_slot?: number; source_task?: string; type: string }>;

interface Given {
  readonly pairs?: unknown;
  /** Slots of the two plates in the washer; absent: any. */
  readonly slots?: readonly (number | undefined)[];
  readonly washer?: object;
  readonly change?: (definition: ReturnType<typeof washAndRead>) => void;
}

/** Two plates that are washed in one task, in a washer whose slots balance each other. */
function checked({ pairs = [[1, 3]], slots = [], washer = {}, change = () => {} }: Given) {
  const definition = structuredClone(washAndRead({ plates: 2 }));
  const tasks = definition.workflow.tasks as Record<string, { labware_sources: Sources }>;
  const { wash_plate_1: wash, read_plate_2: read } = tasks;
  const of = (n: number) => {
    const slot = slots[n - 1];
    const labware_id = `plate_${n}`;
    return { type: 'stored_labware', labware_id, ...(slot && { destination_slot: slot }) };
  };
  wash!.labware_sources = { plate_1: of(1), plate_2: of(2) };
  read!.labware_sources['plate_2']!.source_task = 'wash_plate_1';
  Reflect.deleteProperty(tasks, 'wash_plate_2');
  Object.assign(definition.workcell.instruments[1]!, {
    ...{ slots: 4, max_tasks: 1, balance: pairs },
    ...washer,
  });
  change(definition);
  const { errors, model } = checkDefinition(definition);
  const uses = model?.tasks.find(({ id }) => id === 'wash_plate_1')?.uses ?? [];
  return {
    errors: errors.map(({ path, message }) => `${path} ${message}`),
    slots: uses.map(({ slot }) => slot),
  };
}

const PATH = '/workcell/instruments/1/balance';
const SOURCES = '/workflow/tasks/wash_plate_1/labware_sources';

describe('pairs of slots', () => {
  it('are what pieces without a slot get, and named ones may be filled together', () => {
    expect(checked({})).toEqual({ errors: [], slots: [1, 3] });
    expect(checked({ pairs: [[2, 4]] }).slots).toEqual([2, 4]);
    expect(
      checked({
        pairs: [
          [1, 3],
          [2, 4],
        ],
        slots: [4, 2],
      }),
    ).toEqual({ errors: [], slots: [4, 2] });
  });

  it.each<[string, Given, string]>([
    ['a slot that is not there', { pairs: [[1, 5]] }, `${PATH}/0 washer has the slots 1 to 4`],
    [
      'a slot in two pairs',
      {
        pairs: [
          [1, 2],
          [2, 3],
        ],
      },
      `${PATH}/1 slot 2 is named twice`,
    ],
    ['a pair of one slot with itself', { pairs: [[2, 2]] }, `${PATH}/0 slot 2 is named twice`],
    ['three slots', { pairs: [[1, 2, 3]] }, `${PATH}/0 must have exactly 2 items`],
    [
      'several tasks at a time',
      { washer: { max_tasks: 2 } },
      `${PATH} is of an instrument that does one task at a time; set max_tasks to 1`,
    ],
    [
      'a piece that nothing balances',
      {
        pairs: [
          [1, 3],
          [2, 4],
        ],
        slots: [1, 2],
      },
      `${SOURCES} fill slot 1 of washer, and not slot 3, which balances it; add a piece there, such as a counterweight`,
    ],
  ])('are wrong with %s', (_, given, text) => {
    expect(checked(given).errors.join('\n')).toContain(text);
  });

  it('count a counterweight that stands there from the start', () => {
    const weight = { id: 'weight', starting_location: { instrument: 'washer', slot: 3 } };
    const change = ({ workflow }: ReturnType<typeof washAndRead>) => {
      (workflow.labware as object[]).push(weight);
    };
    const pairs = [[1, 3]];
    expect(checked({ pairs, slots: [1, 2], change })).toEqual({ errors: [], slots: [1, 2] });
    expect(checked({ pairs, slots: [1, 2] }).errors).toHaveLength(1);
  });
});
