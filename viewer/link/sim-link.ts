/**
 * The simulation link: keeps clock, status, lock time, contacts, faults, log and obstacles of the
 * simulation control API (/sim/v1) in the store. Only admins of a simulated arm have access; for
 * other users the store's `sim` stays null. Loaded as its own chunk after the live view.
 */
import type { EventStream } from '../../contract/client.ts';
import type { SimContact, SimEvent, SimLogEvent } from '../../contract/types.ts';
import type { ArmCalls } from './arm-calls.ts';
import type { ArmStore, SimView } from './arm-store.ts';

/** Poll period; a paused or stepped clock sends no events. */
const POLL_MS = 500;
/** Obstacles, faults and contacts are polled at every nth poll: no event reports all of them. */
const WORLD_POLLS = 2;
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
      return { ...view, contacts: mergeContact(view.contacts, event.contact) };
    case 'status':
      return { ...view, status: event.status };
    case 'cell':
    case 'cell_state':
    case 'cell_event':
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

/** Replaces a contact by its newer state, or adds it. */
function mergeContact(before: SimView['contacts'], contact: SimContact): SimView['contacts'] {
  if (!before) return before;
  const others = before.contacts.filter(({ id }) => id !== contact.id);
  return { ...before, contacts: [...others, contact] };
}

/** Returns `before` if the values are equal, so that nothing is drawn again. */
export function reuseIfEqual<Value>(before: Value, now: Value): Value {
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

/** Reads clock and status, which change without an event while nothing moves. */
async function readNow(calls: ArmCalls): Promise<Pick<SimView, 'clock' | 'status'> | null> {
  const [clock, status] = await Promise.all([
    calls.call((client) => client.getClock()),
    calls.call((client) => client.getStatus()),
  ]);
  return clock.ok && status.ok ? { clock: clock.value, status: status.value } : null;
}

/** Reads what other clients may change without an event; equal values stay the same objects. */
async function readWorld(
  calls: ArmCalls,
  sim: SimView,
): Promise<Pick<SimView, 'obstacles' | 'faults' | 'contacts'>> {
  const [obstacles, faults, contacts] = await Promise.all([
    sim.obstacles && readObstacles(calls),
    calls.call((client) => client.listFaults()),
    sim.obstacles && calls.call((client) => client.listContacts()),
  ]);
  return {
    obstacles: reuseIfEqual(sim.obstacles, obstacles),
    faults: faults.ok ? reuseIfEqual(sim.faults, faults.value.faults) : sim.faults,
    contacts: contacts?.ok ? reuseIfEqual(sim.contacts, contacts.value) : sim.contacts,
  };
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

  async function refreshWorld(): Promise<void> {
    const { sim } = store.view();
    if (!sim) return;
    const next = await readWorld(calls, sim);
    const changed = Object.keys(next) as (keyof typeof next)[];
    if (changed.some((key) => sim[key] !== next[key])) patchView(next);
  }

  async function poll(): Promise<void> {
    if (document.hidden || store.view().link !== 'live') return;
    polls++;
    if (polls % WORLD_POLLS === 0) void refreshWorld();
    if (performance.now() - lastEvent_ms < 2 * POLL_MS) return;
    const now = await readNow(calls);
    if (now) patchView(now);
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
      const now = await readNow(calls);
      if (!now) return;
      const obstacles = await readObstacles(calls);
      const empty = { faults: [], contacts: null, lockLeft_s: null, touches: [], log: [] };
      store.set({ sim: { ...now, ...empty, obstacles } });
      void refreshWorld();
      stream = calls.client()?.simEvents({ onEvent, reconnect: true });
      stream?.opened.catch(() => undefined);
      timer = setInterval(() => void poll(), POLL_MS);
    },
  };
}
