/**
 * The simulation link: keeps clock, status, lock time, contacts, faults, log and obstacles of the
 * simulation control API (/sim/v1) in the store. Only admins of a simulated arm have access; for
 * other users the store's `sim` stays null. Loaded as its own chunk after the live view.
 */

import type { EventStream, StreamStatus } from '../../contract/client.ts';
import type { SimContact, SimEvent, SimLogEvent } from '../../contract/types.generated.ts';
import { narrowerRange } from '../../physics/arm/arm-range.ts';
import { onChange } from '../ui/view-store.ts';
import type { ArmCalls } from './arm-calls.ts';
import { type ArmStore, onBack } from './arm-store.ts';
import type { Notice, SimView } from './arm-view.ts';
import { isPassing } from './call-failure.ts';
import { cellLogEntries } from './cell-log.ts';
import { cellOf, mergeCell } from './cell-merge.ts';
import { reuseIfEqual } from './reuse-if-equal.ts';

/** Poll period; a paused or stepped clock sends no events. */
const POLL_MS = 500;
/** Obstacles, faults and contacts are polled at every nth poll: no event reports all of them. */
const WORLD_POLLS = 4;
const LOG_MAX = 200;
const CELL_EVENTS_MAX = 100;
/** Pause before the link asks again whether this user has access. */
const RETRY_MS = 1000;

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
      return {
        ...view,
        lockLeft_s: event.holder && event.left_s,
        lockHolder: event.holder?.user_id ?? null,
      };
    case 'contact':
      return { ...view, contacts: mergeContact(view.contacts, event.contact) };
    case 'status':
      return { ...view, status: event.status };
    case 'cell':
      return { ...view, cell: event.cell && cellOf(event.cell, null), isCellKnown: true };
    case 'cell_state':
      return { ...view, cell: mergeCell(view.cell, event.state) };
    case 'cell_check':
      return { ...view, cellCheck: event.check };
    case 'cell_event': {
      const events = [event.event, ...(view.cell?.events ?? [])].slice(0, CELL_EVENTS_MAX);
      return { ...view, cell: view.cell && { ...view.cell, events } };
    }
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

/** Whether the arm is simulated and the user is an admin; undefined without an answer. */
async function hasAccess(calls: ArmCalls): Promise<boolean | undefined> {
  const { driver, user_id } = calls.identity();
  if (driver === null || driver === 'upstream') return false;
  if (user_id === null) return true;
  const users = await calls.call((client) => client.listUsers());
  if (!users.ok) return isPassing(users.error) ? undefined : false;
  return users.value.users.some(({ id, role }) => id === user_id && role === 'admin');
}

/** The obstacles; null if the driver has no simulated world, undefined without an answer. */
async function readObstacles(calls: ArmCalls): Promise<SimView['obstacles'] | undefined> {
  const world = await calls.call((client) => client.listObstacles());
  if (world.ok) return world.value.obstacles;
  return isPassing(world.error) ? undefined : null;
}

/** What the view starts with; null without access, undefined where it is not known yet. */
async function readStart(
  calls: ArmCalls,
): Promise<Pick<SimView, 'clock' | 'status' | 'obstacles'> | null | undefined> {
  const access = await hasAccess(calls);
  if (!access) return access === undefined ? undefined : null;
  const clock = await calls.call((client) => client.getClock());
  if (!clock.ok) return isPassing(clock.error) ? undefined : null;
  const [now, obstacles] = await Promise.all([readNow(calls), readObstacles(calls)]);
  return now && obstacles !== undefined ? { ...now, obstacles } : undefined;
}

/** The answer to a question that is asked until it is known or no longer wanted. */
async function untilKnown<Answer>(
  ask: () => Promise<Answer | undefined>,
  isOver: () => boolean,
): Promise<Answer | undefined> {
  const answer = await ask();
  if (answer !== undefined || isOver()) return answer;
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  return untilKnown(ask, isOver);
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
    // Null stands for an arm without a world, which a lost reply does not make of this one.
    obstacles: obstacles ? reuseIfEqual(sim.obstacles, obstacles) : sim.obstacles,
    faults: faults.ok ? reuseIfEqual(sim.faults, faults.value.faults) : sim.faults,
    contacts: contacts?.ok ? reuseIfEqual(sim.contacts, contacts.value) : sim.contacts,
  };
}

/**
 * Reads the whole cell: the stream sends only its changes. Asked again until it is known: an edit
 * of a cell that only seems to be empty would replace the one that is there.
 */
async function readCell(
  calls: ArmCalls,
): Promise<Partial<Pick<SimView, 'cell' | 'isCellKnown' | 'cellCheck'>>> {
  const reply = await calls.call((client) => client.getCell());
  if (!reply.ok && isPassing(reply.error) && calls.client()) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return readCell(calls);
  }
  if (!reply.ok) return {};
  const { cell, state } = reply.value;
  const known = { cell: cell && cellOf(cell, state), isCellKnown: true };
  const found = cell && (await calls.call((client) => client.getCellCheck()));
  return found?.ok ? { ...known, cellCheck: found.value.check } : known;
}

/** Reads the profile and the range of the arm. */
async function readArm(calls: ArmCalls): Promise<Partial<Pick<SimView, 'profile' | 'jointRange'>>> {
  const reply = await calls.call((client) => client.getFidelity());
  if (!reply.ok) return {};
  const { profile, joint_range } = reply.value;
  return { profile, jointRange: narrowerRange(joint_range) };
}

/** Reads when each toolpath was saved last. */
async function readModified(calls: ArmCalls): Promise<Partial<Pick<SimView, 'modified'>>> {
  const reply = await calls.call((client) => client.listSavedToolpaths());
  if (!reply.ok) return {};
  const known = reply.value.toolpaths.map(({ id, modified_at }) => [id, modified_at] as const);
  return { modified: new Map(known) };
}

/** Reads what no event states as a whole: profile, saved toolpaths, cell of a simulated world. */
function readAround(calls: ArmCalls, hasWorld: boolean): Promise<Partial<SimView>>[] {
  return [readArm(calls), readModified(calls), ...(hasWorld ? [readCell(calls)] : [])];
}

/** Before the first replies. */
const UNKNOWN: Omit<SimView, 'clock' | 'status' | 'obstacles'> = {
  faults: [],
  contacts: null,
  lockLeft_s: null,
  lockHolder: null,
  touches: [],
  log: [],
  cell: null,
  isCellKnown: false,
  cellCheck: null,
  profile: null,
  jointRange: null,
  modified: null,
};

/** Adds a line to the log after a time in which the page heard nothing of the twin. */
async function noteGap(store: ArmStore, calls: ArmCalls): Promise<void> {
  const now = await readNow(calls);
  const { sim } = store.view();
  if (!now || !sim) return;
  const text = 'This page was not connected for a moment; what happened meanwhile is not listed';
  const entry: SimLogEvent = { type: 'log', level: 'warning', text, tick: now.clock.tick };
  patchSim(store, { ...now, log: [entry, ...sim.log].slice(0, LOG_MAX) });
}

function isChanged(before: SimView, next: Partial<SimView>): boolean {
  const keys = Object.keys(next) as (keyof SimView)[];
  return keys.some((key) => before[key] !== next[key]);
}

function patchSim(store: ArmStore, patch: Partial<SimView>): void {
  const { sim } = store.view();
  if (sim) store.set({ sim: { ...sim, ...patch } });
}

async function refreshWorld(store: ArmStore, calls: ArmCalls): Promise<void> {
  const { sim } = store.view();
  const next = sim && (await readWorld(calls, sim));
  if (next && isChanged(sim, next)) patchSim(store, next);
}

/** Calls `action` each time the stream is open, with whether it was before. */
function onOpened(action: (isAgain: boolean) => void): (status: StreamStatus) => void {
  let hasOpened = false;
  return (status) => {
    if (status !== 'open') return;
    action(hasOpened);
    hasOpened = true;
  };
}

/** Creates a link that is open from `start` to `stop`, if this user has access at the start. */
function createStreamLink(store: ArmStore, calls: ArmCalls): SimLink {
  let stream: EventStream | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastEvent_ms = 0;
  let polls = 0;
  let starts = 0;

  const patchView = (patch: Partial<SimView>): void => patchSim(store, patch);
  // A toolpath was saved or deleted.
  onChange(
    store.shown.toolpaths,
    () => store.view().sim && void readModified(calls).then(patchView),
  );

  function onEvent(event: SimEvent): void {
    lastEvent_ms = performance.now();
    const { sim } = store.view();
    const entries = cellLogEntries(sim, event);
    if (sim) store.set({ sim: applySimEvent(sim, event) });
    store.log(entries);
  }

  async function poll(): Promise<void> {
    if (document.hidden || store.view().link !== 'live') return;
    // Another client may set the clock while events of other kinds arrive.
    if (++polls % WORLD_POLLS === 0) void refreshWorld(store, calls);
    else if (performance.now() - lastEvent_ms < 2 * POLL_MS) return;
    const now = await readNow(calls);
    if (now) patchView(now);
  }

  function stop(): void {
    starts += 1;
    clearInterval(timer);
    stream?.close();
    stream = undefined;
    if (store.view().sim) store.set({ sim: null });
  }

  function follow(hasWorld: boolean): void {
    void refreshWorld(store, calls);
    const onStatus = onOpened((isAgain) => {
      for (const read of readAround(calls, hasWorld)) void read.then(patchView);
      if (isAgain) void noteGap(store, calls);
    });
    stream = calls.client()?.simEvents({ onEvent, onStatus, reconnect: true });
    stream?.opened.catch(() => undefined);
    timer = setInterval(() => void poll(), POLL_MS);
  }

  return {
    stop,
    async start() {
      stop();
      const number = starts;
      const isOver = (): boolean => number !== starts;
      const now = await untilKnown(() => readStart(calls), isOver);
      // A later start or a stop has come in between.
      if (!now || isOver()) return;
      store.set({ sim: { ...UNKNOWN, ...now } });
      follow(now.obstacles !== null);
    },
  };
}

const NO_LONGER_ADMIN: Notice = {
  text: 'You are no longer an admin: clock, faults and cell of the simulation are closed to you.',
  code: '',
};

/**
 * Creates a link; `start` opens it. It closes while another admin takes the role of this user away:
 * what it has read would stay on the screen as if it were true.
 */
export function createSimLink(store: ArmStore, calls: ArmCalls): SimLink {
  const link = createStreamLink(store, calls);
  let isWanted = false;

  async function followRole(): Promise<void> {
    if (!isWanted) return;
    const isAdmin = await untilKnown(
      () => hasAccess(calls),
      () => !isWanted,
    );
    const isOpen = store.view().sim !== null;
    if (!isWanted || isAdmin === undefined || isAdmin === isOpen) return;
    if (isAdmin) return link.start();
    link.stop();
    store.set({ notice: NO_LONGER_ADMIN });
  }

  onChange(store.shown.usersRevision, () => void followRole());
  // A user may have been changed while no data arrived.
  onBack(store, () => void followRole());
  return {
    start() {
      isWanted = true;
      return link.start();
    },
    stop() {
      isWanted = false;
      link.stop();
    },
  };
}
