/** The events that an actor hears during a rule, each held against its schema (spec §6.1). */
import { openEventStream, type StreamSocket } from '../client/event-stream.ts';
import { routeOf } from '../routes.ts';
import type { SchemaTypes } from '../types.ts';
import { EXPECTATION as expect } from './expectation.ts';
import type { Actor, Listener } from './rule.ts';

/** The part of a socket that rules use: that of the ws package, for no browser can be deaf. */
interface RuleSocket extends StreamSocket {
  pause(): void;
  resume(): void;
}

/** The constructor of such a socket; `origin` is the page that it is of. */
export type RuleSocketClass = new (
  url: string,
  protocols: string[],
  options?: { readonly origin?: string },
) => RuleSocket;

export interface ListenerParts {
  readonly baseUrl: string;
  readonly WebSocket: RuleSocketClass;
  readonly until: (what: string, probe: () => Promise<boolean>) => Promise<void>;
}

/** Which stream, with what on it, and the page that opens it, if any. */
export interface Door<Schema extends 'RobotEvent' | 'SimEvent'> {
  readonly id: 'openStream' | 'openSimStream';
  readonly schema: Schema;
  readonly origin?: string | undefined;
}

/** Opens a stream as an actor; resolves when it is open. */
export async function createListener<Schema extends 'RobotEvent' | 'SimEvent'>(
  { baseUrl, WebSocket, until }: ListenerParts,
  actor: Actor,
  door: Door<Schema>,
): Promise<Listener<SchemaTypes[Schema]>> {
  type Event = SchemaTypes[Schema];
  const events: Event[] = [];
  let judged = 0;
  let isOpen = true;
  const caller = {
    session: async () => actor.session,
    call: async () => undefined,
    forget: () => {},
  };
  const schedule = () => () => {};
  const options = door.origin === undefined ? {} : { origin: door.origin };
  let socket: RuleSocket | null = null;
  class Opened extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, options);
      socket = this;
    }
  }
  const { path } = routeOf(door.id);
  const stream = openEventStream<Event>(
    { baseUrl, path, WebSocket: Opened, schedule, caller },
    {
      onEvent: (event) => events.push(event),
      onStatus: (status) => {
        isOpen = status !== 'closed';
      },
    },
  );
  await stream.opened;

  function judge(): void {
    for (; judged < events.length; judged++) expect.fits(door.schema, events[judged]);
  }

  return {
    events,
    isOpen: () => isOpen,
    close: () => stream.close(),
    deafen: (deaf) => (deaf ? socket?.pause() : socket?.resume()),
    async heard(type, fits = () => true) {
      type Wanted = Extract<Event, { type: typeof type }>;
      const isWanted = (event: Event): event is Wanted =>
        event.type === type && fits(event as Wanted);
      await until(`an event ${type} that fits arrives`, async () => events.some(isWanted));
      judge();
      return events.find(isWanted)!;
    },
  };
}
