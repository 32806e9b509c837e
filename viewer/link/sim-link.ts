/**
 * Keeps what the hand on the twin (/sim/v1) tells in the store: clock, lock time, touches, log and
 * obstacles. Only an admin of a twin has one; for everybody else the store's `sim` stays null and
 * what needs it hides. In a chunk of its own, for the live view is drawn without it.
 */
import type { EventStream } from '../../contract/client.ts';
import type { SimEvent, SimLogEvent } from '../../contract/types.ts';
import type { ArmCalls } from './arm-calls.ts';
import type { ArmStore, SimView } from './arm-store.ts';

/** A paused or stepped clock sends nothing: then the page asks this often. */
const ASK_MS = 500;
/** Each so many times it looks for obstacles too. */
const LOOK_EVERY = 4;
const LOG_MAX = 200;

export interface SimLink {
  /** Looks whether there is a hand on the twin for this user, and follows it. */
  start(): Promise<void>;
  stop(): void;
}

/** The view with an event in it. */
export function afterEvent(view: SimView, event: SimEvent): SimView {
  switch (event.type) {
    case 'clock':
      return { ...view, clock: event.clock };
    case 'lock':
      return { ...view, lockLeft_s: event.holder ? event.left_s : null };
    case 'touching':
      return { ...view, touches: event.touches };
    case 'log': {
      const entry: SimLogEvent = event;
      return { ...view, log: [entry, ...view.log].slice(0, LOG_MAX) };
    }
  }
}

/** What was known before, where nothing has changed: what hangs on it need not be drawn anew. */
export function knownObstacles(
  before: SimView['obstacles'],
  now: SimView['obstacles'],
): SimView['obstacles'] {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** Whether the arm speaks as a twin and the user is an admin; asking more would only be refused. */
async function mayAsk(calls: ArmCalls): Promise<boolean> {
  const { driver, user_id } = calls.identity();
  if (driver === null || driver === 'upstream') return false;
  if (user_id === null) return true;
  const users = await calls.call((client) => client.listUsers());
  return users.ok && users.value.users.some(({ id, role }) => id === user_id && role === 'admin');
}

/** What stands in the arm's way; null where there is no simulated world. */
async function readObstacles(calls: ArmCalls): Promise<SimView['obstacles']> {
  const world = await calls.call((client) => client.listObstacles());
  return world.ok ? world.value.obstacles : null;
}

/** A link at rest; `start` opens it. */
export function createSimLink(store: ArmStore, calls: ArmCalls): SimLink {
  let stream: EventStream | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let heard_ms = 0;
  let asked = 0;

  function change(patch: Partial<SimView>): void {
    const { sim } = store.view();
    if (sim) store.set({ sim: { ...sim, ...patch } });
  }

  function onEvent(event: SimEvent): void {
    heard_ms = performance.now();
    const { sim } = store.view();
    if (sim) store.set({ sim: afterEvent(sim, event) });
  }

  /** Others may put obstacles there, and no stream tells of them. */
  async function lookAround(): Promise<void> {
    const { sim } = store.view();
    if (!sim?.obstacles) return;
    const obstacles = knownObstacles(sim.obstacles, await readObstacles(calls));
    if (obstacles !== store.view().sim?.obstacles) change({ obstacles });
  }

  async function ask(): Promise<void> {
    if (document.hidden || store.view().link !== 'live') return;
    asked++;
    if (asked % LOOK_EVERY === 0) void lookAround();
    if (performance.now() - heard_ms < 2 * ASK_MS) return;
    const clock = await calls.call((client) => client.getClock());
    if (clock.ok) change({ clock: clock.value });
  }

  function stop(): void {
    clearInterval(timer);
    stream?.close();
    stream = undefined;
    if (store.view().sim) store.set({ sim: null });
  }

  return {
    stop,
    async start() {
      stop();
      if (!(await mayAsk(calls))) return;
      const clock = await calls.call((client) => client.getClock());
      if (!clock.ok) return;
      const obstacles = await readObstacles(calls);
      store.set({
        sim: { clock: clock.value, lockLeft_s: null, touches: [], obstacles, log: [] },
      });
      stream = calls.client()?.simEvents({ onEvent, reconnect: true });
      stream?.opened.catch(() => undefined);
      timer = setInterval(() => void ask(), ASK_MS);
    },
  };
}
