/** The events that an actor hears during a rule, each held against its schema (spec §6.1). */
import { openEventStream, type StreamSocketClass } from '../client/event-stream.ts';
import { routeOf } from '../routes.ts';
import type { RobotEvent } from '../types.ts';
import { EXPECTATION as expect } from './expectation.ts';
import type { Actor, Listener } from './rule.ts';

export interface ListenerParts {
  readonly baseUrl: string;
  readonly WebSocket: StreamSocketClass;
  readonly until: (what: string, probe: () => Promise<boolean>) => Promise<void>;
}

/** Opens the stream as an actor; resolves when it is open. */
export async function createListener(parts: ListenerParts, actor: Actor): Promise<Listener> {
  const events: RobotEvent[] = [];
  let judged = 0;
  let isOpen = true;
  const caller = {
    session: async () => actor.session,
    call: async () => undefined,
    forget: () => {},
  };
  const { baseUrl, WebSocket } = parts;
  const schedule = () => () => {};
  const { path } = routeOf('openStream');
  const stream = openEventStream<RobotEvent>(
    { baseUrl, path, WebSocket, schedule, caller },
    {
      onEvent: (event) => events.push(event),
      onStatus: (status) => {
        isOpen = status !== 'closed';
      },
    },
  );
  await stream.opened;

  function judge(): void {
    for (; judged < events.length; judged++) expect.fits('RobotEvent', events[judged]);
  }

  return {
    events,
    isOpen: () => isOpen,
    close: () => stream.close(),
    async heard(type, fits = () => true) {
      type Wanted = Extract<RobotEvent, { type: typeof type }>;
      const isWanted = (event: RobotEvent): event is Wanted =>
        event.type === type && fits(event as Wanted);
      await parts.until(`an event ${type} that fits arrives`, async () => events.some(isWanted));
      judge();
      return events.find(isWanted)!;
    },
  };
}
