import { describe, expect, it } from 'vitest';
import { checkDefinition } from './checked-definition.ts';
import { matrixTime_s } from './transport-matrix.ts';
import { washAndRead } from './workflow.cases.ts';

type Definition = ReturnType<typeof washAndRead>;
// Edits change free-form parts that the type of the builder does not describe.
interface Loose {
  [key: string]: Loose & string & number;
}

function check(edit: (definition: Definition & { workflow: { tasks: Loose } }) => void) {
  const definition = structuredClone(washAndRead({ plates: 2 }));
  edit(definition as Parameters<typeof edit>[0]);
  return checkDefinition(definition);
}

function errors(edit: Parameters<typeof check>[0]): string[] {
  return check(edit).errors.map(({ path, message }) => `${path} ${message}`);
}

const RESERVED = {
  'Webhook-Signature': 'v1,forged',
  'X-Hook-Type': 'Another',
  'content-type': 'text/plain',
  'Transfer-Encoding': 'chunked',
  Host: 'elsewhere.test',
};

describe('a definition', () => {
  it('resolves names, chains and defaults', () => {
    const { model, errors, warnings } = checkDefinition(washAndRead());
    expect([errors, warnings]).toEqual([[], []]);
    expect(model!.labware[0]).toEqual({
      id: 'plate_1',
      location: { instrument: 0, slot: 1 },
      tasks: [0, 1],
    });
    expect(model!.tasks[0]).toMatchObject({ candidates: [1], estimate_s: 20, execution_s: 20 });
  });

  it('warns of unknown keys and accepts the definition', () => {
    const { model, warnings } = check((one) => Object.assign(one, { colour: 'red' }));
    expect(model).not.toBeNull();
    expect(warnings.join()).toContain('/colour is not a known key');
  });

  it('names a start in an unknown instrument, and no slot that is of use only after that', () => {
    const found = errors(({ workcell, workflow }) => {
      const [hotel, washer] = workcell.instruments;
      workcell.instruments.splice(0, 2, washer!, hotel!);
      workflow.labware[0]!.starting_location.instrument = 'nowhere';
      workflow.tasks['wash_plate_1']!['labware_sources']!['plate_1']!['destination_slot'] =
        9 as never;
    });
    expect(found).toEqual([
      '/workflow/labware/0/starting_location/instrument there is no instrument nowhere',
    ]);
  });

  it('takes the times of moves by instrument, then by bench, and in one direction', () => {
    const paths = [
      { source: 'a', destination: 'b', time: 7 },
      { source: 'hotel', destination: 'washer', time: 3 },
      { source: 'washer', destination: 'b', time: 4 },
      { source: 'b', destination: 'hotel', time: 6 },
    ];
    const { model, warnings } = check(({ workcell }) => {
      workcell.instruments[2]!.bench = 'b';
      Object.assign(workcell.transport_matrix, { paths });
    });
    expect(warnings).toEqual([]);
    const [hotel, washer, reader] = [0, 1, 2].map((instrument) => ({ instrument, slot: 1 }));
    const time_s = (from: typeof hotel, to: typeof hotel) => matrixTime_s(model!, from!, to!);
    expect(time_s(hotel, washer)).toBe(3);
    expect(time_s(hotel, reader)).toBe(7);
    expect(time_s(washer, reader)).toBe(4);
    expect(time_s(reader, hotel)).toBe(6);
    expect([time_s(washer, hotel), time_s(reader, washer)]).toEqual([5, 5]);
  });

  it('warns of paths without effect and of moves that take no time', () => {
    const paths = [
      { source: 'hotel', destination: 'wahser', time: 3 },
      { source: 'hotel', destination: 'washer', time: 3 },
      { source: 'hotel', destination: 'washer', time: 9 },
    ];
    const { warnings } = check(({ workcell }) =>
      Object.assign(workcell.transport_matrix, { paths }),
    );
    const at = '/workcell/transport_matrix/paths';
    expect(warnings).toEqual([
      `${at}/0/destination names no instrument and no bench: wahser`,
      `${at}/2 repeats ${at}/1 and replaces its time`,
    ]);
    const none = check(({ workcell }) => Reflect.deleteProperty(workcell, 'transport_matrix'));
    expect(none.warnings.join()).toContain('has no default: moves take 0 s; set');
  });

  it('warns of parts without effect and of contradictory hooks', () => {
    const { model, warnings } = check((one) => {
      const parameters = { url: 'http://a.test' };
      const hooks = [{ type: 'NewPlanHook', filter: 'on_run_state_change', parameters }];
      Object.assign(one, { options: {}, run_instructions: { a: 1 } });
      Object.assign(one.workflow, { hooks, instrument_blocks: [{ id: 'b' }], batches: [] });
    });
    expect(model).not.toBeNull();
    expect(warnings).toEqual([
      '/run_instructions is kept and has no effect',
      '/workflow/instrument_blocks is kept and has no effect',
      '/workflow/hooks/0 is a NewPlanHook; what makes it a RunStateChangeHook is ignored',
    ]);
  });

  it('refuses options that would have no effect', () => {
    const found = errors((one) => {
      Object.assign(one, { options: { fast: true, seed: -1 } });
    });
    expect(found).toEqual([
      '/options/fast is not supported; remove it',
      '/options/seed must be a whole number, 0 or more',
    ]);
  });

  it('reads the seed of the options', () => {
    const { model } = check((one) => {
      Object.assign(one, { options: { seed: 9 } });
    });
    expect(model).toMatchObject({ seed: 9 });
  });

  it('warns of an unknown mapping, and refuses limits of time with equal ids', () => {
    const found = check(({ workflow }) => {
      const ends = { start_task_id: 'wash_plate_1', end_task_id: 'read_plate_1' };
      const limit = { id: 'rest', type: 'end_to_start', ...ends, max_duration: 60 };
      Object.assign(workflow, { time_constraints: [limit, limit] });
      Object.assign(workflow.tasks['wash_plate_1']!, {
        instrument: { type: 'washer', mappings: ['ALL', 'rack'] },
      });
    });
    const at = '/workflow/tasks/wash_plate_1/instrument/mappings/1';
    expect(found.warnings).toEqual([`${at} names a mapping of no instrument of type washer: rack`]);
    const message = 'rest is used twice';
    expect(found.errors).toEqual([{ path: '/workflow/time_constraints/1/id', message }]);
  });

  it('says of the address of a hook what is wrong', () => {
    const faultOf = (url: string) =>
      errors(({ workflow }) => {
        Object.assign(workflow, { hooks: [{ type: 'NewPlanHook', parameters: { url } }] });
      }).map((text) => text.replace('/workflow/hooks/0/parameters/url ', ''));
    expect(faultOf('http://a.test:99999/x')).toEqual([
      'has the port 99999; the last port is 65535',
    ]);
    expect(faultOf('http://exa mple/')).toEqual(['is no valid URL; check its host and port']);
    expect(faultOf('a.test')).toEqual(['must be an absolute http or https URL']);
    expect(faultOf('http://a.test:65535/x')).toEqual([]);
  });

  it('is refused with more tasks than the limit', () => {
    const found = errors(({ workflow }) => {
      const task = workflow.tasks['wash_plate_1'];
      for (let i = 0; i < 1000; i++) Object.assign(workflow.tasks, { [`more_${i}`]: task });
    });
    expect(found).toEqual(['/workflow/tasks are 1004; at most 1000 are planned']);
  });

  it('reports unknown tasks, labware, instruments and types', () => {
    expect(
      errors(({ workflow }) => {
        Object.assign(workflow.tasks['wash_plate_1']!, {
          dependencies: ['missing'],
          instrument: { type: 'oven' },
        });
        workflow.labware[1]!.starting_location.instrument = 'fridge';
      }),
    ).toEqual([
      '/workflow/labware/1/starting_location/instrument there is no instrument fridge',
      '/workflow/tasks/wash_plate_1/instrument there is no instrument of type oven that fits',
      '/workflow/tasks/wash_plate_1/dependencies/0 there is no task missing',
    ]);
  });

  it('reports cycles of tasks', () => {
    const found = errors(({ workflow }) => {
      Object.assign(workflow.tasks['wash_plate_1']!, { dependencies: ['read_plate_1'] });
    });
    expect(found).toEqual([
      '/workflow/tasks these wait for each other in a cycle: wash_plate_1, read_plate_1',
    ]);
    const longer = errors(({ workflow }) => {
      Object.assign(workflow.tasks['wash_plate_1']!, { dependencies: ['wash_plate_2'] });
      Object.assign(workflow.tasks['wash_plate_2']!, { dependencies: ['read_plate_2'] });
    });
    expect(longer).toEqual([
      '/workflow/tasks these wait for each other in a cycle: wash_plate_2, read_plate_2',
    ]);
  });

  it('reports slots that are impossible or taken twice', () => {
    const far = errors(({ workflow }) => {
      workflow.labware[0]!.starting_location.slot = 11;
    });
    const start = '/workflow/labware/0/starting_location/slot';
    expect(far).toContain(`${start} is 11 for plate_1, but hotel has the slots 1 to 10`);
    const none = errors(({ workflow, workcell }) => {
      const at = workflow.tasks['wash_plate_1']!['labware_sources']!['plate_1']!;
      Object.assign(at, { destination_slot: 0 });
      workcell.instruments[2]!.capacity = 1;
    });
    const sources = (task: string, piece: string) =>
      `/workflow/tasks/${task}_${piece}/labware_sources/${piece}/destination_slot`;
    expect(none).toEqual([
      `${sources('wash', 'plate_1')} is 0 for plate_1, but washer has only slot 1`,
      `${sources('read', 'plate_2')} is 2 for plate_2, but reader has only slot 1`,
    ]);
    const bin = check(({ workflow, workcell }) => {
      const at = workflow.tasks['wash_plate_1']!['labware_sources']!['plate_1']!;
      Object.assign(at, { destination_slot: 0 });
      Object.assign(workcell.instruments[1]!, { is_slotless_container: true });
    });
    expect(bin.errors).toEqual([]);
    const shared = errors(({ workflow }) => {
      workflow.labware[0]!.starting_location.slot = 2;
    });
    expect(shared[0]).toContain('hotel slot 2 already holds plate_1');
  });

  it('reports labware that is taken twice, or from a task without it', () => {
    const twice = errors(({ workflow }) => {
      const need = workflow.tasks['read_plate_1']!['labware_sources']!['plate_1']!;
      Object.assign(need, { source_task: undefined });
    });
    expect(twice[0]).toContain('plate_1 is taken from its store twice');
    const wrong = errors(({ workflow }) => {
      const need = workflow.tasks['read_plate_1']!['labware_sources']!['plate_1']!;
      Object.assign(need, { source_task: 'wash_plate_2' });
    });
    expect(wrong[0]).toContain('task wash_plate_2 has no plate_1');
  });

  it('refuses a slot that contradicts the start of a piece, or is needed twice', () => {
    const other = errors(({ workflow }) => {
      const need = workflow.tasks['wash_plate_1']!['labware_sources']!['plate_1']!;
      Object.assign(need, { slot: 7 });
    });
    const path = '/workflow/tasks/wash_plate_1/labware_sources/plate_1/slot';
    expect(other).toEqual([`${path} is 7, but plate_1 starts in hotel slot 1`]);
    const twice = errors(({ workflow }) => {
      const sources = workflow.tasks['read_plate_1']!['labware_sources']!;
      const need = { type: 'labware_source', labware_id: 'plate_2', source_task: 'wash_plate_2' };
      Object.assign(sources, { plate_2: { ...need, destination_slot: 1 } });
    });
    expect(twice[0]).toContain('slot 1 is needed for plate_1');
  });

  it('requires a station for every location of a move', () => {
    const io = { location: 'end_effector', type: 'digital', index: 0 };
    const home = [0, 0.5, -1.7, 0, -1.2, 0];
    const config = {
      home,
      default_max_speed: 0.5,
      gripper: { ...io, closed: true, settle_s: 0.3 },
      stations: { hotel: { 1: { approach: home, grip: home } } },
    };
    const found = errors(({ workcell }) => Object.assign(workcell.instruments[3]!, { config }));
    expect(found[0]).toContain('from or to washer slot 1, which has no station');
  });

  it('refuses hooks without a type and with invalid URLs or headers', () => {
    const found = errors(({ workflow }) => {
      Object.assign(workflow, {
        hooks: [
          { parameters: { url: 'http://a.test' } },
          { type: 'NewPlanHook', parameters: { url: 'a.test' } },
          { type: 'NewPlanHook', parameters: { url: 'http://u:p@a.test', headers: { 'a b': '' } } },
          { type: 'NewPlanHook', parameters: { url: 'http://a.test', headers: RESERVED } },
        ],
      });
    });
    expect(found.map((text) => text.split(' ')[0])).toEqual([
      '/workflow/hooks/0',
      '/workflow/hooks/1/parameters/url',
      '/workflow/hooks/2/parameters/url',
      '/workflow/hooks/2/parameters/headers/a',
      ...Object.keys(RESERVED).map((name) => `/workflow/hooks/3/parameters/headers/${name}`),
    ]);
  });
});
