/**
 * Makes what a rule may use (rule.ts) out of a base URL and API tokens: actors with sessions of
 * their own, raw requests, events, and waiting in arm time.
 */
import { connect } from '../client.ts';
import type { Joints } from '../types.ts';
import { createActor, type SendRaw } from './actor.ts';
import { EXPECTATION as expect, RuleBroken } from './expectation.ts';
import { createListener, type Door } from './listener.ts';
import type { Actor, ActorName, Ground, Listener, RawReply, RuleContext } from './rule.ts';
import type { RunOptions, Tokens } from './run-options.ts';

const PROBE_S = 0.1;
const LIMIT_S = 20;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createSend(options: RunOptions): SendRaw {
  const send = options.fetch ?? fetch;
  return async ({ method, path, headers = {}, body }): Promise<RawReply> => {
    const content = body === undefined ? {} : { body: new TextEncoder().encode(body) };
    const reply = await send(options.baseUrl + path, { method, headers, ...content });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: parsed(text) };
  };
}

type Until = RuleContext['until'];

function createUntil(settle: RunOptions['settle']): Until {
  return async (what, probe, limit_s = LIMIT_S) => {
    for (let passed_s = 0; passed_s <= limit_s; passed_s += PROBE_S) {
      if (await probe()) return;
      await settle(PROBE_S);
    }
    throw new RuleBroken(`not within ${limit_s} s: ${what}`);
  };
}

type Cast = (name: ActorName) => Promise<Actor>;

function createCast(options: RunOptions, send: SendRaw, tokens: Tokens): Cast {
  const actors = new Map<ActorName, Promise<Actor>>();
  const parts = { send, dialect: options.dialect ?? 'documented' };

  async function enter(name: ActorName): Promise<Actor> {
    const nobody = createActor({ ...parts, session: null });
    if (name === 'nobody') return nobody;
    const { token } = await nobody.does('createSession', { token: tokens[name] ?? '' });
    return createActor({ ...parts, session: token });
  }

  return (name) => {
    const actor = actors.get(name) ?? enter(name);
    actors.set(name, actor);
    return actor;
  };
}

/** For rules that have no need of it. */
const NO_GROUND: Ground = {
  dial: () => expect.fail('nothing below HTTP is within reach'),
  wait: () => expect.fail('wall time cannot be waited for'),
};

/** The context of one rule, and the listeners that it opens. */
export function createContext(
  options: RunOptions,
  tokens: Tokens,
): { readonly context: RuleContext; readonly listeners: readonly Pick<Listener, 'close'>[] } {
  const send = createSend(options);
  const until = createUntil(options.settle);
  const cast = createCast(options, send, tokens);
  const listeners: Pick<Listener, 'close'>[] = [];
  const { baseUrl, WebSocket, settle, ground = NO_GROUND } = options;
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  const client = connect({ baseUrl, token: tokens.user, ...fetching });

  async function listenAt<Schema extends 'RobotEvent' | 'SimEvent'>(
    actor: Actor,
    door: Door<Schema>,
  ) {
    const listener = await createListener({ baseUrl, WebSocket, until }, actor, door);
    listeners.push(listener);
    return listener;
  }

  const context: RuleContext = {
    expect,
    settle,
    until,
    wait: ground.wait,
    dial(text) {
      const wire = ground.dial(baseUrl);
      listeners.push(wire);
      wire.send(text);
      return wire;
    },
    raw: send,
    as: cast,
    tokenOf: (name) => tokens[name] ?? expect.fail(`there is no token for ${name}`),
    listen: (actor, origin) => listenAt(actor, { id: 'openStream', schema: 'RobotEvent', origin }),
    listenToTwin: (actor) => listenAt(actor, { id: 'openSimStream', schema: 'SimEvent' }),
    snapshot: async () => expect.fits('SnapshotReply', await client.getSnapshot()).snapshot,
    async poseNearby(turn_rad) {
      const { 'servos.telemetry.position': here } = await context.snapshot();
      const there: Joints = [...here];
      there[0] += here[0] > 0 ? -turn_rad : turn_rad;
      return { here, there };
    },
  };

  return { context, listeners };
}
