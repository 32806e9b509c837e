/** How the parts of a definition are read, and the chains that labware takes through tasks. */

import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { locationKey } from '../plan/slot-location.ts';
import { childPointer, DefinitionFindings } from './definition-findings.ts';
import { namedWorkcell, unknownWorkcell, withWorkcell } from './definition-workcell.ts';
import { type ChainParts, chainsOf, narrowedCandidates, usesOf } from './labware-chains.ts';
import { seedOf } from './plan-seed.ts';
import { type ReadTask, readDefinition } from './read-definition.ts';
import { device } from './small-model.cases.ts';
import { washAndRead } from './workflow.cases.ts';
import { failureActionsOf } from './workflow-model.ts';

const URL_OK = 'http://a.test/x';
const TASK = { instrument: { type: 'reader' }, action: 'read', time_estimate: 5 };

interface Parts {
  /** Merged into the document. */
  readonly rest?: object;
  /** Merged into its workflow. */
  readonly workflow?: object;
}

function documentOf({ rest = {}, workflow = {} }: Parts = {}) {
  const plain = { name: 'one', workcell: {}, ...rest };
  return { ...plain, workflow: { labware: [], tasks: {}, ...workflow } };
}

function readOf(parts: Parts) {
  const findings = new DefinitionFindings();
  const read = readDefinition(findings, documentOf(parts));
  const { errors, warnings } = findings;
  return { read, errors, paths: errors.map(({ path }) => path), warnings };
}

describe('findings', () => {
  it('keep errors up to the limit', () => {
    const findings = new DefinitionFindings();
    for (let n = 1; n <= limits.reported_problems + 1; n++) findings.add(`/${n}`, 'is bad');
    expect(findings.errors).toHaveLength(limits.reported_problems);
    expect(findings.errors.at(-1)).toEqual({ path: '/100', message: 'is bad' });
  });

  it('give a part that fits, and warn of its unknown keys', () => {
    const findings = new DefinitionFindings();
    const read = findings.read('WorkflowTask', { ...TASK, colour: 1 }, '/at');
    expect(read).toEqual(TASK);
    expect(findings.errors).toEqual([]);
    expect(findings.warnings.map((text) => text.split(' ')[0])).toEqual(['/at/colour']);
  });

  it('give null for a part that does not fit, with the place of each error', () => {
    const findings = new DefinitionFindings();
    const { action: _, ...rest } = TASK;
    expect(findings.read('WorkflowTask', { ...rest, time_estimate: -1 }, '/at')).toBeNull();
    expect(findings.errors.map(({ path }) => path).sort()).toEqual([
      '/at/action',
      '/at/time_estimate',
    ]);
    expect(findings.errors.every(({ message }) => message.length > 0)).toBe(true);
  });

  it.each([
    ['/a', 'b', '/a/b'],
    ['', 3, '/3'],
    ['/a', 'b/c~d', '/a/b~1c~0d'],
  ])('name a member: %s and %s', (path, key, pointer) => {
    expect(childPointer(path, key)).toBe(pointer);
  });
});

describe('a document', () => {
  it('is not read where its structure is wrong', () => {
    const findings = new DefinitionFindings();
    expect(readDefinition(findings, { name: 'one' })).toBeNull();
    expect(findings.errors.map(({ path }) => path)).toEqual(['/workflow', '/workcell']);
  });

  it('is read part by part', () => {
    const need = { type: 'stored_labware', labware_id: 'p', slot: null };
    const output = { labware_id: 'p', slot: 2 };
    const task = { ...TASK, labware_sources: { s: need }, labware_outputs: [output] };
    const hook = { type: 'NewPlanHook', parameters: { url: URL_OK } };
    const { read, errors, warnings } = readOf({
      rest: { hooks: [{ ...hook, type: 'TaskStateChangeHook' }] },
      workflow: { tasks: { 'a/b': task, plain: TASK }, hooks: [hook] },
    });
    expect([errors, warnings]).toEqual([[], []]);
    const path = '/workflow/tasks/a~1b';
    expect(read!.tasks).toMatchObject([
      {
        id: 'a/b',
        path,
        needs: [{ labware_id: 'p', path: `${path}/labware_sources/s` }],
        outputs: [{ slot: 2, path: `${path}/labware_outputs/0` }],
      },
      { id: 'plain', path: '/workflow/tasks/plain', needs: [], outputs: [] },
    ]);
    expect(read!.tasks[0]!.needs[0]!.slot).toBeUndefined();
    expect(read!.hooks.map(({ type }) => type)).toEqual(['NewPlanHook', 'TaskStateChangeHook']);
    expect(read!.definition.name).toBe('one');
  });

  it('has null for what is absent in tasks and hooks', () => {
    const hook = { type: 'NewPlanHook', filter: null, parameters: { url: URL_OK } };
    const labware = { labware_sources: null, labware_outputs: null };
    const { read, errors } = readOf({
      workflow: { tasks: { a: { ...TASK, ...labware, id: null } }, hooks: [hook] },
    });
    expect(errors).toEqual([]);
    expect(read!.tasks).toMatchObject([{ id: 'a', needs: [], outputs: [] }]);
    expect(read!.hooks).toHaveLength(1);
  });

  it.each([
    ['a task', { tasks: { a: null, b: TASK } }, ['/workflow/tasks/a']],
    ['a list for a task', { tasks: { a: [TASK], b: TASK } }, ['/workflow/tasks/a']],
    ['a key of a task', { tasks: { b: { ...TASK, id: 'c' } } }, ['/workflow/tasks/b/id']],
    [
      'a need',
      { tasks: { b: { ...TASK, labware_sources: { p: { labware_id: 'p' }, q: 7 } } } },
      ['/workflow/tasks/b/labware_sources/p', '/workflow/tasks/b/labware_sources/q'],
    ],
    [
      'an output',
      { tasks: { b: { ...TASK, labware_outputs: { p: { slot: 1 } } } } },
      ['/workflow/tasks/b/labware_outputs/p'],
    ],
    ['a hook', { tasks: { b: TASK }, hooks: [{}] }, ['/workflow/hooks/0']],
  ])('names the place of %s that does not fit, and reads the rest', (_, workflow, places) => {
    const { read, paths } = readOf({ workflow });
    expect(paths.map((path) => places.find((one) => path.startsWith(one)))).toEqual(places);
    expect(read!.tasks).toMatchObject([{ id: 'b', needs: [], outputs: [] }]);
    expect(read!.hooks).toEqual([]);
  });

  it('may name the key of a task as its id', () => {
    expect(readOf({ workflow: { tasks: { b: { ...TASK, id: 'b' } } } }).errors).toEqual([]);
  });

  it('has tasks up to the limit', () => {
    const tasks = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, null]));
    const most = readOf({ workflow: { tasks: tasks(limits.workflow_tasks) } });
    expect(most.read!.tasks).toEqual([]);
    expect(most.paths[0]).toBe('/workflow/tasks/t0');
    const more = readOf({ workflow: { tasks: tasks(limits.workflow_tasks + 1) } });
    expect([more.read, more.paths]).toEqual([null, ['/workflow/tasks']]);
  });

  it.each([
    [{ run_instructions: { a: 1 } }, {}, ['/run_instructions']],
    [{ scheduler_config: [1] }, {}, ['/scheduler_config']],
    [{ parameter_definitions: 'x' }, {}, ['/parameter_definitions']],
    [{}, { instrument_blocks: [{ id: 'b' }] }, ['/workflow/instrument_blocks']],
    [
      { run_instructions: 0, scheduler_config: false },
      {},
      ['/run_instructions', '/scheduler_config'],
    ],
    [{ run_instructions: {}, scheduler_config: [], parameter_definitions: null }, {}, []],
    [{}, { instrument_blocks: [] }, []],
  ])('warns of parts without effect: %j %j', (rest, workflow, places) => {
    const { warnings, errors } = readOf({ rest, workflow });
    expect(warnings.map((text) => text.split(' ')[0])).toEqual(places);
    expect(errors).toEqual([]);
  });
});

describe('a hook', () => {
  const at = '/workflow/hooks/0';
  const hookOf = (rest: object) => {
    const hook = { type: 'NewPlanHook', parameters: { url: URL_OK }, ...rest };
    return readOf({ workflow: { hooks: [hook] } });
  };
  const faultsOf = (url: string) => hookOf({ parameters: { url } }).errors;

  it.each(['http://a.test', 'https://a.test:65535/x?y#z', 'HTTP://a.test/', 'http://[::1]:8080/'])(
    'may be sent to %s',
    (url) => {
      expect(faultsOf(url)).toEqual([]);
    },
  );

  const PORT = 'the last port is 65535';
  const ABSOLUTE = 'must be an absolute http or https URL';
  const INVALID = 'is no valid URL; check its host and port';
  const SCHEME = 'must be an http or https URL';
  const SECRET = 'must not contain a user name or password';
  it.each([
    ['a.test', ABSOLUTE],
    ['//http://a.test', ABSOLUTE],
    ['x http://', ABSOLUTE],
    ['http:/a b', ABSOLUTE],
    ['ftp://a.test', SCHEME],
    ['http://u@a.test', SECRET],
    ['http://:p@a.test', SECRET],
    ['http://a b/', INVALID],
    ['http://', INVALID],
    ['https://a.test:65536', `has the port 65536; ${PORT}`],
    ['HTTPS://a.test:70000/x', `has the port 70000; ${PORT}`],
    ['http://a.test:123456?x', `has the port 123456; ${PORT}`],
    ['http://a.test:99999#x', `has the port 99999; ${PORT}`],
    ['http://a b:99999x', INVALID],
    ['http://a b:65535', INVALID],
  ])('may not be sent to %s', (url, message) => {
    expect(faultsOf(url)).toEqual([{ path: `${at}/parameters/url`, message }]);
  });

  it('has both faults of an address with another scheme and a password', () => {
    expect(faultsOf('ftp://u:p@a.test').map(({ message }) => message)).toEqual([SCHEME, SECRET]);
  });

  it('needs a type, which a filter may name', () => {
    expect(hookOf({ type: null }).paths).toEqual([at]);
    const { read, paths, warnings } = hookOf({ type: null, filter: 'on_run_state_change' });
    expect([paths, warnings, read!.hooks.length]).toEqual([[], [], 1]);
  });

  it.each([
    [{ filter: 'on_run_state_change' }, 1],
    [{ type: 'RunStateChangeHook', filter: 'on_run_state_change' }, 0],
    [{ type: 'TaskStateChangeHook', task_ids: ['a'] }, 0],
    [{ task_ids: ['a'] }, 1],
    [{}, 0],
  ])('is warned of where its parts contradict its type: %j', (rest, count) => {
    const { warnings, errors } = hookOf(rest);
    expect([warnings.length, errors]).toEqual([count, []]);
    expect(warnings.every((text) => text.startsWith(`${at} `))).toBe(true);
  });

  it('names each header that it may not have', () => {
    const headers = { 'X-Own': 'ok', 'a/b': 'x', Host: 'y' };
    const { paths } = hookOf({ parameters: { url: URL_OK, headers } });
    expect(paths).toEqual([`${at}/parameters/headers/a~1b`, `${at}/parameters/headers/Host`]);
  });

  it.each([
    ['/hooks/1', { rest: { hooks: [{ type: 'NewPlanHook', parameters: { url: URL_OK } }, {}] } }],
    ['/workflow/hooks/0', { workflow: { hooks: [{}] } }],
  ])('is named by its place, %s', (place, parts) => {
    expect(readOf(parts).paths.every((path) => path.startsWith(place))).toBe(true);
    expect(readOf(parts).paths).not.toEqual([]);
  });
});

describe('a task', () => {
  const errorsOf = (wash: unknown) => readOf({ workflow: { tasks: { wash } } }).errors;

  it.each([5, 'text', true, null, [1]].map((one) => [one]))('that is %j is named', (one) => {
    const message = expect.stringMatching(/^must be object, but is /);
    expect(errorsOf(one)).toEqual([{ path: '/workflow/tasks/wash', message }]);
  });

  it('lacks what it needs where that is null', () => {
    const message = 'is missing, and it is required';
    const path = '/workflow/tasks/wash/action';
    expect(errorsOf({ ...TASK, action: null })).toEqual([{ path, message }]);
  });
});

describe('what a definition says of its planning', () => {
  const seedIn = (parts: Parts) => {
    const findings = new DefinitionFindings();
    const read = readDefinition(new DefinitionFindings(), documentOf(parts))!;
    const seed = seedOf(findings, read.definition);
    return { seed, paths: findings.errors.map(({ path }) => path) };
  };

  it.each([
    [undefined, 1, []],
    [null, 1, []],
    [{}, 1, []],
    [{ seed: 0 }, 0, []],
    [{ seed: 7 }, 7, []],
    [{ seed: -1 }, 1, ['/options/seed']],
    [{ seed: 1.5 }, 1, ['/options/seed']],
    [{ seed: '7' }, 1, ['/options/seed']],
    [{ seed: null }, 1, ['/options/seed']],
    [{ 'a/b': 1 }, 1, ['/options/a~1b']],
    [{ fast: true, seed: 3 }, 3, ['/options/fast']],
    ['quick', 1, ['/options/']],
    [7, 1, ['/options/']],
  ])('is the seed of the options %j', (options, seed, paths) => {
    const rest = options === undefined ? {} : { options };
    expect(seedIn({ rest })).toEqual({ seed, paths });
  });
});

describe('the workcell of a definition', () => {
  it.each([
    [{ workcell: { workcell_id: 'bench' } }, 'bench'],
    [{ workcell: { workcell_id: 'bench', instruments: [] } }, null],
    [{ workcell: { workcell_id: 7 } }, null],
    [{ workcell: {} }, null],
    [{ workcell: null }, null],
    [{}, null],
    [null, null],
    [undefined, null],
    ['text', null],
  ])('is named by %j', (document, name) => {
    expect(namedWorkcell(document)).toBe(name);
  });

  it('is filled in with what is stored', () => {
    const { instruments, transport_matrix } = washAndRead().workcell;
    const document = { name: 'one', workcell: { workcell_id: 'bench' }, workflow: {} };
    const found = { name: 'bench', instruments, transport_matrix };
    expect(withWorkcell(document, found)).toEqual({
      name: 'one',
      workflow: {},
      workcell: { workcell_id: 'bench', instruments, transport_matrix },
    });
  });

  it('is an error at its name where it is unknown', () => {
    const { path, message } = unknownWorkcell('bench');
    expect(path).toBe('/workcell/workcell_id');
    expect(message).toContain('bench');
  });
});

describe('failure actions', () => {
  const none = Number.POSITIVE_INFINITY;
  it.each([
    [undefined, [true, true, false, true, none]],
    [{}, [true, true, false, true, none]],
    [{ retry: false }, [false, true, false, true, none]],
    [{ retry: false, complete_manually: false }, [false, false, false, false, none]],
    [{ retry: false, complete_manually: false, ignore: true }, [false, false, true, true, none]],
    [{ complete_manually: false, max_retries: 0 }, [true, false, false, true, 0]],
    [{ ignore: true, max_retries: 3 }, [true, true, true, true, 3]],
  ])('of %j', (given, expected) => {
    const { retry, complete, skip, isOffered, max_retries } = failureActionsOf(given);
    expect([retry, complete, skip, isOffered, max_retries]).toEqual(expected);
  });
});

describe('chains', () => {
  type Need = ReadTask['needs'][number];
  /** Needs as `piece` (from its store), `piece<task` (from a task) or `piece@slot`. */
  function needOf(text: string, i: number): Need {
    const [, labware_id = '', source_task, slot] = /^(\w+)(?:<(\w+))?(?:@(\d+))?$/.exec(text)!;
    return {
      type: source_task === undefined ? 'stored_labware' : 'labware_source',
      labware_id,
      path: `/${i}`,
      ...(source_task !== undefined && { source_task }),
      ...(slot !== undefined && { destination_slot: Number(slot) }),
    };
  }

  function partsOf(needs: Record<string, readonly string[]>): ChainParts {
    const tasks = Object.entries(needs).map(([id, list]): ReadTask => {
      const own = list.map((text, i) => ({ ...needOf(text, i), path: `/${id}/${i}` }));
      return { id, path: `/${id}`, task: TASK, needs: own, consumables: [], outputs: [] };
    });
    return {
      findings: new DefinitionFindings(),
      tasks,
      taskIndex: new Map(tasks.map(({ id }, i) => [id, i])),
      labwareIndex: new Map([
        ['p', 0],
        ['q', 1],
      ]),
      locations: [
        { instrument: 0, slot: 4 },
        { instrument: 3, slot: 5 },
      ],
      instruments: Array.from({ length: 8 }, (_, i) => device(`i${i}`)),
    };
  }

  it.each([
    [{}, [[], []], []],
    [{ a: ['p'], b: ['p<a'], c: ['p<b'] }, [[0, 1, 2], []], []],
    [{ c: ['p<b'], b: ['p<a'], a: ['p'] }, [[2, 1, 0], []], []],
    [{ a: ['p', 'q'], b: ['q<a'] }, [[0], [0, 1]], []],
    [{ a: ['x'] }, [[], []], ['/a/0/labware_id']],
    [{ a: ['p', 'q', 'p'] }, [[0], [0]], ['/a/2/labware_id']],
    [{ a: ['p'], b: ['p'], c: ['p'] }, [[0], []], ['/b/0', '/c/0']],
    [{ a: ['p'], b: ['p<x'] }, [[0], []], ['/b/0/source_task']],
    [{ a: ['p'], b: ['p<b'] }, [[0], []], ['/b/0/source_task']],
    [{ a: ['p'], b: ['q'], c: ['p<b'] }, [[0], [1]], ['/c/0/source_task']],
    [{ a: ['p'], b: ['p<a'], c: ['p<a'] }, [[0, 1], []], ['/c/0/source_task']],
    [{ a: ['p<b'], b: ['p<a'] }, [[], []], ['/a/0']],
    [{ a: ['p'], b: ['p<c'], c: ['p<b'] }, [[0], []], []],
    [
      { a: ['p'], b: ['p<a'], c: ['q'], d: ['q<c'] },
      [
        [0, 1],
        [2, 3],
      ],
      [],
    ],
  ])('of %j', (needs, chains, paths) => {
    const parts = partsOf(needs);
    expect(chainsOf(parts)).toEqual(chains);
    expect(parts.findings.errors.map(({ path }) => path)).toEqual(paths);
  });

  it.each([
    [{ a: ['p<x'] }, 'there is no task x'],
    [{ a: ['p'], b: ['p<b'] }, 'a task cannot take labware from itself'],
    [{ a: ['p'], b: ['q'], c: ['p<b'] }, 'task b has no p'],
    [{ a: ['p'], b: ['p<a'], c: ['p<a'] }, 'task b already takes p from a'],
  ])('say what is wrong: %j', (needs, message) => {
    const parts = partsOf(needs);
    chainsOf(parts);
    expect(parts.findings.errors[0]!.message).toBe(message);
  });

  const uses = (needs: string[], on: { outputs?: object[]; candidates?: number[] } = {}) => {
    const parts = partsOf({ a: needs });
    const outputs = (on.outputs ?? []).map((one, i) => ({
      labware_id: 'p',
      path: `/o${i}`,
      ...one,
    }));
    const found = usesOf(parts, { ...parts.tasks[0]!, outputs }, on.candidates ?? [7]);
    return [found, parts.findings.errors.map(({ path }) => path)];
  };
  const use = (labware: number, slot: number, slot_after = slot) => ({ labware, slot, slot_after });

  it.each([
    [['p'], {}, [use(0, 1)], []],
    [['p@3', 'q@2'], {}, [use(0, 3), use(1, 2)], []],
    // It stands in a candidate from the start: its slot there is that of its start.
    [['p@3'], { candidates: [7, 0] }, [use(0, 4)], []],
    [['q<x@3', 'p'], { candidates: [3, 0] }, [use(1, 3), use(0, 4)], []],
    [['x', 'p'], {}, [use(0, 1)], []],
    [['p@3'], { outputs: [{ slot: 6 }] }, [use(0, 3, 6)], []],
    [['p@3'], { outputs: [{ destination_slot: 8 }] }, [use(0, 3, 8)], []],
    [['p@3'], { outputs: [{ slot: 6, destination_slot: 8 }] }, [use(0, 3, 6)], []],
    [['p@3'], { outputs: [{}] }, [use(0, 3)], []],
    [['q', 'p'], { outputs: [{ slot: 9 }] }, [use(1, 1), use(0, 1, 9)], []],
    [['p'], { outputs: [{ labware_id: 'q', slot: 2 }, {}] }, [use(0, 1)], ['/o0']],
  ])('give the uses of %j with %j', (...[needs, on, found, paths]) => {
    expect(uses(needs, on)).toEqual([found, paths]);
  });

  it.each([
    [['p'], [0, 1, 2], [0]],
    [['p'], [1, 2], [1, 2]],
    [['p<x'], [0, 1], [0, 1]],
    [['x', 'q'], [2, 3], [3]],
    [['p', 'q'], [3, 0], [0]],
    [[], [1], [1]],
  ])('of %j narrow the candidates %j', (needs, candidates, expected) => {
    const parts = partsOf({ a: needs });
    expect(narrowedCandidates(parts, parts.tasks[0]!, candidates)).toEqual(expected);
  });

  it('name locations by instrument and slot', () => {
    expect(locationKey({ instrument: 1, slot: 12 })).not.toBe(
      locationKey({ instrument: 11, slot: 2 }),
    );
    expect(locationKey({ instrument: 1, slot: 2 })).toBe('1/2');
  });
});
