/**
 * Which refusal wins when several apply (decision D6), as one table: a request starts with every
 * fault that a call can have and loses one after another, so that each refusal in turn is first.
 */
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_ROWS, type ErrorName, type ErrorRow, REFUSAL_ORDER } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { createApplication } from './application.ts';
import {
  errorOf,
  type Got,
  type Household,
  openHousehold,
  send,
  smallToolpath,
} from './household.cases.ts';
import type { Rooms } from './rooms.ts';
import { createHttpServer, Gate, listen, shut } from './server.ts';

let house: Household;
let toolpath_id = 0;

/** What an application needs besides, where nobody looks at figures. */
const UNWATCHED = {
  unready: () => ['The twin is shutting down'],
  metrics: { contentType: 'text/plain', text: async () => '' },
  onAnswered: () => {},
};

beforeAll(async () => {
  house = await openHousehold();
  const body = { name: 'mine', toolpath: smallToolpath() };
  const saved = await house.send('POST', '/api/v1/toolpaths', { as: house.ada, body });
  toolpath_id = (saved.body as { toolpath: { id: number } }).toolpath.id;
});
afterAll(() => house.close());

/** What a request is made of; each part is wrong or right. */
interface Parts {
  path: string;
  method: string;
  type: string;
  authorization: string | null;
  content: string;
}

interface Step {
  readonly refusal: ErrorName;
  /** Puts right what this refusal is about. */
  readonly mend: (parts: Parts) => void;
}

const big = ' '.repeat(limits.body_toolpath_bytes + 1);
const bearer = (session: string) => `Bearer ${session}`;

function headersOf({ type, authorization }: Parts): Record<string, string> {
  const identity = authorization === null ? {} : { Authorization: authorization };
  return { 'Content-Type': type, ...identity };
}

function expectRefusal(got: Got, name: ErrorName): void {
  const { status, error_code, title }: ErrorRow = ERROR_ROWS[name];
  const error = errorOf(got);
  expect({ status: got.status, error_code: error.error_code, title: error.title }).toEqual({
    status,
    error_code,
    title,
  });
}

async function walk(parts: Parts, steps: readonly Step[]): Promise<ErrorName[]> {
  const seen: ErrorName[] = [];
  for (const { refusal, mend } of steps) {
    const { method, path, content } = parts;
    const got = await house.send(method, path, { headers: headersOf(parts), raw: content });
    expectRefusal(got, refusal);
    seen.push(refusal);
    mend(parts);
  }
  return seen;
}

function identitySteps(role: boolean): Step[] {
  const { ada, admin } = house;
  return [
    {
      refusal: 'malformed_authorization',
      mend: (parts) => {
        parts.authorization = 'Bearer nobody';
      },
    },
    {
      refusal: 'not_authenticated',
      mend: (parts) => {
        parts.authorization = bearer(ada.session);
      },
    },
    ...(role
      ? [
          {
            refusal: 'role_too_low',
            mend: (parts: Parts) => {
              parts.authorization = bearer(admin.session);
            },
          } as const,
        ]
      : []),
  ];
}

const surface: readonly Step[] = [
  {
    refusal: 'unknown_path',
    mend: (parts) => {
      parts.path = parts.path.replace('/nowhere', '');
    },
  },
  {
    refusal: 'method_not_allowed',
    mend: (parts) => {
      parts.method = 'POST';
    },
  },
  {
    refusal: 'wrong_content_type',
    mend: (parts) => {
      parts.type = 'application/json';
    },
  },
];

function bodySteps(good: string): Step[] {
  const put = (content: string) => (parts: Parts) => {
    parts.content = content;
  };
  return [
    { refusal: 'body_too_large', mend: put('{') },
    { refusal: 'malformed_body', mend: put('{"zz":1}') },
    { refusal: 'invalid_arguments', mend: put(good) },
  ];
}

const spoilt = (path: string): Parts => ({
  path: `${path}/nowhere`,
  method: 'PATCH',
  type: 'text/plain',
  authorization: 'API secret',
  content: big,
});

describe('the order of refusals', () => {
  it('goes from the path to the state on a call for admins who hold the lock', async () => {
    house.twin.apply({ kind: 'estop', engaged: true });
    const seen = await walk(spoilt('/api/v1/config/update/apply'), [
      ...surface,
      ...identitySteps(true),
      ...bodySteps('{"version":"5.0.0"}'),
      { refusal: 'lock_not_held', mend: () => {} },
    ]);
    await house.send('POST', '/api/v1/controls/lock', { as: house.admin });
    const last = await house.send('POST', '/api/v1/config/update/apply', {
      as: house.admin,
      body: { version: '5.0.0' },
    });
    expectRefusal(last, 'wrong_state');
    await house.send('DELETE', '/api/v1/controls/lock', { as: house.admin });
    house.twin.apply({ kind: 'estop', engaged: false });
    const order: readonly ErrorName[] = REFUSAL_ORDER;
    const places = seen.map((name) => order.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('finds the object after the body, and before the lock and the state', async () => {
    house.twin.apply({ kind: 'estop', engaged: true });
    const path = `/api/v1/toolpaths/${toolpath_id}/use`;
    const use = (session: string) =>
      house.send('POST', path, { headers: { Authorization: bearer(session) } });
    const wordy = await house.send('POST', path, { as: house.bob, body: { zz: 1 } });
    expectRefusal(wordy, 'invalid_arguments');
    expectRefusal(await use(house.bob.session), 'not_found');
    expectRefusal(await use(house.ada.session), 'lock_not_held');
    await house.send('POST', '/api/v1/controls/lock', { as: house.ada });
    expectRefusal(await use(house.ada.session), 'wrong_state');
    await house.send('DELETE', '/api/v1/controls/lock', { as: house.ada });
    house.twin.apply({ kind: 'estop', engaged: false });
  });

  it('counts failed log-ins after the schema', async () => {
    const fail = (body: object) => house.send('POST', '/api/v1/auth', { body });
    for (let tries = 0; tries < limits.failed_log_ins_per_min; tries++) {
      expectRefusal(await fail({ token: 'guess' }), 'wrong_credentials');
    }
    expectRefusal(await fail({ token: 'guess' }), 'too_many_log_ins');
    expectRefusal(await fail({ token: 5 }), 'invalid_arguments');
    const good = await fail({ token: house.ada.token });
    expectRefusal(good, 'too_many_log_ins');
  });
});

describe('before the arm is ready', () => {
  it('is 503 for every path but those of health, the viewer and the documents', async () => {
    const gate = new Gate();
    const server = createHttpServer(gate);
    const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    const early = await send(url, 'GET /api/v1/nowhere');
    expectRefusal(early, 'not_ready');
    expect(early.headers['retry-after']).toBe('1');
    expect((await send(url, 'GET /livez')).status).toBe(200);
    gate.open(
      createApplication({
        rooms: { wall: systemClock } as Rooms,
        handlers: {},
        dialect: 'auto',
        notReady: () => 'The twin is shutting down',
        banner: () => 'test',
        onBug: () => {},
        viewer: null,
        docsPage: null,
        documents: { '/openapi.json': () => ({}) },
        allowedOrigins: [],
        ...UNWATCHED,
      }),
    );
    const shape = [
      ['GET', '/api/v1/nowhere', 503],
      ['PATCH', '/api/v1/auth', 503],
      ['GET', '/readyz', 503],
      ['GET', '/livez', 200],
      ['GET', '/openapi.json', 200],
    ] as const;
    for (const [method, path, status] of shape) {
      expect([path, (await send(url, `${method} ${path}`)).status]).toEqual([path, status]);
    }
    await shut(server, systemClock);
  });

  it('is 500 without a word about the cause when a handler has a bug', async () => {
    const bugs: unknown[] = [];
    const app = createApplication({
      rooms: { wall: systemClock } as Rooms,
      handlers: {
        getVersions() {
          throw new Error('secret of the house');
        },
      },
      dialect: 'auto',
      notReady: () => null,
      banner: () => 'test',
      onBug: (error) => bugs.push(error),
      viewer: null,
      docsPage: null,
      documents: {},
      allowedOrigins: [],
      ...UNWATCHED,
    });
    const gate = new Gate();
    gate.open(express().use(app));
    const server = createHttpServer(gate);
    const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    const got = await send(url, 'GET /api/versions');
    expectRefusal(got, 'internal');
    expect(got.text).not.toContain('secret');
    expect(bugs).toHaveLength(1);
    await shut(server, systemClock);
  });
});
