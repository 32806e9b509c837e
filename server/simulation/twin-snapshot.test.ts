/** The parts of a snapshot of a twin: the toolpaths that it takes, and the loaded one. */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Services } from '../http/reply.ts';
import {
  type KeptSnapshot,
  keptSnapshot,
  plannedSnapshot,
  readToolpaths,
  type TwinSnapshot,
  takeToolpaths,
  textOfBody,
} from './twin-snapshot.ts';

const textOf = (body: Uint8Array | object | undefined) =>
  body && new TextDecoder().decode(Uint8Array.from(textOfBody(body)));

/** Services with saved toolpaths of these names; each has its name as body. */
function library(...names: string[]) {
  const toolpaths = names.map((name, i) => ({ id: i + 1, hash: `hash of ${name}`, name }));
  const records = { toolpaths, last_ids: { toolpath: toolpaths.length } };
  const reads: string[] = [];
  /** Called before a body is read; false: there is none any more. */
  const state = { exists: (_name: string): boolean => true };
  const database = {
    records,
    readBody: async ({ name }: { readonly name: string }) => {
      reads.push(name);
      return state.exists(name) ? new TextEncoder().encode(`body of ${name}`) : null;
    },
  };
  const wall = { now_ms: () => 0, soon: (callback: () => void) => void setImmediate(callback) };
  return { services: { database, wall } as object as Services, records, reads, state };
}

describe('the saved toolpaths of a snapshot', () => {
  it('have a row and a body each', async () => {
    const { services, records } = library('a', 'b');
    const { rows, bodies, last_id } = await takeToolpaths(services);
    expect([rows, last_id]).toEqual([records.toolpaths, 2]);
    expect(bodies.map(([id, body]) => [id, textOf(body)])).toEqual([
      [1, 'body of a'],
      [2, 'body of b'],
    ]);
  });

  it('are not read again while they are the same; then only what is new', async () => {
    const { services, records, reads } = library('a', 'b');
    const first = await takeToolpaths(services);
    expect(await takeToolpaths(services)).toBe(first);
    records.toolpaths = [records.toolpaths[0]!, { id: 2, hash: 'other', name: 'b' }];
    const second = await takeToolpaths(services);
    expect(second.bodies.map(([id]) => id)).toEqual([1, 2]);
    expect(second.bodies[0]![1]).toBe(first.bodies[0]![1]);
    expect(reads).toEqual(['a', 'b', 'b']);
  });

  it('are those of the names where there are some, with all rows', async () => {
    const { services } = library('a', 'b', 'c');
    const { rows, bodies } = await readToolpaths(services, { names: new Set(['b']) });
    expect(rows).toHaveLength(3);
    expect(bodies.map(([id, body]) => [id, textOf(body)])).toEqual([[2, 'body of b']]);
  });

  it('are read again where one is removed meanwhile', async () => {
    const { services, records, state, reads } = library('a', 'b', 'c');
    state.exists = (name) => {
      if (name !== 'b' || records.toolpaths.length === 2) return true;
      records.toolpaths = records.toolpaths.filter((row) => row.name !== 'b');
      return false;
    };
    const { rows, bodies } = await readToolpaths(services, {});
    expect(rows.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(bodies.map(([, body]) => textOf(body))).toEqual(['body of a', 'body of c']);
    expect(reads.filter((name) => name === 'b')).toHaveLength(1);
  });

  it('are without a body that stays away, after some readings', async () => {
    const { services, state, reads } = library('a', 'b', 'c');
    state.exists = (name) => name !== 'b';
    const { rows, bodies } = await readToolpaths(services, {});
    expect(rows).toHaveLength(3);
    expect(bodies.map(([id]) => id)).toEqual([1, 3]);
    expect(reads.filter((name) => name === 'b')).toHaveLength(5);
  });
});

const PROGRAM = { steps: [] };
const SOURCE = {
  toolpath_deflated: new Uint8Array(deflateRawSync('{"a":1}')),
  program_sha256: 'aa',
  timing: null,
  range: null,
};
const LOADED = { name: 'Small', hash: 'h', metadata: {}, program: PROGRAM, source: SOURCE };

/** A snapshot of a robot that has this loaded. */
const snapshotWith = (loaded: object | null) =>
  ({ tick: 7, robot: { memory: { state: 'ready', loaded } } }) as object as TwinSnapshot;

/** What becomes of a kept snapshot where the robot has this loaded; the plans are counted. */
async function planned(kept: KeptSnapshot, present: object | null, plan: object = {}) {
  const asked: { readonly name: string; readonly toolpath: { readonly json: Uint8Array } }[] = [];
  const robot = { memory: { loaded: present } };
  const planner = {
    load: async (request: (typeof asked)[0]) => {
      asked.push(request);
      return plan;
    },
  };
  const result = await plannedSnapshot(kept, { robot, planner } as object as Services);
  return { result, asked };
}

describe('the loaded toolpath of a snapshot', () => {
  const kept = keptSnapshot(snapshotWith(LOADED));

  it('is kept without its program', () => {
    expect(kept.robot.memory).toEqual({ state: 'ready', loaded: null });
    expect(kept.loaded).toMatchObject({ name: 'Small', source: SOURCE });
    expect(kept.loaded).not.toHaveProperty('program');
    expect(keptSnapshot(snapshotWith(null)).loaded).toBe(null);
  });

  it('has the program of the robot where that has the same', async () => {
    const { result, asked } = await planned(kept, LOADED);
    expect(result).toEqual(snapshotWith(LOADED));
    expect(asked).toEqual([]);
  });

  it.each([
    ['nothing', null],
    ['another toolpath', { ...LOADED, hash: 'other' }],
    ['another plan of it', { ...LOADED, source: { ...SOURCE, program_sha256: 'bb' } }],
    ['one without a source', { ...LOADED, source: null }],
  ])('is planned again where the robot has %s', async (_what, present) => {
    const loaded = { ...LOADED, program: { steps: [1] } };
    const { result, asked } = await planned(kept, present, { kind: 'built', loaded });
    expect(result).toEqual(snapshotWith(loaded));
    expect(asked).toHaveLength(1);
    expect(asked[0]!.name).toBe('Small');
    expect(new TextDecoder().decode(asked[0]!.toolpath.json)).toBe('{"a":1}');
  });

  it('is a reason to refuse the snapshot where there is no plan, or nothing to plan', async () => {
    const failed = await planned(kept, null, { kind: 'hard', error: 'no motion' });
    const without = { ...kept, loaded: { ...kept.loaded!, source: null } };
    for (const [result, reason] of [
      [failed.result, '(no motion)'],
      [(await planned(without, null)).result, 'has no source'],
    ] as const) {
      const problem = expect.stringContaining(reason);
      expect(result).toMatchObject({
        refused: 'invalid_arguments',
        details: [{ path: '/name', problem }],
      });
    }
  });

  it('is none in files of earlier versions', async () => {
    const { loaded: _, ...early } = kept;
    const { result, asked } = await planned(early, LOADED);
    expect(result).toEqual(snapshotWith(null));
    expect(asked).toEqual([]);
  });
});
