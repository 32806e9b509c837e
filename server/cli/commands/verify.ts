/**
 * `armtwin verify URL --token …`: runs the conformance suite (conformance) against a service,
 * such as a real arm. With /sim/v1 it advances arm time; otherwise it waits. Exits with 0 when no
 * rule broke, 1 when one did, 2 when no rule could run, 3 when the lock of the arm is held.
 */

import { RULES } from '../../../conformance/catalogue.ts';
import type { RuleResult } from '../../../conformance/rule-result.ts';
import { runRules } from '../../../conformance/runner.ts';
import type { RuleSocketClass } from '../../../conformance/stream-listener.ts';
import { type ArmClient, ArmError, connect } from '../../../contract/client.ts';
import type { Dialect } from '../../../contract/routes.ts';
import type { LockOwner } from '../../../contract/types.generated.ts';
import { systemClock, wait } from '../../clock/wall-clock.ts';
import type { CommandOutput } from '../command-output.ts';
import { requireWritable } from '../result-files.ts';
import { writeResult } from '../result-writer.ts';
import { type Shard, shareOf } from '../shard.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { BoundedSocket } from './bounded-socket.ts';
import { rawTcp } from './raw-tcp.ts';
import { rulePage } from './rule-page.ts';
import { ruleJson, ruleJunit, ruleTable } from './rule-report.ts';
import { scoreOf, scoreText } from './rule-score.ts';
import { shownText } from './shown-text.ts';
import { endsSoon, stopCode, stoppableFetch } from './verify-stop.ts';

/** The flags of `verify`. */
export interface VerifyFlags {
  /** An API token. */
  readonly token?: string;
  /** An API token of a second user, if none can be created. */
  readonly secondToken?: string;
  readonly json?: boolean;
  /** File for JUnit XML. */
  readonly junit?: string;
  /** File for an HTML report. */
  readonly html?: string;
  /** Whether the arm may move; default true. */
  readonly motion?: boolean;
  /** Whether an update may be installed; default false. */
  readonly update?: boolean;
  readonly dialect?: Dialect;
  /** Only rules whose ids start with one of these. */
  readonly only?: readonly string[];
  /** Only this shard of the rules. */
  readonly shard?: Shard;
  /** The time limit of a rule (s); ignored where the clock can be advanced. */
  readonly patience?: number;
  /** How long a service may take for its first answers (ms); default 10 s. */
  readonly firstAnswer_ms?: number;
}

interface ServiceAccess {
  readonly admin: boolean;
  readonly settle: (duration_s: number) => Promise<void>;
  /** Whether arm time can be advanced. */
  readonly canAdvance: boolean;
}

const PROGRESS_RULES = 10;
const LOCK_HELD = 3;

const ROLE_TOO_LOW = 403;

/** The reply of a call, or the status of its refusal; rejects when there is no service. */
async function replyOrStatus<Reply>(call: Promise<Reply>): Promise<Reply | number> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ArmError) return error.status;
    throw error;
  }
}

/**
 * Probes what this token may do; rejects when there is no service or no session. Only a refusal of
 * the role says that it is no admin's: arms before 4.7.0 have no updates, and refuse in other ways.
 * A clock is one that says its time: some servers answer every path.
 */
async function probeService(client: ArmClient): Promise<ServiceAccess> {
  await client.session();
  const admin = (await replyOrStatus(client.checkUpdates())) !== ROLE_TOO_LOW;
  const clock: unknown = await replyOrStatus(client.advanceClock({ seconds: 0 }));
  const canAdvance = typeof Object(clock).now_s === 'number';
  const settle = async (duration_s: number) => {
    if (canAdvance) await client.advanceClock({ seconds: duration_s });
    else await wait(systemClock, duration_s * 1000);
  };
  return { admin, canAdvance, settle };
}

/**
 * How the time of a twin is stopped between the calls of a rule, and runs again at the end. A twin
 * that runs on would be judged by how late this machine asks it. A rule that resets the twin gives
 * it back the pace of its start, so that the next one stops it anew.
 */
async function heldTime(client: ArmClient, { err }: CommandOutput) {
  const { pace } = await client.getClock();
  return {
    prepare: () => client.setClock({ pace: 'stepped' }),
    async giveBack(): Promise<void> {
      try {
        await client.setClock({ pace });
      } catch {
        err.write(`time may stand still on the service: set its pace to ${pace} again\n`);
      }
    },
  };
}

function chosenRules({ only, shard }: VerifyFlags) {
  const named =
    only === undefined
      ? RULES
      : RULES.filter(({ id }) => only.some((start) => id.startsWith(start)));
  return shard ? shareOf(named, shard) : named;
}

type Show = (text: string) => string;

function progress(total: number, { err }: CommandOutput, show: Show) {
  let done = 0;
  return ({ rule, outcome, reason }: RuleResult) => {
    done++;
    if (outcome === 'broken') err.write(`broken ${rule.id}: ${show(reason)}\n`);
    if (done % PROGRESS_RULES === 0 || done === total) err.write(`${done} of ${total} rules\n`);
  };
}

const OWNERS: readonly unknown[] = ['you', 'admin', 'user'] satisfies LockOwner[];

/** Who holds the lock of the arm; null if it is free. The rules take it themselves. */
async function lockHolder(client: ArmClient): Promise<string | null> {
  const lock: unknown = await client.getLock();
  const { owner }: { readonly owner?: unknown } = Object(lock);
  if (owner === 'none') return null;
  if (!OWNERS.includes(owner)) {
    const found = JSON.stringify(lock) ?? 'nothing';
    throw new Error(`it is no arm: getLock answered without an owner of the lock: ${found}`);
  }
  return owner === 'you' ? 'another session of this token' : 'another user';
}

/** A service that can be verified answers its first calls within this time each. */
const FIRST_ANSWER_MS = 10_000;
/** Later calls may compute: kinematics, planning, an update. */
const ANSWER_MS = 60_000;
/** A twin may have to advance its clock by days. */
const ADVANCE_MS = 1_800_000;

const fetchOfRules = boundedFetch((url) => ({
  answer_ms: url.includes('/sim/v1/') ? ADVANCE_MS : ANSWER_MS,
}));

/** Reasons of rules quote up to 500 characters of a reply, and what they expected in its place. */
const REASON_MAX = 1500;

/** How reasons are shown: without the tokens, which a service may repeat. */
function showOf({ token, secondToken }: VerifyFlags): Show {
  return (text) => shownText(text, [token, secondToken], REASON_MAX);
}

const baseUrlOf = (url: string) => url.replace(/\/+$/, '');

/** Where `verify` writes, and the signal that stops it, whose reason is its name. */
export interface VerifyOutput extends CommandOutput {
  readonly signal?: AbortSignal;
}

async function run(url: string, flags: VerifyFlags, io: CommandOutput & { signal: AbortSignal }) {
  const { signal } = io;
  const stoppable = stoppableFetch(fetchOfRules, signal);
  const show = showOf(flags);
  const baseUrl = baseUrlOf(url);
  const { token = '', dialect = 'documented', motion = true, update = false } = flags;
  const client = connect({ baseUrl, token, fetch: fetchOfRules });
  const { admin, canAdvance, settle } = await probeService(
    connect({ baseUrl, token, fetch: stoppable }),
  );
  const rules = chosenRules(flags);
  const ruleLimit_s = canAdvance ? Number.POSITIVE_INFINITY : flags.patience;
  const held = canAdvance ? await heldTime(client, io) : null;
  const checked = runRules(rules, {
    baseUrl,
    token,
    WebSocket: BoundedSocket as RuleSocketClass,
    fetch: stoppable,
    signal,
    settle,
    rawTcp,
    dialect,
    admin,
    motion,
    update,
    ...(flags.secondToken === undefined ? {} : { secondToken: flags.secondToken }),
    ...(ruleLimit_s === undefined ? {} : { ruleLimit_s }),
    ...(held && { prepare: held.prepare }),
    onResult: progress(rules.length, io, show),
    onLeftover: (reason) => {
      io.err.write(`the users rules-… of this run are left on the service: ${show(reason)}\n`);
    },
  });
  return checked.finally(() => held?.giveBack());
}

function failureText(url: string, { token, secondToken }: VerifyFlags, error: unknown): string {
  const verb = error instanceof ArmError ? 'refuses' : 'cannot be verified';
  const reason = error instanceof Error ? error.message : String(error);
  return `${url} ${verb}: ${shownText(reason, [token, secondToken])}\n`;
}

/** Runs the command; returns the exit code. */
export async function runVerify(
  url: string,
  flags: VerifyFlags,
  io: VerifyOutput,
): Promise<number> {
  requireWritable({ junit: flags.junit, html: flags.html });
  const { signal = new AbortController().signal } = io;
  let results: readonly RuleResult[];
  try {
    const { token = '', firstAnswer_ms = FIRST_ANSWER_MS } = flags;
    const bounded = boundedFetch(() => ({ answer_ms: firstAnswer_ms }));
    const soon: typeof fetch = (input, init) => bounded(input, { ...init, signal });
    const client = connect({ baseUrl: baseUrlOf(url), token, fetch: soon });
    const holder = await lockHolder(client);
    if (holder !== null) {
      io.err.write(`skipped: lock held by ${holder}; release it and run verify again\n`);
      return LOCK_HELD;
    }
    const show = showOf(flags);
    const seen = await endsSoon(run(url, flags, { ...io, signal }), signal);
    if (signal.aborted) {
      io.err.write(`stopped by ${signal.reason} after ${seen.length} rules\n`);
      return stopCode(signal);
    }
    results = seen.map((result) => ({ ...result, reason: show(result.reason) }));
  } catch (error) {
    io.err.write(failureText(url, flags, error));
    return signal.aborted ? stopCode(signal) : 2;
  }
  if (results.length === 0) {
    io.err.write('no rule is left by --only and --shard\n');
    return 2;
  }
  const about = { url, dialect: flags.dialect ?? 'documented' };
  if (flags.junit !== undefined) writeResult(flags.junit, ruleJunit(results, `rules ${url}`));
  if (flags.html !== undefined) writeResult(flags.html, rulePage(results, url));
  const score = scoreOf(results);
  io.out.write(flags.json ? ruleJson(results, about) : ruleTable(results));
  io.err.write(`${scoreText(score)}\n`);
  if (score.held + score.broken === 0) {
    io.err.write('no rule was checked: each was skipped, for the reason beside it\n');
    return 2;
  }
  return score.broken === 0 ? 0 : 1;
}
