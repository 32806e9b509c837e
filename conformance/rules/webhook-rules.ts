/**
 * Rules for signing secrets and test calls of webhooks, and for paging through events and
 * deliveries.
 */

import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { sampleWorkflow, UNREACHABLE_HOOK, WORK_S } from '../samples/sample-workflow.ts';

const PAGE = 3;
/** More pages than any list of a rule has. */
const PAGES = 100;

/** A stopped run with a hook for each task state change. */
async function ran(context: RuleContext) {
  const user = await context.as('user');
  const hooks = [{ ...UNREACHABLE_HOOK, type: 'TaskStateChangeHook' as const }];
  const { workflow } = await user.does('createWorkflow', sampleWorkflow({ hooks }));
  const parameters = { workflow_id: workflow.id };
  const { run } = await user.does('startRun', parameters, { simulate_drivers: true });
  await context.settle(WORK_S + 5);
  await context.until('the run has stopped', async () => {
    return (await user.does('getRun', { run_id: run.id })).run.state === 'stopped';
  });
  return { user, run: { run_id: run.id } };
}

/** All entries of a list, from all pages. */
async function paged<Entry>(
  pageAt: (
    place: number | undefined,
  ) => Promise<{ entries: readonly Entry[]; next: number | null }>,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let place: number | undefined;
  for (let pages = 0; pages < PAGES; pages++) {
    const { entries, next } = await pageAt(place);
    all.push(...entries);
    if (next === null) break;
    place = next;
  }
  return all;
}

export const WEBHOOK_RULES: readonly Rule[] = [
  {
    id: 'pages/events',
    requirements: [],
    routes: ['listRunEvents'],
    statement: 'Events of a run are paged in order and without gaps.',
    needs: { armTime_s: 25 },
    async check(context) {
      const { user, run } = await ran(context);
      const { events, next } = await user.does('listRunEvents', run);
      context.expect.equal(next, null, 'the page after the last');
      const pages = await paged(async (after) => {
        const asked = { limit: PAGE, ...(after === undefined ? {} : { after }) };
        const page = await user.does('listRunEvents', run, asked);
        context.expect.ok(page.events.length <= PAGE, 'size of the page');
        return { entries: page.events, next: page.next };
      });
      context.expect.equal(pages, events, 'all pages');
    },
  },
  {
    id: 'pages/deliveries',
    requirements: [],
    routes: ['listDeliveries'],
    statement: 'Deliveries are paged newest first and can be filtered by run.',
    needs: { armTime_s: 25 },
    async check(context) {
      const { user, run } = await ran(context);
      await user.does('testHook', { url: UNREACHABLE_HOOK.parameters.url });
      const { deliveries } = await user.does('listDeliveries', run);
      const ids = deliveries.map(({ id }) => id);
      context.expect.equal(ids.length, 4, 'deliveries of the run');
      context.expect.equal(
        ids,
        ids.toSorted((a, b) => b - a),
        'the newest first',
      );
      const pages = await paged(async (before) => {
        const asked = { ...run, limit: PAGE, ...(before === undefined ? {} : { before }) };
        const page = await user.does('listDeliveries', asked);
        return { entries: page.deliveries.map(({ id }) => id), next: page.next };
      });
      context.expect.equal(pages, ids, 'all pages');
      const headers = { Authorization: `Bearer ${user.session}` };
      for (const query of ['limit=0', 'limit=1001', 'before=0', 'limit=2&limit=3']) {
        const path = `/workflow/v1/webhooks/deliveries?${query}`;
        const { status } = await context.raw({ method: 'GET', path, headers });
        context.expect.equal(status, 400, `status of ?${query}`);
      }
    },
  },
  {
    id: 'shares/admins-see-and-stop',
    requirements: [],
    routes: ['getUsage', 'listRunsOfUser', 'stopRun', 'listDeliveriesOfUser'],
    statement:
      'Admins see what each user uses, list and stop the runs of any user, and list their ' +
      'deliveries without bodies; other users do neither.',
    needs: { admin: true, secondUser: true },
    async check(context) {
      const user = await context.as('user');
      const other = await context.as('other');
      const admin = await context.as('admin');
      const { workflow } = await user.does('createWorkflow', sampleWorkflow({}));
      const started = { simulate_drivers: true };
      const { run } = await user.does('startRun', { workflow_id: workflow.id }, started);
      const { delivery } = await user.does('testHook', { url: UNREACHABLE_HOOK.parameters.url });
      const { usage } = await admin.does('getUsage');
      const live = usage.find(({ share }) => share === 'live_runs');
      const [owner] = live?.owners ?? [];
      context.expect.ok(owner !== undefined && owner.used >= 1, 'somebody has a run');
      const { users } = await admin.does('listUsers');
      const stopping = await Promise.all(
        users.map(async ({ id: user_id }) => {
          const { runs } = await admin.does('listRunsOfUser', { user_id });
          if (!runs.some(({ id }) => id === run.id)) return [];
          const own = { run_id: run.id };
          await other.refused('stopRun', { parameters: own }, { status: 404, error_code: 8 });
          await admin.does('stopRun', own);
          const { deliveries } = await admin.does('listDeliveriesOfUser', { user_id });
          return [deliveries.find(({ id }) => id === delivery.id)];
        }),
      );
      const [seen, ...more] = stopping.flat();
      context.expect.equal(more, [], 'owners of the run besides its own');
      context.expect.ok(seen !== undefined && !('body' in seen), 'its delivery, without its body');
      const after = await user.does('getRun', { run_id: run.id });
      context.expect.equal(after.run.state, 'stopped', 'state of the run in the end');
    },
  },
  {
    id: 'hooks/redelivered',
    requirements: [],
    routes: ['listDeliveries', 'redeliverAll'],
    statement: 'Deliveries are listed by state and hook, and sent again by state, run and hook.',
    async check(context) {
      const user = await context.as('user');
      const hook = `${UNREACHABLE_HOOK.parameters.url}/redelivered`;
      const { delivery } = await user.does('testHook', { url: hook });
      const listed = async (state: string) => {
        const { deliveries } = await user.does('listDeliveries', { state, hook });
        return deliveries.map(({ id }) => id);
      };
      context.expect.equal(await listed('pending'), [delivery.id], 'pending ones to the hook');
      context.expect.equal(await listed('dead'), [], 'dead ones to the hook');
      const { redelivered } = await user.does('redeliverAll', { state: 'dead', run_id: 1, hook });
      context.expect.equal(redelivered, 0, 'deliveries sent again');
      const body = { state: 'pending' as never };
      await user.refused('redeliverAll', { body }, INVALID);
      const headers = { Authorization: `Bearer ${user.session}` };
      for (const query of ['state=lost', 'state=dead&state=dead']) {
        const path = `/workflow/v1/webhooks/deliveries?${query}`;
        const { status } = await context.raw({ method: 'GET', path, headers });
        context.expect.equal(status, 400, `status of ?${query}`);
      }
    },
  },
  {
    id: 'hooks/signed',
    requirements: [],
    routes: ['getSecret', 'rotateSecret', 'testHook', 'getDelivery'],
    statement: 'Each user has a signing secret, can rotate it, and can test a hook.',
    async check(context) {
      const user = await context.as('user');
      const { signing } = await user.does('getSecret');
      context.expect.ok(signing.secret.startsWith('whsec_'), 'the form of the secret');
      const rotated = (await user.does('rotateSecret')).signing;
      context.expect.ok(rotated.secret !== signing.secret, 'a rotation makes a new secret');
      context.expect.ok(rotated.previous_valid_until !== null, 'the old one stays valid a while');
      const { url } = UNREACHABLE_HOOK.parameters;
      const { delivery } = await user.does('testHook', { url, hook_type: 'NewPlanHook' });
      const shown = await user.does('getDelivery', { delivery_id: delivery.id });
      context.expect.equal(shown.delivery.hook_type, 'NewPlanHook', 'type of the test call');
    },
  },
];
