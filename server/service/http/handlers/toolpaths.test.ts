/** Calls about toolpaths, updates and the snapshot with fakes of what they use. */

import { describe, expect, it } from 'vitest';
import { refuse } from '../../../../contract/refusal.ts';
import type { Robot } from '../../../robot/robot.ts';
import type { Answer } from '../reply.ts';
import type { Services } from '../services.ts';
import { createDataHandlers } from './data.ts';
import { informationHandlers } from './information.ts';
import { toolpathHandlers } from './toolpaths.ts';

const LATE = refuse('not_authenticated');
const INVALID = refuse('invalid_arguments', [{ path: '/toolpath', problem: 'is none' }]);
const DOCUMENT = { json: '{}', hash: 'h' };
const HEAD = { id: 3, name: 'a', hash: 'h' };
const caller = { user_id: 1, token_id: 1, role: 'user' };

type AnyHandler = (call: object, services: Services) => Answer | Promise<Answer>;
async function call(handler: unknown, parts: object, services: object) {
  const common = {
    caller,
    origin: { address: '10.0.0.7', proxy: '10.0.0.1' },
    recheck: () => null,
    record: () => {},
  };
  const given = { parameters: { toolpath_id: 3 }, ...common, ...parts };
  return (handler as AnyHandler)(given, services as Services);
}

/** Services that note what is published, kept and recorded. */
function noted(library: object) {
  const notes: unknown[][] = [];
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      void notes.push([name, ...values]);
  const users = { find: (id: number) => (id === 2 ? {} : null) };
  const hub = { publish: note('published') };
  return { notes, users, hub, library: { keepShared: note('kept'), ...library } };
}
const TO_CALLER = { kind: 'user', user_id: 1 };

describe('a toolpath', () => {
  it('that is created is recorded with its reply in the same transaction', async () => {
    const draft = {};
    const recorded: unknown[][] = [];
    const library = {
      async create(_content: object, { onCreated }: { onCreated(...made: object[]): void }) {
        onCreated(draft, HEAD);
        return HEAD;
      },
    };
    const services = noted(library);
    const record = (...given: unknown[]) => void recorded.push(given);
    const body = { name: 'a', toolpath: DOCUMENT };
    const got = await call(toolpathHandlers.createToolpath, { body, record }, services);
    expect(got).toEqual({ reply: { status: 'toolpath created', toolpath: HEAD } });
    expect(recorded).toEqual([[draft, got]]);
    const event = { type: 'toolpath_created', toolpath: HEAD };
    expect(services.notes).toEqual([['published', event, TO_CALLER]]);
  });

  const changes = { updateToolpath: 'update', deleteToolpath: 'remove' } as const;
  it.each(Object.entries(changes))('is kept by a late call: %s', async (id, method) => {
    const services = noted({ find: () => HEAD, [method]: async () => LATE });
    const handler = toolpathHandlers[id as keyof typeof changes];
    const body = { name: 'a', toolpath: DOCUMENT };
    expect(await call(handler, { body }, services)).toBe(LATE);
    expect(services.notes).toEqual([]);
  });

  it('that is gone meanwhile is not found', async () => {
    const services = noted({ update: async () => null });
    const body = { name: 'a', toolpath: DOCUMENT };
    const got = await call(toolpathHandlers.updateToolpath, { body }, services);
    expect([got, services.notes]).toMatchObject([{ refused: 'not_found' }, []]);
  });

  it('that is deleted is announced', async () => {
    const services = noted({ find: () => HEAD, remove: async () => null });
    const got = await call(toolpathHandlers.deleteToolpath, {}, services);
    expect(got).toEqual({ reply: { status: 'toolpath deleted', toolpath: HEAD } });
    const event = { type: 'toolpath_deleted', toolpath: HEAD };
    expect(services.notes).toEqual([['published', event, TO_CALLER]]);
  });
});

describe('a shared toolpath', () => {
  const share = (user_id: number, toolpath: object = DOCUMENT) => {
    const services = noted({});
    const body = { user_id, name: 'a', toolpath };
    const answer = call(toolpathHandlers.shareToolpath, { body }, services);
    return answer.then((got) => ({ got, notes: services.notes }));
  };

  it('reaches another user', async () => {
    const toolpath = { id: -1, name: 'a', hash: 'h', sharer: 1 };
    const { got, notes } = await share(2);
    expect(got).toEqual({ reply: { status: 'toolpath shared', toolpath } });
    expect(notes).toEqual([
      ['kept', 2, { head: toolpath, toolpath: DOCUMENT }],
      ['published', { type: 'toolpath_shared', toolpath }, { kind: 'user', user_id: 2 }],
    ]);
  });

  it('is valid, and for a known user other than the caller', async () => {
    expect(await share(2, INVALID)).toEqual({ got: INVALID, notes: [] });
    expect(await share(1)).toMatchObject({
      ...{ got: { refused: 'invalid_arguments', details: [{ path: '/user_id' }] }, notes: [] },
    });
    expect(await share(9)).toMatchObject({ got: { refused: 'not_found' }, notes: [] });
  });
});

describe('an update', () => {
  const calls = {
    applyUpdate: [informationHandlers.applyUpdate, { version: '2' }, {}],
    uploadUpdate: [informationHandlers.uploadUpdate, Buffer.from('x'), { updating: true }],
  } as const;

  it.each(Object.entries(calls))('is audited once it has begun: %s', async (_name, parts) => {
    const [handler, body, reply] = parts;
    const audited: unknown[][] = [];
    const audit = { record: (...given: unknown[]) => void audited.push(given) };
    const begin = (refusal: object | null, pending: object | null) => {
      const updates = { apply: () => refusal, upload: () => refusal, save: () => pending };
      return call(handler, { body }, { updates: { ...updates, version: '1' }, audit });
    };
    const refused = refuse('wrong_state');
    expect(await begin(refused, { version: '2' })).toBe(refused);
    expect(audited).toEqual([]);
    for (const pending of [{ version: '2' }, null]) {
      expect(await begin(null, pending)).toEqual({ reply });
      const version = pending?.version ?? '1';
      expect(audited.pop()).toEqual([
        'update_started',
        { by: 1, version, address: '10.0.0.7', proxy: '10.0.0.1' },
      ]);
    }
  });
});

it('the text of a snapshot is made once between two changes of the robot', () => {
  const state = { made: 0 };
  const robot = {
    version: 1,
    snapshot: () => {
      state.made += 1;
      return { made: state.made };
    },
  };
  const { getSnapshot } = createDataHandlers(robot as object as Robot);
  expect(getSnapshot()).toMatchObject({ text: '{"snapshot":{"made":1}}' });
  expect(getSnapshot()).toMatchObject({ text: '{"snapshot":{"made":1}}' });
  robot.version = 2;
  expect(getSnapshot()).toMatchObject({ text: '{"snapshot":{"made":2}}' });
  expect(getSnapshot()).toMatchObject({ text: '{"snapshot":{"made":2}}' });
});
