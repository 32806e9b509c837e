/**
 * One trial, in the folder of a scratch copy: runs every rule of the spec against a twin made of
 * the sources there, and prints the first that breaks, as JSON. Ends at that rule: one is enough.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';

class Enough extends Error {}

/** @param {string} path */
const ours = (path) => import(pathToFileURL(resolve(path)).href);

/** @param {'documented' | 'fielded'} dialect */
async function firstBroken(dialect) {
  const { createTwin } = await ours('server/index.ts');
  const { RULES } = await ours('contract/rules/catalogue.ts');
  const { runRules } = await ours('contract/rules/runner.ts');
  const twin = await createTwin({ dialect });
  let broken = null;
  const notice = ({ rule, outcome, reason }) => {
    if (outcome === 'held') return;
    broken = `${rule.id}: ${reason}`;
    throw new Enough();
  };
  try {
    await runRules(RULES, {
      baseUrl: twin.url,
      token: twin.token,
      WebSocket,
      settle: (duration_s) => twin.advance(duration_s),
      dialect,
      update: true,
      patience_s: Number.POSITIVE_INFINITY,
      onResult: notice,
    });
  } catch (error) {
    if (!(error instanceof Enough)) broken = `the run itself: ${String(error)}`;
  }
  return broken;
}

const broken = (await firstBroken('documented')) ?? (await firstBroken('fielded'));
process.stdout.write(JSON.stringify({ broken }));
process.exit(0);
