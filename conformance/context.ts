/**
 * Creates the context of a rule from a base URL and API tokens: actors with sessions, raw
 * requests, event streams and waiting in arm time.
 */

import { connect } from '../contract/client.ts';
import type { Joints } from '../contract/types.generated.ts';
import {
  type Actor,
  type ActorName,
  type ActorTokens,
  createActor,
  type SendRaw,
} from './actor.ts';
import { EXPECTATION as expect } from './expectation.ts';
import type { RawReply } from './raw-request.ts';
import type { RawTcp } from './raw-tcp.ts';
import { RuleBroken } from './rule-broken.ts';
import type { Precision, RuleContext } from './rule-context.ts';
import type { RuleRunOptions } from './run-options.ts';
import { createListener, type ListenerEndpoint, type StreamListener } from './stream-listener.ts';

const PROBE_S = 0.1;
const LIMIT_S = 20;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createSend(options: RuleRunOptions): SendRaw {
  const send = options.fetch ?? fetch;
  return async ({ method, path, headers = {}, body }): Promise<RawReply> => {
    const content = body === undefined ? {} : { body: new TextEncoder().encode(body) };
    // A redirect would take the session to another host; rules judge its status.
    const request = { method, headers, ...content, redirect: 'manual' } as const;
    const reply = await send(options.baseUrl + path, request);
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: parsed(text) };
  };
}

type Until = RuleContext['until'];

function createUntil(settle: RuleRunOptions['settle']): Until {
  return async (what, probe, limit_s = LIMIT_S) => {
    for (let passed_s = 0; passed_s <= limit_s; passed_s += PROBE_S) {
      if (await probe()) return;
      await settle(PROBE_S);
    }
    throw new RuleBroken(`not within ${limit_s} s: ${what}`);
  };
}

/** Rejects at the end of the run: rules wait for minutes, and then put back what they changed. */
function stoppable(
  pass: (duration_s: number) => Promise<void>,
  signal: AbortSignal | undefined,
): (duration_s: number) => Promise<void> {
  if (signal === undefined) return pass;
  return (duration_s) =>
    new Promise((resolve, reject) => {
      const stop = () => reject(new RuleBroken('the run was stopped'));
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      const end = () => signal.removeEventListener('abort', stop);
      pass(duration_s).then(resolve, reject).finally(end);
    });
}

type ActorFactory = (name: ActorName) => Promise<Actor>;

function createActorFactory(
  options: RuleRunOptions,
  send: SendRaw,
  tokens: ActorTokens,
): ActorFactory {
  const actors = new Map<ActorName, Promise<Actor>>();
  const parts = { send, dialect: options.dialect ?? 'documented' };

  async function createSessionActor(name: ActorName): Promise<Actor> {
    const anonymous = createActor({ ...parts, session: null });
    if (name === 'anonymous') return anonymous;
    const { token } = await anonymous.does('createSession', { token: tokens[name] ?? '' });
    return createActor({ ...parts, session: token });
  }

  return (name) => {
    const actor = actors.get(name) ?? createSessionActor(name);
    actors.set(name, actor);
    return actor;
  };
}

/** Used when the options have no raw TCP. */
const NO_RAW_TCP: RawTcp = {
  dial: () => expect.fail('raw TCP is not available'),
  wait: () => expect.fail('wall time is not available'),
};

/** Arms in a simulated world. */
const EXACT: Precision = { drift_rad: 0.002, end_rad: 0.005 };
/** Real joints: two steps of an encoder in the play of the gears, and the rest of friction. */
const WITH_GEARS: Precision = { drift_rad: 0.0035, end_rad: 0.01 };

/** What one rule gets, and what cleans up after it. */
interface RuleSetUp {
  readonly context: RuleContext;
  /** The context whose waits go on when the run is stopped. */
  readonly afterwards: RuleContext;
  /** The open connections of the rule. */
  readonly listeners: readonly Pick<StreamListener, 'close'>[];
}

/** Creates the context of one rule. */
export function createContext(
  options: RuleRunOptions,
  tokens: ActorTokens,
  sim: { readonly world: boolean },
): RuleSetUp {
  const send = createSend(options);
  const settle = stoppable(options.settle, options.signal);
  const until = createUntil(settle);
  const actorOf = createActorFactory(options, send, tokens);
  const listeners: Pick<StreamListener, 'close'>[] = [];
  const { baseUrl, WebSocket, rawTcp = NO_RAW_TCP } = options;
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  const client = connect({ baseUrl, token: tokens.user, ...fetching });

  async function listenAt<Schema extends 'RobotEvent' | 'SimEvent'>(
    actor: Actor,
    endpoint: ListenerEndpoint<Schema>,
  ) {
    const listener = await createListener({ baseUrl, WebSocket, until }, actor, endpoint);
    listeners.push(listener);
    return listener;
  }

  const context: RuleContext = {
    expect,
    precision: sim.world ? EXACT : WITH_GEARS,
    settle,
    until,
    wait: stoppable((duration_s) => rawTcp.wait(duration_s), options.signal),
    dial(text) {
      const connection = rawTcp.dial(baseUrl);
      listeners.push(connection);
      connection.send(text);
      return connection;
    },
    raw: send,
    as: actorOf,
    tokenOf: (name) => tokens[name] ?? expect.fail(`there is no token for ${name}`),
    listen: (actor, origin) => listenAt(actor, { id: 'openStream', schema: 'RobotEvent', origin }),
    listenToSim: (actor) => listenAt(actor, { id: 'openSimStream', schema: 'SimEvent' }),
    snapshot: async () => expect.fits('SnapshotReply', await client.getSnapshot()).snapshot,
    async poseNearby(turn_rad) {
      const { 'servos.telemetry.position': here } = await context.snapshot();
      const there: Joints = [...here];
      there[0] += here[0] > 0 ? -turn_rad : turn_rad;
      return { here, there };
    },
  };

  const afterwards = { ...context, until: createUntil(options.settle) };
  return { context, afterwards, listeners };
}
