/** The others beside users who take all they can get: what each of them is served, and how soon. */
import type { Attack } from './attacks.ts';
import {
  ADMIN_EMAIL,
  countsOf,
  isOk,
  logIn,
  medianOf,
  moveArm,
  PASSWORD,
  type Reply,
  type Scene,
  send,
} from './scene.ts';
import { beginTaking } from './takers.ts';

/** Calls by which the times without a load are measured. */
const QUIET_CALLS = 5;
const MOVES = 3;
const LOG_INS = 3;
const PROBES = 10;
/** Part of a bystander's calls that must be served, and how much slower than without a load. */
const SERVED = 0.9;
const SLOWER = 3;
/** How late of a hundred ticks the latest may be (ms), as under other loads. */
const LATE_MS = 4;
/** A time below which nobody waits (ms): a few times the switch of a thread on a busy processor. */
const UNNOTICED_MS = 250;

/** The calls of one of the others, and those before as a measure. */
interface Calls {
  readonly quiet: readonly Reply[];
  readonly beside: readonly Reply[];
}

export interface Beside {
  /** What the takers were answered. */
  readonly taken: readonly Reply[];
  /** By the name of the attack. */
  readonly bystander: Readonly<Record<string, Calls>>;
  /** Loads and motions of the holder of the lock. */
  readonly holder: Calls;
  /** Log-ins of an admin by password. */
  readonly admin: Calls;
  readonly ready: readonly Reply[];
  /** What the bystander had, and is gone. */
  readonly lost: readonly string[];
  /** What an admin saw of the takers and ended. */
  readonly ended: readonly Reply[];
  /** How late of a hundred ticks the latest was (ms), or why /metrics did not tell. */
  readonly lateness: number | string;
}

async function readLateness({ twin }: Scene): Promise<number | string> {
  try {
    return 1000 * (await twin.metric('armtwin_tick_lateness_p99_seconds'));
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}

async function inTurn(count: number, call: (index: number) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let i = 0; i < count; i++) replies.push(await call(i));
  return replies;
}

type Named = readonly (readonly [name: string, attack: Attack])[];

async function bystanders(scene: Scene, attacks: Named, count: (attack: Attack) => number) {
  const lists = attacks.map(async ([name, attack]) => {
    return [name, await inTurn(count(attack), (i) => attack.call(scene, i))] as const;
  });
  return new Map(await Promise.all(lists));
}

/** Lets the attacks go on at the same time, and calls beside them. */
export async function besideAll(scene: Scene, attacks: Named): Promise<Beside> {
  const { twin } = scene;
  const kept = new Map<string, () => Promise<boolean>>();
  for (const [name, { prepare }] of attacks) {
    if (prepare) kept.set(name, await prepare(scene));
  }
  const moves = (count: number) => inTurn(count, (i) => moveArm(scene, i));
  const logIns = (count: number) => inTurn(count, () => logIn(twin, ADMIN_EMAIL, PASSWORD));
  const quiet = await bystanders(scene, attacks, () => QUIET_CALLS);
  const quietMoves = await moves(MOVES);
  const quietLogIns = await logIns(LOG_INS);
  const takers = await beginTaking(
    scene,
    attacks.map(([name]) => name),
  );
  const [served, moved, logged, ready] = await Promise.all([
    bystanders(scene, attacks, ({ calls }) => calls),
    moves(MOVES),
    logIns(LOG_INS),
    inTurn(PROBES, () => send(twin, null, 'GET /readyz')),
  ]);
  const ended: Reply[] = [];
  for (const [, { actAsAdmin }] of attacks) if (actAsAdmin) ended.push(await actAsAdmin(scene));
  const lost: string[] = [];
  for (const [name, isThere] of kept) if (!(await isThere())) lost.push(name);
  const lateness = await readLateness(scene);
  const taken = await takers.stop();
  const bystander = Object.fromEntries(
    attacks.map(([name]) => [name, { quiet: quiet.get(name)!, beside: served.get(name)! }]),
  );
  return {
    ...{ taken, bystander, ready, lost, ended, lateness },
    holder: { quiet: quietMoves, beside: moved },
    admin: { quiet: quietLogIns, beside: logged },
  };
}

/** Such as `10 of 10, 12 ms (5 ms alone)`. */
export function textOf({ quiet, beside }: Calls): string {
  const served = beside.filter(isOk);
  const failed = served.length < beside.length ? ` (${countsOf(beside)})` : '';
  const [now, alone] = [medianOf(served), medianOf(quiet)].map((ms) => ms.toFixed(0));
  return `${served.length} of ${beside.length}${failed}, ${now} ms, ${alone} ms alone`;
}

/** Such as `0.8 ms`. */
export function latenessText({ lateness }: Pick<Beside, 'lateness'>): string {
  return typeof lateness === 'number' ? `${lateness.toFixed(1)} ms` : `not read (${lateness})`;
}

function servedPart({ quiet, beside }: Calls, isTimed: boolean): number {
  const limit_ms = Math.max(UNNOTICED_MS, SLOWER * medianOf(quiet));
  const served = beside.filter((reply) => isOk(reply) && (!isTimed || reply.ms <= limit_ms));
  return served.length / beside.length;
}

const isOnTime = ({ lateness }: Beside) => typeof lateness === 'number' && lateness <= LATE_MS;

/** What does not hold; times count only where `isTimed`. */
export function problemsOf(found: Beside, isTimed: boolean): string[] {
  const parts: [string, Calls][] = [
    ...Object.entries(found.bystander),
    ['the holder of the lock', found.holder],
    ['an admin', found.admin],
  ];
  const slow = parts.filter(([, calls]) => servedPart(calls, isTimed) < SERVED);
  return [
    ...slow.map(([name, calls]) => `${name}: ${textOf(calls)}`),
    ...(isTimed && !isOnTime(found) ? [`how late ticks are: ${latenessText(found)}`] : []),
    ...found.lost.map((name) => `what the bystander had is gone: ${name}`),
    ...(found.ready.every(isOk) ? [] : [`/readyz: ${countsOf(found.ready)}`]),
    ...(found.ended.every(isOk) ? [] : [`an admin could not end it: ${countsOf(found.ended)}`]),
  ];
}
