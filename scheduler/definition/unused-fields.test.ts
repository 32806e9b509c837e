/** What a definition says without effect is named by its check. */

import { describe, expect, it } from 'vitest';
import { checkDefinition } from './checked-definition.ts';
import { washAndRead } from './workflow.cases.ts';

/** The warnings of the definition of two plates after a change. */
function warningsOf(change: (definition: ReturnType<typeof washAndRead>) => void): string[] {
  const definition = structuredClone(washAndRead({ plates: 2 }));
  const before = checkDefinition(definition).warnings;
  expect(before).toEqual([]);
  change(definition);
  return [...checkDefinition(definition).warnings];
}

const tasksOf = ({ workflow }: ReturnType<typeof washAndRead>) =>
  workflow.tasks as Record<string, Record<string, unknown>>;

describe('a field without effect is named', () => {
  it.each<[string, (definition: ReturnType<typeof washAndRead>) => void]>([
    [
      '/workflow/tasks/wash_plate_1/inputs is kept and has no effect, as are 1 more of `inputs`',
      (definition) => {
        for (const name of ['wash_plate_1', 'read_plate_2']) {
          tasksOf(definition)[name]!['inputs'] = { speed: 3 };
        }
      },
    ],
    [
      '/workflow/tasks/wash_plate_1/labware_sources/plate_1/units_consumed has no effect: plate_1 says no `units`',
      (definition) => {
        const { labware_sources } = tasksOf(definition)['wash_plate_1'] as {
          labware_sources: { plate_1: object };
        };
        Object.assign(labware_sources.plate_1, { units_consumed: 8 });
      },
    ],
    [
      '/workcell/instruments/1/driver is kept and has no effect',
      ({ workcell }) => Object.assign(workcell.instruments[1]!, { driver: 'serial' }),
    ],
    [
      '/workcell/instruments/2/config is kept and has no effect',
      ({ workcell }) => Object.assign(workcell.instruments[2]!, { config: { port: 4 } }),
    ],
    [
      '/workflow/labware/1/batch is kept and has no effect',
      ({ workflow }) => Object.assign(workflow.labware[1]!, { batch: 2 }),
    ],
    [
      '/workflow/batches is kept and has no effect',
      ({ workflow }) => Object.assign(workflow, { batches: 2, planning_targets: 'makespan' }),
    ],
    [
      '/workflow/planning_targets is kept and has no effect',
      ({ workflow }) => Object.assign(workflow, { batches: 1, planning_targets: 'batches' }),
    ],
  ])('%s', (warning, change) => {
    expect(warningsOf(change)).toEqual([warning]);
  });

  it('unless it is empty, or a transport uses it', () => {
    const change = (definition: ReturnType<typeof washAndRead>) => {
      tasksOf(definition)['wash_plate_1']!['inputs'] = {};
      Object.assign(definition.workcell.instruments[1]!, { simulate: false, config: {} });
      Object.assign(definition.workcell.instruments[3]!, { simulate: true });
    };
    expect(warningsOf(change)).toEqual([]);
  });
});

describe('a type of labware', () => {
  it('that none of the described types has is named', () => {
    const change = ({ workflow }: ReturnType<typeof washAndRead>) => {
      Object.assign(workflow, { labware_types: [{ id: 'plate', rows: 8 }] });
      Object.assign(workflow.labware[0]!, { labware_type: 'plate' });
      Object.assign(workflow.labware[1]!, { labware_type: 'plote' });
    };
    expect(warningsOf(change)).toEqual([
      '/workflow/labware/1/labware_type is plote, which is none of the labware_types',
    ]);
  });
});

describe('plates that end in one slot', () => {
  const together = (definition: ReturnType<typeof washAndRead>) => {
    const { labware_sources } = tasksOf(definition)['read_plate_2'] as {
      labware_sources: { plate_2: object };
    };
    Object.assign(labware_sources.plate_2, { destination_slot: 1 });
  };

  it('are named', () => {
    expect(warningsOf(together)).toContain(
      'plate_1 and plate_2 both end in reader slot 1: give one a last task elsewhere, such as in a rack',
    );
  });

  it('are not, where a buffer takes one away', () => {
    const change = (definition: ReturnType<typeof washAndRead>) => {
      together(definition);
      Object.assign(definition.workcell.instruments[0]!, { role: 'buffer' });
    };
    expect(warningsOf(change).filter((text) => text.includes('both end'))).toEqual([]);
  });
});
