/** Rules for the snapshot, the outputs and the stream (spec §2.5, §2.10, §4.6, §6.1). */

import { limits } from '../../contract/limits.ts';
import { ALLOWED_PAGE } from '../allowed-page.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { userWithLock } from '../steps/users.ts';

/** More than any socket buffer holds: 6 kB each as JSON. */
const LONG_MESSAGE = '\u0001'.repeat(1000);
const [MESSAGES, AT_ONCE] = [2000, 20];

interface StreamFigures {
  readonly clients: number;
  /** What waits for the slowest of them. */
  readonly waiting_bytes: number;
}

async function figuresOf({ raw }: RuleContext): Promise<StreamFigures> {
  const { text } = await raw({ method: 'GET', path: '/metrics' });
  const figure = (name: string) => {
    const line = new RegExp(`^armtwin_stream_${name}\\{stream="arm"\\} (\\d+)$`, 'm');
    return Number(line.exec(text)?.[1]);
  };
  return { clients: figure('clients'), waiting_bytes: figure('buffered_bytes') };
}

/** Publishes events until a metric shows it; returns the number of messages. */
async function publishUntil(
  context: RuleContext,
  shows: (figures: StreamFigures) => boolean,
): Promise<number> {
  const admin = await context.as('admin');
  const body = { kind: 'time', message: LONG_MESSAGE } as const;
  for (let published = 0; published < MESSAGES; published += AT_ONCE) {
    if (shows(await figuresOf(context))) return published;
    await Promise.all(Array.from({ length: AT_ONCE }, () => admin.does('changeConfig', body)));
  }
  return context.expect.fail(`${MESSAGES} messages make no difference to who reads none`);
}

export const DATA_RULES: readonly Rule[] = [
  {
    id: 'snapshot/whole',
    requirements: ['A68', 'A69', 'A72', 'A73', 'A74', 'A130', 'A174'],
    routes: ['getSnapshot'],
    statement: 'The snapshot has every key under its flat name and no other keys.',
    async check({ as, expect }) {
      const { snapshot } = await (await as('user')).does('getSnapshot');
      expect.equal(snapshot.global.estop, false, 'emergency stop');
      expect.equal(snapshot['servos.telemetry.velocity'].length, 6, 'velocities');
    },
  },
  {
    id: 'snapshot/still-arm',
    requirements: ['A6', 'A71', 'A74'],
    routes: ['getSnapshot'],
    statement: 'An arm at rest has small velocities, plausible temperatures and no run mode.',
    async check({ snapshot, expect }) {
      const data = await snapshot();
      expect.close(data['servos.telemetry.velocity'], [0, 0, 0, 0, 0, 0], 1);
      const warm = data['servos.telemetry.temperature'].every((t) => t > -20 && t < 120);
      expect.ok(warm, 'temperatures are degrees Celsius');
      expect.equal(data.control.run_mode, 'not_running', 'run_mode');
    },
  },
  {
    id: 'globals/changed',
    requirements: ['A131', 'A132', 'A135', 'A58', 'A59'],
    routes: ['changeGlobals', 'getSnapshot'],
    statement: 'Outputs and modes change as requested; the reply lists the changes.',
    async check(context) {
      const user = await userWithLock(context);
      const before = (await context.snapshot())['global.outputs'];
      const d0 = !before.d0;
      const reply = await user.does('changeGlobals', {
        changes: [{ key: 'outputs.d0', value: d0 }],
      });
      context.expect.equal(reply.changes, { 'global.outputs': { d0 } }, 'changes');
      context.expect.equal((await context.snapshot())['global.outputs'].d0, d0, 'snapshot');
      const back = [{ key: 'outputs.d0', value: before.d0 }];
      await user.does('changeGlobals', { changes: back });
    },
  },
  {
    id: 'globals/modes',
    requirements: ['A58', 'A131'],
    routes: ['changeGlobals'],
    statement: 'An analog output accepts volts or milliamperes according to its mode.',
    async check(context) {
      const user = await userWithLock(context);
      const { changes } = await user.does('changeGlobals', {
        changes: [
          { key: 'outputs.a0_mode', value: 'current' },
          { key: 'outputs.a0', value: 12 },
        ],
      });
      context.expect.equal(changes['global.outputs']?.a0, 12, 'value in mA');
      const body = { changes: [{ key: 'outputs.a0', value: 3 }] };
      await user.refused('changeGlobals', { body }, { status: 400 });
      await user.does('changeGlobals', { changes: [{ key: 'outputs.a0_mode', value: 'voltage' }] });
    },
  },
  {
    id: 'globals/invalid-changes',
    requirements: ['A133', 'A161'],
    routes: ['changeGlobals'],
    statement:
      'A request with invalid changes applies none; the error counts and lists them by index.',
    async check(context) {
      const user = await userWithLock(context);
      const before = (await context.snapshot())['global.outputs'];
      const changes = [
        { key: 'outputs.d1', value: !before.d1 },
        { key: 'outputs.d9', value: true },
        { key: 'outputs.d1.d1', value: true },
        { key: 'inputs.a0_mode', value: 'current' },
      ];
      const error = await user.refused('changeGlobals', { body: { changes } }, INVALID);
      context.expect.ok(error.title.includes('3'), 'the title counts the invalid changes');
      const details = [
        ...[1, 2].map((index) => ({ index, error: 'unknown property' })),
        { index: 3, error: 'read-only property' },
      ];
      context.expect.equal(error.details, details, 'details');
      const wrong = [
        { key: 'outputs.d1', value: 1 },
        { key: 'outputs.a1', value: true },
        { key: 'outputs.a1_mode', value: 'power' },
      ];
      const types = await user.refused('changeGlobals', { body: { changes: wrong } }, INVALID);
      context.expect.ok(types.title.includes('3'), `${types.title}: values of a wrong type`);
      const { d1 } = (await context.snapshot())['global.outputs'];
      context.expect.equal(d1, before.d1, 'the valid change beside it');
    },
  },
  {
    id: 'globals/aggregate',
    requirements: ['A134', 'A161'],
    routes: ['changeGlobals'],
    statement:
      'A change that cannot be applied is listed in an error of code 0; the others are applied.',
    async check(context) {
      const user = await userWithLock(context);
      const before = (await context.snapshot())['global.outputs'];
      await user.does('changeGlobals', { changes: [{ key: 'outputs.a1_mode', value: 'voltage' }] });
      const changes = [
        { key: 'outputs.a1', value: 11 },
        { key: 'outputs.d2', value: !before.d2 },
      ];
      const refusal = { status: 400, error_code: 0 } as const;
      const error = await user.refused('changeGlobals', { body: { changes } }, refusal);
      context.expect.ok(error.title.includes('1'), 'the title counts the changes that failed');
      const { changes: failed } = error.details as {
        readonly changes: readonly { readonly error: { readonly error_code: number } }[];
      };
      const codes = failed.map(({ error: { error_code } }) => error_code);
      context.expect.equal(codes, [1], 'the error codes in the details');
      const { d2 } = (await context.snapshot())['global.outputs'];
      context.expect.equal(d2, !before.d2, 'the change that can be applied');
      await user.does('changeGlobals', { changes: [{ key: 'outputs.d2', value: before.d2 }] });
    },
  },
  {
    id: 'globals/lock',
    requirements: ['A123', 'A135'],
    routes: ['changeGlobals'],
    statement: 'Globals cannot be changed without the lock.',
    async check({ as }) {
      const body = { changes: [{ key: 'outputs.d0', value: true }] };
      const user = await as('user');
      await user.refused('changeGlobals', { body }, { status: 403, error_code: 3 });
    },
  },
  {
    id: 'stream/change-events',
    requirements: ['A156', 'A157', 'A158'],
    routes: ['openStream', 'changeGlobals'],
    statement: 'A change is published to all clients with the changed property.',
    needs: { secondUser: true },
    async check(context) {
      const user = await userWithLock(context);
      const listener = await context.listen(await context.as('other'));
      const { d2 } = (await context.snapshot())['global.outputs'];
      await user.does('changeGlobals', { changes: [{ key: 'outputs.d2', value: !d2 }] });
      await listener.received('state_change', (e) => e.changes['global.outputs']?.d2 === !d2);
      await user.does('changeGlobals', { changes: [{ key: 'outputs.d2', value: d2 }] });
    },
  },
  {
    id: 'stream/needs-a-session',
    requirements: ['A151', 'A152'],
    routes: ['openStream'],
    statement:
      'The stream opens with a valid session in the subprotocol and refuses an unknown one.',
    async check(context) {
      const user = await context.as('user');
      (await context.listen(user)).close();
      const opened = await context.listen({ ...user, session: 'unknown' }).then(
        () => true,
        () => false,
      );
      context.expect.ok(!opened, 'an unknown session opens no stream');
    },
  },
  {
    id: 'stream/slow-readers',
    requirements: ['A157', 'A158'],
    routes: ['openStream', 'changeConfig', 'changeGlobals'],
    statement:
      'A slow reader gets all events and the newest state; one that never reads is disconnected.',
    needs: { sim: true, admin: true },
    async check(context) {
      const user = await context.as('user');
      const [late, nonReading] = [await context.listen(user), await context.listen(user)];
      late.pauseReading(true);
      nonReading.pauseReading(true);
      const published = await publishUntil(context, ({ waiting_bytes }) => {
        return waiting_bytes > 2 * limits.stream_soft_bytes;
      });
      const { d2 } = (await context.snapshot())['global.outputs'];
      const set = async (value: boolean) => {
        await user.does('takeLock');
        await user.does('changeGlobals', { changes: [{ key: 'outputs.d2', value }] });
        await user.does('releaseLock');
      };
      await set(!d2);
      late.pauseReading(false);
      await late.received('state_change', (event) => {
        return event.changes['global.outputs']?.d2 === !d2;
      });
      const received = late.events.filter(({ type }) => type === 'config_change').length;
      context.expect.equal(received, published, 'messages that were received before');
      const { clients } = await figuresOf(context);
      await publishUntil(context, (now) => now.clients < clients);
      await set(d2);
      await late.received('state_change', (event) => event.changes['global.outputs']?.d2 === d2);
    },
  },
  {
    id: 'stream/pages',
    requirements: [],
    routes: ['openStream', 'getVersions'],
    statement: 'Pages of allowed origins can open the stream; pages of other origins cannot.',
    needs: { sim: true },
    async check({ as, listen, raw, expect }) {
      const user = await as('user');
      for (const origin of [ALLOWED_PAGE, 'https://elsewhere.test']) {
        const ask = (method: string) => raw({ method, path: '/api/versions', headers: { origin } });
        const { headers } = await ask('GET');
        const letIn = headers.get('access-control-allow-origin') === origin;
        expect.equal(headers.get('vary') === 'Origin', letIn, `replies differ by ${origin}`);
        const before = await ask('OPTIONS');
        expect.equal(before.status === 204, letIn, `the preflight reply to ${origin}`);
        const methods = before.headers.get('access-control-allow-methods') ?? '';
        expect.equal(methods.includes('DELETE'), letIn, `methods for a page of ${origin}`);
        const opened = await listen(user, origin).then(
          () => true,
          () => false,
        );
        expect.equal(opened, letIn, `a page of ${origin} may listen`);
      }
    },
  },
];
