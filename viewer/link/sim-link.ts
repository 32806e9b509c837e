/**
 * The simulation link: keeps clock, lock time, contacts, log and obstacles of the simulation
 * control API (/sim/v1) in the store. Only admins of a simulated arm have access; for other users
 * the store's `sim` stays null. Loaded as its own chunk after the live view.
 */
import type { EventStream } from '../../contract/client.ts';
import type { SimEvent, SimLogEvent } from '../../contract/types.ts';
import type { ArmCalls } from './arm-calls.ts';
import type { ArmStore, SimView } from './arm-store.ts';

/** Poll period; a paused or stepped clock sends no events. */
const POLL_MS = 500;
/** Obstacles are polled at every nth poll. */
const OBSTACLE_POLLS = 4;
const LOG_MAX = 200;

export interface SimLink {
  /** Subscribes if this user has access to the simulation control API. */
  start(): Promise<void>;
  stop(): void;
}

/** Applies an event to the view. */
export function applySimEvent(view: SimView, event: SimEvent): SimView {
  switch (event.type) {
    case 'clock':
      return { ...view, clock: event.clock };
    case 'lock':
      return { ...view, lockLeft_s: event.holder ? event.left_s : null };
    case 'contact':
      return view;
    case 'touching':
      return { ...view, touches: event.touches };
    case 'violation': {
      const text = `Violated: ${event.statement}; ${event.left}, but ${event.right}`;
      const entry: SimLogEvent = { type: 'log', level: 'error', text, tick: event.tick };
      return { ...view, log: [entry, ...view.log].slice(0, LOG_MAX) };
    }
    case 'log': {
      const entry: SimLogEvent = event;
      return { ...view, log: [entry, ...view.log].slice(0, LOG_MAX) };
    }
  }
}

/** Returns `before` if the obstacles are equal, so that they are not drawn again. */
export function reuseIfEqual(
  before: SimView['obstacles'],
  now: SimView['obstacles'],
): SimView['obstacles'] {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** Whether the arm is simulated and the user is an admin. */
async function hasAccess(calls: ArmCalls): Promise<boolean> {
  const { driver, user_id } = calls.identity();
  if (driver === null || driver === 'upstream') return false;
  if (user_id === null) return true;
  const users = await calls.call((client) => client.listUsers());
  return users.ok && users.value.users.some(({ id, role }) => id === user_id && role === 'admin');
}

/** The obstacles; null if the driver has no simulated world. */
async function readObstacles(calls: ArmCalls): Promise<SimView['obstacles']> {
  const world = await calls.call((client) => client.listObstacles());
  return world.ok ? world.value.obstacles : null;
}

/** Creates a link; `start` opens it. */
export function createSimLink(store: ArmStore, calls: ArmCalls): SimLink {
  let stream: EventStream | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastEvent_ms = 0;
  let polls = 0;

  function patchView(patch: Partial<SimView>): void {
    const { sim } = store.view();
    if (sim) store.set({ sim: { ...sim, ...patch } });
  }

  function onEvent(event: SimEvent): void {
    lastEvent_ms = performance.now();
    const { sim } = store.view();
    if (sim) store.set({ sim: applySimEvent(sim, event) });
  }

  /** Polls the obstacles: other clients may change them, and no event reports it. */
  async function refreshObstacles(): Promise<void> {
    const { sim } = store.view();
    if (!sim?.obstacles) return;
    const obstacles = reuseIfEqual(sim.obstacles, await readObstacles(calls));
    if (obstacles !== store.view().sim?.obstacles) patchView({ obstacles });
  }

  async function poll(): Promise<void> {
    if (document.hidden || store.view().link !== 'live') return;
    polls++;
    if (polls % OBSTACLE_POLLS === 0) void refreshObstacles();
    if (performance.now() - lastEvent_ms < 2 * POLL_MS) return;
    const clock = await calls.call((client) => client.getClock());
    if (clock.ok) patchView({ clock: clock.value });
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
      if (!(await hasAccess(calls))) return;
      const clock = await calls.call((client) => client.getClock());
      if (!clock.ok) return;
      const obstacles = await readObstacles(calls);
      store.set({
        sim: { clock: clock.value, lockLeft_s: null, touches: [], obstacles, log: [] },
      });
      stream = calls.client()?.simEvents({ onEvent, reconnect: true });
      stream?.opened.catch(() => undefined);
      timer = setInterval(() => void poll(), POLL_MS);
    },
  };
}
