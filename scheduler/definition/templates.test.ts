/** Templates of definitions: the tasks and limits that they make, and what is wrong with them. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { checkDefinition } from './checked-definition.ts';
import { INSTRUMENTS, taskOf } from './definition-parts.cases.ts';
import { errorAsSent, expandTemplates } from './templates.ts';

const PIECES = ['p', 'q'].map((id, i) => {
  return { id, starting_location: { instrument: 'hotel', slot: i + 1 } };
});
const step = (id: string, rest: object = {}) => ({ ...taskOf('reader', rest), id });
/** One reader, with two slots. */
const ONE_READER = INSTRUMENTS.filter(({ id }) => id !== 'r2');

function definition(templates: unknown, workflow: object = {}) {
  return {
    name: 'one',
    workcell: { instruments: ONE_READER, transport_matrix: { default: 5 } },
    workflow: { labware: PIECES, tasks: {}, templates, ...workflow },
  };
}

function expanded(templates: unknown, workflow: object = {}) {
  const { document, errors, warnings, origins } = expandTemplates(definition(templates, workflow));
  const made = (document as WorkflowDefinition).workflow;
  const tasks = made.tasks as Record<string, ReturnType<typeof taskOf> & Record<string, unknown>>;
  return { document, made, tasks, errors, warnings, origins };
}

const BOTH = ['p', 'q'];

describe('a template', () => {
  it('makes a task of each step for each piece, which takes it from the step before', () => {
    const steps = [step('wash'), step('read', { destination_slot: 2 })];
    const { tasks, made } = expanded([{ for_each: BOTH, steps }]);
    expect(Object.keys(tasks)).toEqual(['wash_p', 'read_p', 'wash_q', 'read_q']);
    expect(tasks['wash_q']).toEqual({
      ...taskOf('reader'),
      id: 'wash_q',
      labware_sources: { q: { type: 'stored_labware', labware_id: 'q' } },
    });
    expect(tasks['read_q']!['labware_sources']).toEqual({
      q: { type: 'labware_source', source_task: 'wash_q', labware_id: 'q', destination_slot: 2 },
    });
    expect(made).not.toHaveProperty('templates');
    expect(made).not.toHaveProperty('time_constraints');
  });

  it('fills the piece and its number into texts, keys and slots', () => {
    const description = '{labware} is number {n} of {n}';
    const labware_sources = { 'lid of {labware}': { labware_id: 'lid of {labware}', slot: '{n}' } };
    const { tasks } = expanded([
      {
        for_each: BOTH,
        steps: [step('wash', { description, destination_slot: '{n}', labware_sources })],
      },
    ]);
    expect(tasks['wash_q']).toMatchObject({
      description: 'q is number 2 of 2',
      labware_sources: {
        q: { destination_slot: 2 },
        'lid of q': { labware_id: 'lid of q', slot: 2 },
      },
    });
  });

  it('means its own steps where a name is one, else any task', () => {
    const steps = [step('wash'), step('read', { dependencies: ['wash', 'warm', 'mix_{labware}'] })];
    const { tasks } = expanded([{ for_each: BOTH, steps }]);
    expect(tasks['read_q']!['dependencies']).toEqual(['wash_q', 'warm', 'mix_q']);
  });

  it('goes on where an earlier one has left the piece', () => {
    const { tasks } = expanded([
      { for_each: BOTH, steps: [step('wash')] },
      { for_each: ['q'], steps: [step('read')] },
    ]);
    expect(tasks['read_q']!['labware_sources']).toMatchObject({ q: { source_task: 'wash_q' } });
  });

  it('lets a step say itself where its piece comes from', () => {
    const own = { type: 'labware_source', labware_id: '{labware}', source_task: 'mix_{labware}' };
    const steps = [step('wash', { labware_sources: { '{labware}': own } })];
    const { tasks } = expanded([{ for_each: ['p'], steps }]);
    expect(tasks['wash_p']!['labware_sources']).toEqual({
      p: { type: 'labware_source', labware_id: 'p', source_task: 'mix_p' },
    });
  });

  it('makes its limits for each piece, behind those of the workflow', () => {
    const limit = { id: 'wet', type: 'end_to_start', max_duration: 9 };
    const ends = { start_task_id: 'wash', end_task_id: 'read' };
    const { made } = expanded(
      [
        {
          for_each: BOTH,
          steps: [step('wash'), step('read')],
          time_constraints: [{ ...limit, ...ends }],
        },
      ],
      { time_constraints: [{ ...limit, start_task_id: 'a', end_task_id: 'b' }] },
    );
    expect(made.time_constraints).toEqual([
      { ...limit, start_task_id: 'a', end_task_id: 'b' },
      { ...limit, id: 'wet_p', start_task_id: 'wash_p', end_task_id: 'read_p' },
      { ...limit, id: 'wet_q', start_task_id: 'wash_q', end_task_id: 'read_q' },
    ]);
  });

  it('makes a definition that is valid, and warns of unknown members', () => {
    const read = step('read', { destination_slot: '{n}' });
    const { document, warnings } = expanded([{ for_each: BOTH, steps: [read], unheard: 1 }]);
    expect(warnings).toEqual(['/workflow/templates/0/unheard is not a known key and is ignored']);
    const { errors, model } = checkDefinition(document);
    expect(errors).toEqual([]);
    expect(model!.tasks.map(({ uses }) => uses[0]!.slot)).toEqual([1, 2]);
  });
});

describe('without templates', () => {
  it.each([[undefined], [null], [[]], ['text']])('%j, a document stays as it is', (templates) => {
    const sent = definition(templates);
    expect(expandTemplates(sent).document).toBe(sent);
  });

  it.each([[null], [1], [{}], [{ workflow: [] }]])('%j stays as it is', (sent) => {
    expect(expandTemplates(sent)).toMatchObject({ document: sent, errors: [] });
  });
});

describe('what is wrong with a template', () => {
  const at = '/workflow/templates/0';

  it.each<[string, object, string, string]>([
    ['unknown labware', { for_each: ['p', 'r'] }, `${at}/for_each/1`, 'there is no labware r'],
    ['a piece named twice', { for_each: ['p', 'p'] }, `${at}/for_each/1`, 'p is named twice'],
    ['no piece', { for_each: [] }, `${at}/for_each`, ''],
    ['no step', { steps: [] }, `${at}/steps`, ''],
    ['a step without a name', { steps: [taskOf('reader')] }, `${at}/steps/0/id`, ''],
    ['a name used twice', { steps: [step('a'), step('a')] }, `${at}/steps/1/id`, 'a is used twice'],
    [
      'a name that a task has',
      { steps: [step('taken')] },
      `${at}/steps/0/id`,
      'makes the task taken_p, which there is already',
    ],
  ])('names %s', (_what, rest, path, message) => {
    const template = { for_each: ['p'], steps: [step('a')], ...rest };
    const { errors, tasks } = expanded([template], { tasks: { taken_p: taskOf('reader') } });
    expect(errors).toEqual([{ path, message: expect.stringContaining(message) }]);
    expect(Object.keys(tasks)).toEqual(['taken_p']);
  });

  it('names too many tasks before it makes them', () => {
    const steps = Array.from({ length: limits.workflow_tasks / 2 + 1 }, (_, i) => step(`s${i}`));
    const { errors } = expanded([{ for_each: BOTH, steps }]);
    expect(errors).toEqual([
      {
        path: at,
        message: `makes them ${limits.workflow_tasks + 2} tasks; at most ${limits.workflow_tasks} are planned`,
      },
    ]);
  });

  it('names texts that become too long', () => {
    const description = 'x'.repeat(limits.body_toolpath_bytes / 2);
    const { errors } = expanded([{ for_each: BOTH, steps: [step('a', { description })] }]);
    expect(errors).toEqual([{ path: at, message: expect.stringMatching(/^makes more than/) }]);
  });

  it('names an error of a task at its step, with the piece', () => {
    const { document, origins } = expanded([
      {
        for_each: BOTH,
        steps: [
          step('wash', { dependencies: ['nothing'] }),
          step('read', { destination_slot: 7, instrument: { type: 'lost' } }),
        ],
        time_constraints: [
          { id: 'l', type: 'end_to_end', start_task_id: 'wash', end_task_id: 'gone' },
        ],
      },
    ]);
    const found = checkDefinition(document).errors.map((error) => errorAsSent(error, origins));
    expect(found.filter(({ message }) => message.endsWith('(for q)'))).toEqual([
      { path: `${at}/steps/0/dependencies/0`, message: 'there is no task nothing (for q)' },
      {
        path: `${at}/steps/1/instrument`,
        message: 'there is no instrument of type lost that fits (for q)',
      },
      { path: `${at}/time_constraints/0/end_task_id`, message: 'there is no task gone (for q)' },
    ]);
  });

  it('names the slot of the piece at the step', () => {
    const { document, origins } = expanded([
      { for_each: ['p'], steps: [step('read', { destination_slot: 7 })] },
    ]);
    expect(checkDefinition(document).errors.map((error) => errorAsSent(error, origins))).toEqual([
      {
        path: `${at}/steps/0/destination_slot`,
        message: expect.stringMatching(/^is 7 for p.*\(for p\)$/),
      },
    ]);
  });

  it('names a cycle by its tasks', () => {
    const steps = [step('wash', { dependencies: ['read'] }), step('read')];
    const { document } = expanded([{ for_each: ['p'], steps }]);
    expect(checkDefinition(document).errors).toEqual([
      { path: '/workflow/tasks', message: expect.stringContaining('in a cycle: wash_p, read_p') },
    ]);
  });
});
