/** What the check of a definition says about labware whose units are counted. */

import { describe, expect, it } from 'vitest';
import { checkDefinition } from './checked-definition.ts';
import { washAndRead } from './workflow.cases.ts';

type Task = {
  labware_sources: Record<string, object>;
  only_if?: object[];
  mock_behaviour?: object;
};

interface Given {
  readonly tips?: object;
  readonly need?: object;
  readonly change?: (tasks: Record<string, Task>) => void;
}

/** The findings of washes and reads of two plates; each read takes 8 tips from slot 3 of the reader. */
function findingsOf({ tips = {}, need = {}, change = () => {} }: Given): string[] {
  const definition = structuredClone(washAndRead({ plates: 2 }));
  const { workflow, workcell } = definition;
  const starting_location = { instrument: 'reader', slot: 3 };
  const labware = workflow.labware as object[];
  labware.push({ id: 'tips', units: 20, starting_location, ...tips });
  Object.assign(workcell.instruments[2]!, { capacity: 3 });
  const tasks = workflow.tasks as Record<string, Task>;
  const taken = { type: 'consumable', labware_id: 'tips', units_consumed: 8, ...need };
  for (const name of ['read_plate_1', 'read_plate_2']) tasks[name]!.labware_sources['tips'] = taken;
  change(tasks);
  const { errors, warnings } = checkDefinition(definition);
  return [...errors.map(({ path, message }) => `${path} ${message}`), ...warnings];
}

const SOURCE = '/workflow/tasks/read_plate_1/labware_sources/tips';

describe('consumables in a definition', () => {
  it('are fine where they last, or where a person is asked to refill them', () => {
    expect(findingsOf({})).toEqual([]);
    expect(findingsOf({ tips: { units: 9, refill: 'More tips' } })).toEqual([]);
  });

  it.each<[string, Given, string]>([
    [
      'do not last',
      { tips: { units: 15 } },
      '/workflow/labware/2/units is 15, and the tasks take 16: put more there, or say in `refill` what a person is asked',
    ],
    [
      'never hold what one task takes',
      { tips: { refill: 'More' }, need: { units_consumed: 30 } },
      `${SOURCE}/units_consumed is 30, and tips holds 20 when full`,
    ],
    [
      'are not counted',
      { tips: { units: undefined } },
      '/workflow/labware/2 needs its `units`: tasks take some',
    ],
    ['hold nothing', { tips: { units: 0 } }, '/workflow/labware/2/units must be above 0'],
    [
      'do not exist',
      { need: { labware_id: 'glue' } },
      `${SOURCE}/labware_id there is no labware glue`,
    ],
    [
      'stand elsewhere',
      { tips: { starting_location: { instrument: 'hotel', slot: 5 } } },
      `${SOURCE}/labware_id tips stands on no instrument of type reader that can do the task; consumables are not carried`,
    ],
    [
      'stand where a plate goes',
      { tips: { starting_location: { instrument: 'reader', slot: 2 } } },
      '/workflow/tasks/read_plate_2 needs reader slot 2, where tips stands',
    ],
    [
      'are carried by another task',
      {
        change: ({ wash_plate_1 }) => {
          const need = { type: 'stored_labware', labware_id: 'tips', destination_slot: 1 };
          wash_plate_1!.labware_sources['tips'] = need;
        },
      },
      '/workflow/labware/2 is a consumable of some tasks and carried for others; it can be one',
    ],
    [
      'take less than nothing',
      { need: { units_consumed: -1 } },
      `${SOURCE}/units_consumed must be at least 0`,
    ],
  ])('are named where they %s', (_, given, text) => {
    expect(findingsOf(given)).toContain(text);
  });

  it('may be short only where all branches are done: a warning', () => {
    const change = ({ read_plate_1, read_plate_2 }: Record<string, Task>) => {
      read_plate_1!.mock_behaviour = { data_outputs: { od: 1 } };
      read_plate_2!.only_if = [{ task_id: 'read_plate_1', output: 'od', below: 2 }];
    };
    const [warning, ...more] = findingsOf({ tips: { units: 15 }, change });
    expect(warning).toBe(
      '/workflow/labware/2/units is 15, and all branches take 16: or say in `refill` what a person is asked',
    );
    expect(more).toEqual([]);
  });

  it('leave the other slots to plates that go to any', () => {
    const change = (tasks: Record<string, Task>) => {
      for (const plate of ['plate_1', 'plate_2']) {
        Reflect.deleteProperty(tasks[`read_${plate}`]!.labware_sources[plate]!, 'destination_slot');
      }
    };
    const definition = findingsOf({
      tips: { starting_location: { instrument: 'reader', slot: 1 } },
      change,
    });
    expect(definition).toEqual([]);
  });

  it('have no slot or task to come from', () => {
    const found = findingsOf({ need: { source_task: 'wash_plate_1' } });
    expect(found).toEqual([
      `${SOURCE}/source_task is kept and has no effect, as are 1 more of \`labware_sources of consumables\``,
    ]);
  });
});
