/** Rules of long lists: a page at a time, each where the one before ended. */
import type { Rule, RuleContext } from './rule.ts';
import { SILENT_HOOK, sampleWorkflow, WORK_S } from './workflow-samples.ts';

const PAGE = 3;
/** More than any list of a rule has pages. */
const PAGES = 100;

/** A run that has stopped, with a hook for each of its tasks' changes. */
async function ran(context: RuleContext) {
  const user = await context.as('user');
  const hooks = [{ ...SILENT_HOOK, type: 'TaskStateChangeHook' as const }];
  const { workflow } = await user.does('createWorkflow', sampleWorkflow({ hooks }));
  const parameters = { workflow_id: workflow.id };
  const { run } = await user.does('startRun', parameters, { simulate_drivers: true });
  await context.settle(WORK_S + 5);
  await context.until('the run has stopped', async () => {
    return (await user.does('getRun', { run_id: run.id })).run.state === 'stopped';
  });
  return { user, run: { run_id: run.id } };
}

/** Everything on the pages of a list. */
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

export const PAGE_RULES: readonly Rule[] = [
  {
    id: 'pages/events',
    requirements: [],
    routes: ['listRunEvents'],
    statement: 'Events of a run come page by page, without gaps, in order.',
    needs: { armTime_s: 25 },
    async check(context) {
      const { user, run } = await ran(context);
      const { events, next } = await user.does('listRunEvents', run);
      context.expect.equal(next, null, 'the page after the last');
      const pages = await paged(async (after) => {
        const asked = { limit: PAGE, ...(after === undefined ? {} : { after }) };
        const page = await user.does('listRunEvents', run, asked);
        context.expect.ok(page.events.length <= PAGE, 'no page holds more than was asked for');
        return { entries: page.events, next: page.next };
      });
      context.expect.equal(pages, events, 'all pages');
    },
  },
  {
    id: 'pages/deliveries',
    requirements: [],
    routes: ['listDeliveries'],
    statement:
      'Deliveries come page by page, the newest first, of one run where that is asked for.',
    needs: { armTime_s: 25 },
    async check(context) {
      const { user, run } = await ran(context);
      await user.does('testHook', { url: SILENT_HOOK.parameters.url });
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
];
