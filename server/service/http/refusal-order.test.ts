/**
 * The order of refusals (D6), as one table: a request starts with every error a call can have and
 * fixes one after another, so that each refusal in turn comes first.
 */

import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ERROR_ROWS,
  type ErrorName,
  type ErrorRow,
  REFUSAL_PRECEDENCE,
} from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import { refuse } from '../../../contract/refusal.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import {
  expectError,
  type HttpReply,
  PASSWORD,
  send,
  sharedApiFixture,
  smallToolpath,
} from './api-fixture.cases.ts';
import { createApplication } from './application.ts';
import type { Handler } from './handler.ts';
import { HttpServer } from './http-server.ts';
import { RequestGate } from './request-gate.ts';
import type { Services } from './services.ts';

const fixture = sharedApiFixture();
let toolpath_id = 0;

/** Application options that these tests do not use. */
const UNWATCHED = {
  storageFault: () => null,
  notReadyReasons: () => ['The twin is shutting down'],
  metrics: { contentType: 'text/plain', text: async () => '' },
  isLate: true,
  onAnswered: () => {},
};

beforeAll(async () => {
  const body = { name: 'mine', toolpath: smallToolpath() };
  const saved = await fixture.send('POST', '/api/v1/toolpaths', { as: fixture.ada, body });
  toolpath_id = (saved.body as { toolpath: { id: number } }).toolpath.id;
});

/** The parts of a request; each is valid or invalid. */
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
  readonly fix: (parts: Parts) => void;
}

const big = ' '.repeat(limits.body_toolpath_bytes + 1);
const bearer = (session: string) => `Bearer ${session}`;

function headersOf({ type, authorization }: Parts): Record<string, string> {
  const identity = authorization === null ? {} : { Authorization: authorization };
  return { 'Content-Type': type, ...identity };
}

function expectRefusal(got: HttpReply, name: ErrorName): void {
  const { status, error_code, title }: ErrorRow = ERROR_ROWS[name];
  const error = expectError(got);
  expect({ status: got.status, error_code: error.error_code, title: error.title }).toEqual({
    status,
    error_code,
    title,
  });
}

async function walk(parts: Parts, steps: readonly Step[]): Promise<ErrorName[]> {
  const seen: ErrorName[] = [];
  for (const { refusal, fix } of steps) {
    const { method, path, content } = parts;
    const got = await fixture.send(method, path, { headers: headersOf(parts), raw: content });
    expectRefusal(got, refusal);
    seen.push(refusal);
    fix(parts);
  }
  return seen;
}

function identitySteps(role: boolean): Step[] {
  const { ada, admin } = fixture;
  return [
    {
      refusal: 'malformed_authorization',
      fix: (parts) => {
        parts.authorization = 'Bearer unknown';
      },
    },
    {
      refusal: 'not_authenticated',
      fix: (parts) => {
        parts.authorization = bearer(ada.session);
      },
    },
    ...(role
      ? [
          {
            refusal: 'role_too_low',
            fix: (parts: Parts) => {
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
    fix: (parts) => {
      parts.path = parts.path.replace('/nowhere', '');
    },
  },
  {
    refusal: 'method_not_allowed',
    fix: (parts) => {
      parts.method = 'POST';
    },
  },
  {
    refusal: 'wrong_content_type',
    fix: (parts) => {
      parts.type = 'application/json';
    },
  },
];

function bodySteps(good: string): Step[] {
  const put = (content: string) => (parts: Parts) => {
    parts.content = content;
  };
  return [
    { refusal: 'body_too_large', fix: put('{') },
    { refusal: 'malformed_body', fix: put('{"zz":1}') },
    { refusal: 'invalid_arguments', fix: put(good) },
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
  it('goes from the path to the robot state on a call that needs admin and lock', async () => {
    fixture.twin.apply({ kind: 'estop', engaged: true });
    const seen = await walk(spoilt('/api/v1/config/update/apply'), [
      ...surface,
      ...identitySteps(true),
      ...bodySteps('{"version":"5.0.0"}'),
      { refusal: 'lock_not_held', fix: () => {} },
    ]);
    await fixture.send('POST', '/api/v1/controls/lock', { as: fixture.admin });
    const last = await fixture.send('POST', '/api/v1/config/update/apply', {
      as: fixture.admin,
      body: { version: '5.0.0' },
    });
    expectRefusal(last, 'wrong_state');
    await fixture.send('DELETE', '/api/v1/controls/lock', { as: fixture.admin });
    fixture.twin.apply({ kind: 'estop', engaged: false });
    const order: readonly ErrorName[] = REFUSAL_PRECEDENCE;
    const places = seen.map((name) => order.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('checks the object after the body, and before the lock and the state', async () => {
    fixture.twin.apply({ kind: 'estop', engaged: true });
    const path = `/api/v1/toolpaths/${toolpath_id}/use`;
    const use = (session: string) =>
      fixture.send('POST', path, { headers: { Authorization: bearer(session) } });
    const wordy = await fixture.send('POST', path, { as: fixture.bob, body: { zz: 1 } });
    expectRefusal(wordy, 'invalid_arguments');
    expectRefusal(await use(fixture.bob.session), 'not_found');
    expectRefusal(await use(fixture.ada.session), 'lock_not_held');
    await fixture.send('POST', '/api/v1/controls/lock', { as: fixture.ada });
    expectRefusal(await use(fixture.ada.session), 'wrong_state');
    await fixture.send('DELETE', '/api/v1/controls/lock', { as: fixture.ada });
    fixture.twin.apply({ kind: 'estop', engaged: false });
  });

  it('counts failed log-ins after the schema', async () => {
    const fail = (body: object) => fixture.send('POST', '/api/v1/auth/login', { body });
    const { email } = fixture.ada;
    for (let tries = 0; tries < limits.failed_log_ins_per_min; tries++) {
      expectRefusal(await fail({ email, password: 'guess' }), 'wrong_credentials');
    }
    expectRefusal(await fail({ email, password: 'guess' }), 'too_many_log_ins');
    expectRefusal(await fail({ email, password: 5 }), 'invalid_arguments');
    expectRefusal(await fail({ email, password: PASSWORD }), 'too_many_log_ins');
  });
});

describe('before the arm is ready', () => {
  it('is 503 for every path except health, the viewer and the documents', async () => {
    const gate = new RequestGate();
    const server = new HttpServer(gate);
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    const early = await send(url, 'GET /api/v1/nowhere');
    expectRefusal(early, 'not_ready');
    expect(early.headers['retry-after']).toBe('1');
    expect((await send(url, 'GET /livez')).status).toBe(200);
    gate.setHandler(
      createApplication({
        services: { wall: systemClock } as Services,
        handlers: {},
        dialect: 'auto',
        streams: [],
        notReady: () => 'The twin is shutting down',
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
    await server.close(systemClock);
  });

  it('is 500 without details when a handler throws', async () => {
    const bugs: unknown[] = [];
    const app = createApplication({
      services: { wall: systemClock } as Services,
      handlers: {
        getVersions() {
          throw new Error('secret of the fixture');
        },
      },
      dialect: 'auto',
      streams: [],
      notReady: () => null,
      onBug: (error) => bugs.push(error),
      viewer: null,
      docsPage: null,
      documents: {},
      allowedOrigins: [],
      ...UNWATCHED,
    });
    const gate = new RequestGate();
    gate.setHandler(app);
    const server = new HttpServer(gate);
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    const got = await send(url, 'GET /api/versions');
    expectRefusal(got, 'internal');
    expect(got.text).not.toContain('secret');
    expect(bugs).toHaveLength(1);
    await server.close(systemClock);
  });
});

it('a handler that refuses with an error outside its row does not compile', () => {
  const listed: Handler<'deleteUser'> = () => refuse('last_admin');
  // @ts-expect-error: the name of the robot needs no lock.
  const unlisted: Handler<'getName'> = () => refuse('lock_not_held');
  // @ts-expect-error: the details of this error are a list of problems.
  const untyped: Handler<'createUser'> = () => refuse('invalid_arguments', 'wrong');
  expect([listed, unlisted, untyped]).toHaveLength(3);
});

it('answers before the body of an upload that the lock or the size forbids', async () => {
  const first = (length: number) =>
    new Promise<string>((resolve) => {
      const socket = connect(fixture.twin.port, '127.0.0.1');
      const head = [
        'POST /api/v1/config/update HTTP/1.1',
        'Host: a',
        `Authorization: Bearer ${fixture.admin.session}`,
        'Content-Type: application/octet-stream',
        `Content-Length: ${length}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.once('data', (chunk) => {
        socket.destroy();
        resolve(String(chunk));
      });
    });
  expect(await first(1000)).toMatch(/^HTTP\/1\.1 403 .*you don't own the robot lock/s);
  expect(await first(2 ** 40)).toMatch(/^HTTP\/1\.1 413 /);
});
