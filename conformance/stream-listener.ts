/** The events that an actor receives on a stream during a rule (spec §6.1). */
import { openEventStream, type StreamSocket } from '../contract/client/event-stream.ts';
import { Lifetime } from '../contract/client/lifetime.ts';
import { routeOf } from '../contract/routes.ts';
import type { RobotEvent, SchemaTypes } from '../contract/types.generated.ts';
import type { Actor } from './actor.ts';
import { EXPECTATION as expect } from './expectation.ts';

/** The part of a ws socket that rules use; browser sockets cannot pause. */
export interface RuleSocket extends StreamSocket {
  pause(): void;
  resume(): void;
}

/** The constructor of such a socket; `origin` sets the Origin header. */
export type RuleSocketClass = new (
  url: string,
  protocols: string[],
  options?: { readonly origin?: string },
) => RuleSocket;

/** The events that one actor receives, each validated by its schema. */
export interface StreamListener<Event extends { readonly type: string } = RobotEvent> {
  readonly events: readonly Event[];
  /** Resolves to the first matching event, already received or still to come. */
  received<Type extends Event['type']>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>;
  /** Whether the stream is open. */
  isOpen(): boolean;
  /** Stops reading from the socket, or resumes. */
  pauseReading(paused: boolean): void;
  close(): void;
}

interface ListenerParts {
  readonly baseUrl: string;
  readonly WebSocket: RuleSocketClass;
  readonly until: (what: string, probe: () => Promise<boolean>) => Promise<void>;
}

/** A stream endpoint with the schema of its events, and the origin to send, if any. */
export interface ListenerEndpoint<Schema extends 'RobotEvent' | 'SimEvent'> {
  readonly id: 'openStream' | 'openSimStream';
  readonly schema: Schema;
  readonly origin?: string | undefined;
}

/** Opens a stream as an actor; resolves when it is open. */
export async function createListener<Schema extends 'RobotEvent' | 'SimEvent'>(
  { baseUrl, WebSocket, until }: ListenerParts,
  actor: Actor,
  endpoint: ListenerEndpoint<Schema>,
): Promise<StreamListener<SchemaTypes[Schema]>> {
  type Event = SchemaTypes[Schema];
  const events: Event[] = [];
  let validated = 0;
  let isOpen = true;
  const caller = {
    session: async () => actor.session,
    call: async () => undefined,
    forget: () => {},
  };
  const schedule = () => () => {};
  const options = endpoint.origin === undefined ? {} : { origin: endpoint.origin };
  let socket: RuleSocket | null = null;
  class OriginSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, options);
      socket = this;
    }
  }
  const { path } = routeOf(endpoint.id);
  const stream = openEventStream<Event>(
    { baseUrl, path, WebSocket: OriginSocket, schedule, caller, lifetime: new Lifetime() },
    {
      onEvent: (event) => events.push(event),
      onStatus: (status) => {
        isOpen = status !== 'closed';
      },
    },
  );
  await stream.opened;

  function validateNew(): void {
    for (; validated < events.length; validated++) expect.fits(endpoint.schema, events[validated]);
  }

  return {
    events,
    isOpen: () => isOpen,
    close: () => stream.close(),
    pauseReading: (paused) => (paused ? socket?.pause() : socket?.resume()),
    async received(type, fits = () => true) {
      type Wanted = Extract<Event, { type: typeof type }>;
      const isWanted = (event: Event): event is Wanted =>
        event.type === type && fits(event as Wanted);
      await until(`a matching event ${type} arrives`, async () => events.some(isWanted));
      validateNew();
      return events.find(isWanted)!;
    },
  };
}
