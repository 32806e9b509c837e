/**
 * `armtwin verify URL --token …`: holds any service, a real arm included, to the rules of the spec
 * (contract/rules) and tells what held. On a twin with /sim/v1 arm time is moved; elsewhere it is
 * waited for. Answers 0 when no rule broke, 1 when one did, 2 when the run could not be made.
 */
import { writeFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import { type ArmClient, ArmError, connect } from '../../contract/client.ts';
import type { Dialect } from '../../contract/routes.ts';
import { RULES } from '../../contract/rules/catalogue.ts';
import type { RuleSocketClass } from '../../contract/rules/listener.ts';
import type { RuleResult } from '../../contract/rules/run-options.ts';
import { runRules } from '../../contract/rules/runner.ts';
import { systemClock, wait } from '../clock/wall-clock.ts';
import { ground } from './ground.ts';
import type { VerbOutput } from './plan.ts';
import { rulePage } from './rule-page.ts';
import { ruleJson, ruleJunit, ruleTable, scoreOf, scoreText } from './rule-report.ts';

/** What the command line gives. */
export interface VerifyFlags {
  /** An API token. */
  readonly token?: string;
  /** An API token of a second user, where none can be made. */
  readonly secondToken?: string;
  readonly json?: boolean;
  /** File for JUnit XML. */
  readonly junit?: string;
  /** File for a page to look at. */
  readonly html?: string;
  /** Whether the arm may move; default true. */
  readonly motion?: boolean;
  /** Whether an update may be installed; default false. */
  readonly update?: boolean;
  readonly dialect?: Dialect;
  /** Only rules whose ids begin with one of these. */
  readonly only?: readonly string[];
  /** The most time a rule may wait for (s); ignored where the clock can be moved. */
  readonly patience?: number;
}

interface Service {
  readonly admin: boolean;
  readonly settle: (duration_s: number) => Promise<void>;
  /** Whether arm time is moved rather than waited for. */
  readonly movable: boolean;
}

const PROGRESS_RULES = 10;

function isRefusal(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof ArmError && statuses.includes(error.status);
}

async function allowed(call: () => Promise<unknown>, refusals: readonly number[]) {
  try {
    await call();
    return true;
  } catch (error) {
    if (isRefusal(error, refusals)) return false;
    throw error;
  }
}

/** What the service lets this token do; rejects when there is no service or no session. */
async function explore(client: ArmClient): Promise<Service> {
  await client.session();
  const admin = await allowed(() => client.checkUpdates(), [403]);
  const movable = await allowed(() => client.advanceClock({ seconds: 0 }), [403, 404, 501]);
  const settle = async (duration_s: number) => {
    if (movable) await client.advanceClock({ seconds: duration_s });
    else await wait(systemClock, duration_s * 1000);
  };
  return { admin, movable, settle };
}

function chosenRules(only: readonly string[] | undefined) {
  if (only === undefined) return RULES;
  return RULES.filter(({ id }) => only.some((start) => id.startsWith(start)));
}

function progress(total: number, { err }: VerbOutput) {
  let done = 0;
  return ({ rule, outcome, reason }: RuleResult) => {
    done++;
    if (outcome === 'broken') err.write(`broken ${rule.id}: ${reason}\n`);
    if (done % PROGRESS_RULES === 0 || done === total) err.write(`${done} of ${total} rules\n`);
  };
}

async function run(url: string, flags: VerifyFlags, io: VerbOutput) {
  const baseUrl = url.replace(/\/+$/, '');
  const { token = '', dialect = 'documented', motion = true, update = false } = flags;
  const { admin, movable, settle } = await explore(connect({ baseUrl, token }));
  const rules = chosenRules(flags.only);
  const patience_s = movable ? Number.POSITIVE_INFINITY : flags.patience;
  return runRules(rules, {
    baseUrl,
    token,
    WebSocket: WebSocket as RuleSocketClass,
    settle,
    ground,
    dialect,
    admin,
    motion,
    update,
    ...(flags.secondToken === undefined ? {} : { secondToken: flags.secondToken }),
    ...(patience_s === undefined ? {} : { patience_s }),
    onResult: progress(rules.length, io),
  });
}

function whyNot(url: string, error: unknown): string {
  if (error instanceof ArmError) return `${url} refuses: ${error.message}\n`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `${url} cannot be verified: ${cause instanceof Error ? cause.message : String(cause)}\n`;
}

/** Runs the verb and answers the exit code of the process. */
export async function verifyVerb(url: string, flags: VerifyFlags, io: VerbOutput): Promise<number> {
  let results: readonly RuleResult[];
  try {
    results = await run(url, flags, io);
  } catch (error) {
    io.err.write(whyNot(url, error));
    return 2;
  }
  if (results.length === 0) {
    io.err.write('no rule has such an id\n');
    return 2;
  }
  const about = { url, dialect: flags.dialect ?? 'documented' };
  if (flags.junit !== undefined) writeFileSync(flags.junit, ruleJunit(results, `rules ${url}`));
  if (flags.html !== undefined) writeFileSync(flags.html, rulePage(results, url));
  const score = scoreOf(results);
  io.out.write(flags.json ? ruleJson(results, about) : ruleTable(results));
  io.err.write(`${scoreText(score)}\n`);
  return score.broken === 0 ? 0 : 1;
}
