/** Documents: equal results at once and on the thread, which leaves the caller free. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sampleWorkflow } from '../../conformance/samples/sample-workflow.ts';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import { shareAlone, shares } from '../../contract/shares.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { createMemory } from '../robot/memory.ts';
import type { BodyTask } from './body-task.ts';
import { DocumentReader } from './document-reader.ts';
import { documentTasks } from './document-tasks.ts';
import { toolpathText } from './toolpath-text.ts';

const ADA = { owner: 1 };

const sorter = JSON.parse(readFileSync('fixtures/toolpaths/sorter.json', 'utf8')) as Toolpath;
const reader = new DocumentReader({ wall: systemClock, keepsTime: () => true });
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

afterAll(() => reader.close());

/** A body that is too large to be read at once. */
function task(route: string, schema: SchemaId, value: object): BodyTask {
  const text = JSON.stringify(value) + ' '.repeat(limits.inline_document_bytes);
  const bytes = new TextEncoder().encode(text);
  return { route, schema, dialect: 'documented', pieces: [bytes], needsHash: true, isUsers: true };
}

function nested(count: number): unknown {
  return Array.from({ length: count }, () => [[[[[[[[[[]]]]]]]]]]);
}

const ANGLES = Float64Array.of(0.1, -0);
const SNAPSHOT = {
  driver: 'fast',
  physics: 'those',
  tick: 5,
  robot: {
    memory: createMemory(),
    mover: {
      rest: ANGLES,
      before: ANGLES,
      attempts: 0,
      motion: null,
      following: null,
      halted: null,
      emergency: null,
      wanted_stop: null,
    },
    tick: 5,
    epoch_ms: 0,
    timezone: 'UTC',
    seed: 1,
  },
  world: Uint8Array.of(1, 2, 255),
  disturbance: { ticks: 5, noise: null, contact: null },
  obstacles: [],
  faults: [],
  update: null,
  push_end_tick: null,
  status: { state_tick: 0, loop_ticks: 0, waited_ticks: 0 },
  digest: { chain: '', fed: '', seen: [], changes: '', log: [] },
  loaded: null,
  name: 'arm',
  software_version: '1.0.0',
  library: { rows: [], bodies: [], last_id: 0 },
};
const STATE_FILE = JSON.parse(
  new TextDecoder().decode(documentTasks.stateFile({ name: 'kept', snapshot: SNAPSHOT })),
) as object;

const BODIES: readonly (readonly [string, BodyTask])[] = [
  ['a toolpath', task('createToolpath', 'SaveToolpathBody', { name: 'a', toolpath: sorter })],
  [
    'a toolpath with problems',
    task('createToolpath', 'SaveToolpathBody', {
      name: 'a',
      toolpath: { ...sorter, timeline: [{ type: 'home', waypoint_id: 99 }] },
    }),
  ],
  ['a body of another schema', task('createToolpath', 'SaveToolpathBody', { name: 5 })],
  ['a migration', task('migrateToolpath', 'MigrateToolpathBody', { toolpath: sorter })],
  ['a workflow', task('createWorkflow', 'WorkflowDocument', sampleWorkflow())],
  [
    'a seed with a wrong toolpath',
    task('seedTwin', 'SeedBody', {
      toolpaths: [
        { name: 'right', toolpath: sorter },
        { name: 'wrong', toolpath: { ...sorter, timeline: [{ type: 'home', waypoint_id: 99 }] } },
      ],
    }),
  ],
  ['a state file', task('importState', 'StateFile', STATE_FILE)],
  ['a damaged state file', task('importState', 'StateFile', { ...STATE_FILE, data: '{"a":1}' })],
  ['a workflow with errors', task('validateWorkflow', 'WorkflowDocument', { name: 'w' })],
  [
    'an ordinary body',
    task('createUser', 'CreateUserBody', { email: 'a@b.example', password: 'x'.repeat(9) }),
  ],
];

describe('a warm-up', () => {
  /** A reader whose wall clock counts the steps of a warm-up. */
  function countingReader(keepsTime: boolean) {
    const counted = { steps: 0 };
    const wall = {
      ...systemClock,
      afterUnreferenced(_delay_ms: number, callback: () => void) {
        counted.steps += 1;
        return systemClock.soon(callback);
      },
    };
    return { counted, made: new DocumentReader({ wall, keepsTime: () => keepsTime }) };
  }

  it('takes place once', () => {
    const { counted, made } = countingReader(true);
    made.warmUp();
    made.warmUp();
    expect(counted.steps).toBe(1);
    return made.close();
  });

  it('does not take place where the clock stands, or after the end', async () => {
    const standing = countingReader(false);
    standing.made.warmUp();
    const ended = countingReader(true);
    await ended.made.close();
    ended.made.warmUp();
    expect([standing.counted.steps, ended.counted.steps]).toEqual([0, 0]);
  });
});

describe('a state file', () => {
  it('is made alike at once and on the thread, and has the snapshot', async () => {
    const here = documentTasks.stateFile({ name: 'kept', snapshot: SNAPSHOT });
    expect(await reader.stateFile('kept', SNAPSHOT, () => null)).toEqual(here);
    const read = documentTasks.body(task('importState', 'StateFile', STATE_FILE));
    const content = { driver: 'fast', physics: 'those', tick: 5, state: 'ready' };
    expect(read).toMatchObject({ body: { name: 'kept', content } });
    const { data } = (read as { body: { content: { data: Uint8Array } } }).body.content;
    expect(await reader.plainData(data)).toEqual(SNAPSHOT);
  });

  /** A reader whose wall clock moves on by as much as the reader waits. */
  function pacedReader(keepsTime: boolean) {
    const paced = { now_ms: 1_000, waits: [] as number[] };
    const wall = {
      ...systemClock,
      now_ms: () => paced.now_ms,
      afterUnreferenced(delay_ms: number, callback: () => void) {
        paced.waits.push(delay_ms);
        paced.now_ms += delay_ms;
        return systemClock.soon(callback);
      },
    };
    return { paced, made: new DocumentReader({ wall, keepsTime: () => keepsTime }) };
  }

  it('follows the one before it at a rate, however many ask at a time', async () => {
    const { paced, made } = pacedReader(true);
    const large = { ...SNAPSHOT, name: 'x'.repeat(500_000) };
    const ask = (snapshot: object) => made.stateFile('kept', snapshot, () => null);
    const files = await Promise.all([SNAPSHOT, large, large, SNAPSHOT].map(ask));
    const times = files.map((file) => {
      const { length } = file as Uint8Array;
      return (1000 * length) / limits.state_file_bytes_per_s;
    });
    expect(times[1]).toBeGreaterThan(15);
    expect(paced.waits).toEqual(times.slice(0, -1).map((time) => expect.closeTo(time, 6)));
    await made.close();
  });

  it('waits for no other one when no tick is due', async () => {
    const { paced, made } = pacedReader(false);
    const ask = () => made.stateFile('kept', SNAPSHOT, () => null);
    await Promise.all([ask(), ask(), ask()]);
    expect(paced.waits).toEqual([]);
    await made.close();
  });

  it('is not made for a call whose time is over, and delays no other', async () => {
    const { paced, made } = pacedReader(true);
    const late = refuse('timed_out', 'Not done within 15 s');
    const ask = (isLate: boolean) => made.stateFile('kept', SNAPSHOT, () => (isLate ? late : null));
    const [first, second, third] = await Promise.all([ask(false), ask(true), ask(false)]);
    expect(second).toBe(late);
    expect(third).toEqual(first);
    expect(paced.waits).toHaveLength(1);
    await made.close();
  });

  it('is refused, and starts no thread, when its reader closes while it waits', async () => {
    const { made } = pacedReader(true);
    const files = [1, 2].map(() => made.stateFile('kept', SNAPSHOT, () => null));
    await files[0];
    await made.close();
    expect(await files[1]).toMatchObject({ refused: 'not_ready' });
  });

  it('is refused if it is no snapshot, whatever its checksum', () => {
    for (const data of ['not a snapshot', 'null']) {
      const sha256 = createHash('sha256').update(data).digest('hex');
      const file = { ...STATE_FILE, data, sha256 };
      const read = documentTasks.body(task('importState', 'StateFile', file));
      expect(read).toMatchObject({ body: { content: { refused: 'invalid_arguments' } } });
    }
  });
});

describe('a body', () => {
  it.each(BODIES)('is read alike at once and on the thread: %s', async (_name, one) => {
    const here = documentTasks.body(one);
    const copy = { ...one, pieces: one.pieces.map((piece) => piece.slice()) };
    expect(await reader.body(copy, ADA)).toEqual(here);
  });

  it('of a user has a limited number of values, unless it is a document', () => {
    const cell = (count: number) => {
      const config = { list: Array.from({ length: count }, () => 0) };
      return { name: 'c', instruments: [{ id: 'a', type: 'a', config }] };
    };
    // The body, its name, the list of instruments, one with id, type and config, and the list.
    const most = limits.body_values - 8;
    const read = (count: number) =>
      documentTasks.body(task('createWorkcell', 'WorkcellBody', cell(count)));
    expect(read(most)).not.toHaveProperty('refused');
    expect(read(most + 1)).toMatchObject({ refused: 'invalid_arguments' });
    const workcell = { ...sampleWorkflow().workcell, ...cell(limits.body_values) };
    const workflow = { ...sampleWorkflow(), workcell };
    const { body } = documentTasks.body(task('createWorkflow', 'WorkflowDocument', workflow)) as {
      body: { errors: readonly { path: string }[] };
    };
    expect(body.errors.map(({ path }) => path)).toContain('/workcell');
  });

  it('is refused for its values where a list has more of them than a call has arguments', () => {
    const workcell = Array.from({ length: 500_000 }, () => 0);
    const { body } = documentTasks.body(
      task('createWorkflow', 'WorkflowDocument', { name: 'w', workcell }),
    ) as { body: { errors: readonly { path: string; message: string }[] } };
    const message = `has more than ${limits.body_values} values`;
    expect(body.errors).toContainEqual({ path: '/workcell', message });
  });

  it('of a user has a limited number of different names of fields', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => [`n${i}`, 0]);
    const cell = (count: number) => {
      const config = Object.fromEntries(names(count));
      return { name: 'c', instruments: [{ id: 'a', type: 'a', config }] };
    };
    const read = (count: number) =>
      documentTasks.body(task('createWorkcell', 'WorkcellBody', cell(count)));
    // Beside name, instruments, id, type and config.
    const most = limits.body_names - 5;
    expect(read(most)).not.toHaveProperty('refused');
    expect(read(most + 1)).toMatchObject({ refused: 'invalid_arguments' });
  });

  it('has the hashes of its canonical JSON', () => {
    const value = { name: 'a', toolpath: sorter };
    const read = documentTasks.body(task('createToolpath', 'SaveToolpathBody', value));
    expect(read).toMatchObject({
      sha256: hashToolpath(value),
      body: { name: 'a', toolpath: { hash: hashToolpath(sorter), json: encode(sorter) } },
    });
  });

  it('is read at once when it is small, or when no tick is due', async () => {
    const still = new DocumentReader({ wall: systemClock, keepsTime: () => false });
    expect(await still.body(BODIES[0]![1], ADA)).toEqual(documentTasks.body(BODIES[0]![1]));
    expect(still.queueSize).toBe(0);
    await still.close();
  });

  it('does not hold up its caller', async () => {
    const value = { name: 'a', toolpath: nested(10_000) };
    let count = 0;
    const watch = setInterval(() => count++, 1);
    await reader.body(task('createToolpath', 'SaveToolpathBody', value), ADA);
    clearInterval(watch);
    expect(count).toBeGreaterThan(3);
  });

  it('is read apart from the next one when it is large', async () => {
    const delays: number[] = [];
    const wall = {
      ...systemClock,
      now_ms: () => 1_000,
      afterUnreferenced(delay_ms: number, callback: () => void) {
        delays.push(delay_ms);
        return systemClock.soon(callback);
      },
    };
    const apart = new DocumentReader({ wall, keepsTime: () => true });
    const bodyOf = (size: number): BodyTask => {
      const text = JSON.stringify({ name: 'a' }).padEnd(size);
      const bytes = new TextEncoder().encode(text);
      return { ...task('createWorkcell', 'WorkcellBody', {}), pieces: [bytes] };
    };
    const large = limits.large_document_bytes;
    const gap_ms = limits.large_document_gap_ms;
    await Promise.all(
      [large, large - 1, large, large].map((size) => apart.body(bodyOf(size), ADA)),
    );
    expect(delays).toEqual([gap_ms, 2 * gap_ms]);
    await apart.close();
  });

  it('is refused, and starts no thread, when its reader closes while it waits', async () => {
    const ends: (() => void)[] = [];
    const wall = {
      ...systemClock,
      now_ms: () => 1_000,
      afterUnreferenced(_delay_ms: number, callback: () => void) {
        ends.push(callback);
        return () => {};
      },
    };
    const closing = new DocumentReader({ wall, keepsTime: () => true });
    const text = JSON.stringify({ name: 'a' }).padEnd(limits.large_document_bytes);
    const bodyOf = (): BodyTask => ({
      ...task('createWorkcell', 'WorkcellBody', {}),
      pieces: [new TextEncoder().encode(text)],
    });
    await closing.body(bodyOf(), ADA);
    const waiting = closing.body(bodyOf(), ADA);
    await closing.close();
    ends[0]!();
    expect(await waiting).toMatchObject({ refused: 'not_ready' });
  });

  it('is refused when too many of its owner wait, and read soon for another', async () => {
    const value = { name: 'a', toolpath: nested(100) };
    const read = (claimant = ADA) =>
      reader.body(task('createToolpath', 'SaveToolpathBody', value), claimant);
    const most = shareAlone(shares.document_queue);
    const calls = Array.from({ length: most + 20 }, () => read());
    let waiting = -1;
    const bobs = read({ owner: 2 }).then((found) => {
      waiting = reader.queueSize;
      return found;
    });
    const replies = (await Promise.all(calls)).map((one) =>
      'refused' in one ? one.refused : 'read',
    );
    expect(replies.filter((one) => one === 'share_used_up')).toHaveLength(19);
    expect(await bobs).not.toMatchObject({ refused: 'share_used_up' });
    // Bob's was the second to be read.
    expect(waiting).toBeGreaterThan(most - 5);
  });
});

describe('a stored document', () => {
  it('is opened with its metadata, or not at all when it is another one', async () => {
    for (const toolpath of [sorter, { ...sorter, padding: 'x'.repeat(9000) }]) {
      const { json, hash, metadata } = toolpathText(toolpath);
      expect(await reader.toolpath(json, hash)).toEqual({ json, hash, metadata });
      expect(await reader.toolpath(json, hash.replace(/^./, 'z'))).toBeNull();
    }
  });

  it('gives the model of a workflow', async () => {
    const large = { ...sampleWorkflow(), description: 'x'.repeat(9000) };
    const task = { json: encode(large), workcell: null };
    const checked = await reader.workflow(task);
    expect(checked).toEqual(documentTasks.workflow(task));
    expect(checked.model?.tasks.length).toBe(2);
  });
});

describe('a small body', () => {
  const small = (value: object): BodyTask => ({
    ...task('createWorkflow', 'WorkflowDocument', {}),
    pieces: [encode(value)],
  });
  const escaped = (value: object): BodyTask => {
    const text = JSON.stringify(value).replace('for_each', 'for\\u005feach');
    return { ...small({}), pieces: [new TextEncoder().encode(text)] };
  };
  const { workflow, ...rest } = sampleWorkflow();
  const step = { ...workflow.tasks.wash, id: 'rinse', labware_sources: {} };
  const templates = [{ for_each: ['plate'], steps: [step] }];
  const expanding = { ...rest, workflow: { ...workflow, tasks: {}, templates } };

  it.each([
    ['without a template is read at once', small(sampleWorkflow()), 1],
    ['with a template is read on the thread: what it becomes is not small', small(expanding), 0],
    ['with a template whose name is escaped, too', escaped(expanding), 0],
  ])('%s', async (_what, body, times) => {
    const wanted = documentTasks.body(body);
    const atOnce = vi.spyOn(documentTasks, 'body');
    const read = await reader.body(body, ADA);
    expect(atOnce).toHaveBeenCalledTimes(times);
    atOnce.mockRestore();
    expect(read).toEqual(wanted);
    expect(read).toMatchObject({ body: { errors: [] } });
  });
});
