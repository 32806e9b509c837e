/** What the check of a definition says about barcodes. */

import { describe, expect, it } from 'vitest';
import { checkDefinition } from './checked-definition.ts';
import { washAndRead } from './workflow.cases.ts';

type Definition = ReturnType<typeof washAndRead>;

function findingsOf(change: (definition: Definition) => void): string[] {
  const definition = structuredClone(washAndRead({ plates: 2 }));
  change(definition);
  const { errors, warnings } = checkDefinition(definition);
  return [...errors.map(({ path, message }) => `${path} ${message}`), ...warnings];
}

function read({ workflow }: Definition): Record<string, unknown> {
  const tasks = workflow.tasks as Record<string, Record<string, unknown>>;
  return Object.assign(tasks['read_plate_1']!, { reads_barcode: true });
}

const print = ({ workflow }: Definition, piece: number, barcode: unknown) =>
  Object.assign(workflow.labware[piece]!, { barcode });

describe('barcodes in a definition', () => {
  it('are fine where the plate has one, or its instrument says what is read', () => {
    const printed = findingsOf((one) => {
      read(one);
      print(one, 0, 'B-1');
    });
    const said = findingsOf((one) => {
      read(one);
      Object.assign(one.workcell.instruments[2]!, { data_outputs: { barcode: { values: ['C'] } } });
    });
    expect([printed, said]).toEqual([[], []]);
  });

  it('are of one plate each', () => {
    const found = findingsOf((one) => {
      for (const piece of [0, 1]) print(one, piece, 'B-1');
    });
    expect(found).toEqual(['/workflow/labware/1/barcode is B-1, which is that of plate_1']);
  });

  it('must have a text', () => {
    expect(findingsOf((one) => print(one, 0, ''))[0]).toContain('/workflow/labware/0/barcode');
    expect(findingsOf((one) => print(one, 0, 7))[0]).toContain('/workflow/labware/0/barcode');
  });

  it('are read on one piece at a time', () => {
    const found = findingsOf((one) => {
      read(one)['labware_sources'] = {};
    });
    expect(found).toContain(
      '/workflow/tasks/read_plate_1/reads_barcode needs one piece of labware; the task has 0',
    );
  });

  it('are missed where nothing says what is read', () => {
    const [warning] = findingsOf(read);
    expect(warning).toMatch(
      /^read_plate_1 returns no barcode, which decides on whether it is plate_1/,
    );
  });
});
