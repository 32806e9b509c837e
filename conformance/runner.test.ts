import { describe, expect, it } from 'vitest';
import { FakeSocket } from '../contract/client/fake-service.cases.ts';
import { ROUTES, type RouteRow } from '../contract/routes.ts';
import type { Rule } from './rule.ts';
import type { RuleContext } from './rule-context.ts';
import type { RuleRunOptions } from './run-options.ts';
import { runRules } from './runner.ts';

type Handler = (who: string, body: unknown) => { status: number; body?: unknown };

const outputs = { d0: false, d1: false, d2: false, d3: false, a0: 0, a1: 0, ee_d0: false };
const readings = [0, 0, 0, 0, 0, 0];
const snapshot = {
  collision_detection: { enabled: false, sensitivity: 'medium' },
  control: {
    state: 'ready',
    loop_count: 0,
    loop_target: 0,
    toolpath_name: '',
    toolpath_hash: '',
    run_mode: 'not_running',
  },
  global: { estop: false },
  'global.inputs': {
    ...outputs,
    a0_mode: 'voltage',
    a1_mode: 'voltage',
    ee_a0: 0,
    ee_a1: 0,
    ee_d1: false,
  },
  'global.outputs': { ...outputs, a0_mode: 'voltage', a1_mode: 'voltage', ee_d1: false },
  scheduler: { enabled: false, start_time: '00:00:00', stop_time: '00:00:00' },
  'servos.telemetry.position': readings,
  'servos.telemetry.temperature': readings,
  'servos.telemetry.velocity': readings,
};

/** A minimal fake service: users, sessions and a lock; sessions are named after their tokens. */
function createTinyService() {
  const users = [{ id: 1, email: 'admin@armtwin.test', role: 'admin' }];
  const log: string[] = [];
  let owner: string | null = null;
  const lock = (who: string) => ({
    owner: owner === null ? 'none' : owner === who ? 'you' : 'user',
    status: owner === null ? 'unlocked' : 'locked',
  });
  const handlers: { [id: string]: Handler } = {
    createSession: (_, body) => ({ status: 200, body }),
    logIn: (_, body) => ({ status: 200, body: { token: (body as { email: string }).email } }),
    listUsers: () => ({ status: 200, body: { users } }),
    createUser: (_, body) => {
      const user = { id: users.length + 1, email: (body as { email: string }).email, role: 'user' };
      users.push(user);
      return { status: 200, body: { user } };
    },
    createToken: (who) => ({ status: 200, body: { id: 1, name: 'rules', token: `token ${who}` } }),
    deleteUser: () => ({ status: 200, body: { user: users.pop() } }),
    getLock: (who) => ({ status: 200, body: lock(who) }),
    takeLock: (who) => {
      const error = { error_code: 3, title: 'lock already owned by someone else', details: null };
      if (owner !== null) return { status: 403, body: { error } };
      owner = who;
      return { status: 200, body: lock(who) };
    },
    releaseLock: (who) => {
      owner = null;
      return { status: 200, body: lock(who) };
    },
    getSnapshot: () => ({ status: 200, body: { snapshot } }),
    listToolpaths: () => ({ status: 200, body: { toolpaths: [] } }),
    getName: () => ({ status: 200, body: { nam: 'wrong reply' } }),
    endSession: () => ({ status: 204 }),
    pause: () => ({ status: 204 }),
  };
  return { users, log, owner: () => owner, fetch: serve(handlers, log) };
}

function serve(handlers: { [id: string]: Handler }, log: string[]): typeof fetch {
  const rows: readonly RouteRow[] = ROUTES;
  return async (input, init) => {
    const path = new URL(String(input)).pathname.replaceAll(/\/\d+/g, '/{}');
    const fits = (row: RouteRow) =>
      row.method === init?.method && row.path.replaceAll(/\{\w+\}/g, '{}') === path;
    const id = rows.find(fits)?.id ?? 'none';
    log.push(id);
    const who = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? '';
    const raw = init?.body;
    const text = raw instanceof Uint8Array ? new TextDecoder().decode(raw) : (raw ?? 'null');
    const { status, body } = handlers[id]?.(who, JSON.parse(String(text))) ?? { status: 404 };
    const headers = { 'Content-Type': 'application/json' };
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };
}

function rule(check: Rule['check'], needs: Rule['needs'] = {}): Rule {
  return { id: 'test', requirements: [], routes: [], statement: 'a test', needs, check };
}

async function run(rules: readonly Rule[], more: Partial<RuleRunOptions> = {}) {
  const service = createTinyService();
  const results = await runRules(rules, {
    baseUrl: 'http://arm.test',
    token: 'admin',
    WebSocket: FakeSocket,
    settle: async () => {},
    fetch: service.fetch,
    ...more,
  });
  return { service, results, reasons: results.map((result) => result.reason) };
}

describe('results', () => {
  it('list held and broken rules with reasons', async () => {
    const { results } = await run([
      rule(async () => {}),
      rule(async ({ expect: wish }) => wish.equal(1, 2, 'one')),
    ]);
    expect(results.map((result) => result.outcome)).toEqual(['held', 'broken']);
    expect(results[1]?.reason).toBe('one: got 1, expected 2');
  });

  it('are broken by replies that do not match their schema', async () => {
    const { reasons } = await run([
      rule(async ({ as }) => void (await (await as('anonymous')).does('getName'))),
    ]);
    expect(reasons[0]).toContain('not a NameReply');
    expect(reasons[0]).toContain('/name is missing');
  });

  it('are broken by a wrong status and by an unexpected success', async () => {
    const { reasons } = await run([
      rule(async ({ as }) => void (await (await as('user')).does('home'))),
      rule(
        async ({ as }) => void (await (await as('user')).refused('getLock', {}, { status: 403 })),
      ),
    ]);
    expect(reasons[0]).toContain('home answered 404');
    expect(reasons[1]).toContain('got 200, expected 403');
  });

  it('are broken when a wait times out', async () => {
    const { reasons } = await run([rule(({ until }) => until('pigs fly', async () => false))]);
    expect(reasons[0]).toBe('not within 20 s: pigs fly');
  });

  it('check the status of the fielded dialect', async () => {
    const pause = rule(async ({ as }) => void (await (await as('user')).does('pause')));
    expect((await run([pause])).reasons).toEqual(['']);
    expect((await run([pause], { dialect: 'fielded' })).reasons[0]).toContain('pause answered 204');
  });
});

describe('skips', () => {
  const cases: readonly [Rule['needs'], Partial<RuleRunOptions>, string][] = [
    [{ motion: true }, { motion: false }, 'the arm may not move'],
    [{ admin: true }, { admin: false }, 'there is no admin token'],
    [{ secondUser: true }, { admin: false }, 'there is no second user'],
    [{ sim: true }, {}, 'the service has no /sim/v1 for this token'],
    [{ world: true }, {}, 'there is no simulated world around this arm'],
    [{ pace: true }, {}, 'the clock of this arm cannot be set'],
    [{ update: true }, {}, 'no update may be installed'],
    [{ armTime_s: 3600 }, {}, 'it takes 3600 s of arm time, more than the limit of 60 s'],
  ];
  it.each(cases)('%j', async (needs, options, reason) => {
    const { results } = await run([rule(() => Promise.reject(new Error('ran')), needs)], options);
    expect(results).toMatchObject([{ outcome: 'skipped', reason }]);
  });

  it.each([
    ['max', 'skipped'],
    ['10', 'skipped'],
    ['1', 'held'],
    ['stepped', 'held'],
  ])('of rules of real time: with clock=%s they are %s', async (clock, outcome) => {
    const service = createTinyService();
    const { results } = await run([rule(async () => {}, { realTime: true })], {
      fetch: async (input, init) => {
        const reply = await service.fetch(input, init);
        reply.headers.set('X-Armtwin', `api=documented; clock=${clock}`);
        return reply;
      },
    });
    expect(results[0]?.outcome).toBe(outcome);
  });

  it('do not happen when the need is met', async () => {
    const { results } = await run([rule(async () => {}, { admin: true, armTime_s: 3600 })], {
      ruleLimit_s: 4000,
    });
    expect(results[0]?.outcome).toBe('held');
  });
});

describe('clean-up', () => {
  it('creates two users and deletes them', async () => {
    let during: number[] = [];
    const look = async ({ as }: RuleContext) => {
      during = (await (await as('user')).does('listUsers')).users.map((user) => user.id);
    };
    const { service, reasons } = await run([rule(look)]);
    expect(reasons).toEqual(['']);
    expect(during).toEqual([1, 2, 3]);
    expect(service.users).toHaveLength(1);
  });

  it('gives the results also where its users cannot be deleted, and the reason', async () => {
    const service = createTinyService();
    const left: string[] = [];
    const { results } = await run([rule(async () => {})], {
      onLeftover: (reason) => left.push(reason),
      fetch: async (input, init) => {
        const deletes = init?.method === 'DELETE' && String(input).includes('/users/');
        if (deletes) throw new TypeError('connection refused');
        return service.fetch(input, init);
      },
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['held']);
    expect(left).toEqual(['Error: deleteUser: http://arm.test does not answer']);
  });

  it('uses the given tokens when the service cannot create users', async () => {
    const service = createTinyService();
    const fetching: typeof fetch = async (input, init) => {
      const makes = String(input).endsWith('/api/v1/users') && init?.method === 'POST';
      return makes ? new Response('{}', { status: 404 }) : service.fetch(input, init);
    };
    const tokens: string[] = [];
    const look = async (context: RuleContext) => {
      for (const name of ['user', 'other', 'admin'] as const) tokens.push(context.tokenOf(name));
    };
    const results = await runRules([rule(look)], {
      baseUrl: 'http://arm.test',
      token: 'admin',
      secondToken: 'second',
      WebSocket: FakeSocket,
      settle: async () => {},
      fetch: fetching,
    });
    expect(results[0]?.reason).toBe('');
    expect(tokens).toEqual(['admin', 'second', 'admin']);
  });

  it('gives its users a password of their own in each run', async () => {
    const passwords: string[] = [];
    for (const _ of [1, 2]) {
      const service = createTinyService();
      await run([], {
        fetch: async (input, init) => {
          const isMade = String(input).endsWith('/api/v1/users') && init?.method === 'POST';
          if (isMade) passwords.push(JSON.parse(String(init.body)).password);
          return service.fetch(input, init);
        },
      });
    }
    expect(new Set(passwords).size).toBe(4);
    for (const password of passwords) expect(password.length).toBeGreaterThan(20);
  });

  it('deletes the first user where the second one cannot be created', async () => {
    const service = createTinyService();
    const fetching: typeof fetch = async (input, init) => {
      const isSecond = String(init?.body).includes('-b@');
      return isSecond ? new Response('{}', { status: 500 }) : service.fetch(input, init);
    };
    await expect(run([], { fetch: fetching })).rejects.toThrow('createUser answered 500');
    expect(service.users).toHaveLength(1);
  });

  it('ends a wait of a run that is stopped, frees the robot and deletes the users', async () => {
    const over = new AbortController();
    const service = createTinyService();
    const wait = rule(async ({ as, settle }) => {
      await (await as('user')).does('takeLock');
      const waiting = settle(600);
      over.abort();
      await waiting;
    });
    const { results } = await run([wait, wait], {
      fetch: service.fetch,
      signal: over.signal,
      settle: () => new Promise(() => {}),
    });
    expect(results.map(({ reason }) => reason)).toEqual(['the run was stopped']);
    expect([service.owner(), service.users.length]).toEqual([null, 1]);
  });

  it('gives each rule new sessions and releases the lock after it', async () => {
    const take = rule(async ({ as }) => void (await (await as('user')).does('takeLock')));
    const { service, reasons } = await run([take, take]);
    expect(reasons).toEqual(['', '']);
    expect(service.owner()).toBeNull();
  });
});
