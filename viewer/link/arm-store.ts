/**
 * Keeps the view of the robot and replaces it on change. The live link and the simulation link
 * write it; panels read it.
 */
import type { ArmView, LogEntry } from './arm-view.ts';

const EMPTY: ArmView = {
  link: 'connecting',
  name: '',
  version: '',
  driver: null,
  clock: null,
  isInMemory: false,
  user_id: null,
  usersRevision: 0,
  snapshot: null,
  lock: null,
  workflow: null,
  lockHeldHere: false,
  toolpaths: [],
  isListed: false,
  loaded: null,
  shown: null,
  log: [],
  notice: null,
  rate_hz: 0,
  sim: null,
  cause: null,
  runStarted_ms: null,
  loopStarted_ms: null,
  pausedSince_ms: null,
  runStartedAt: null,
  lookBack: null,
  runs: null,
};

const LOG_MAX = 200;

export interface ArmStore {
  view(): ArmView;
  set(patch: Partial<ArmView>): void;
  log(entries: readonly LogEntry[]): void;
  /** Calls back after every change; changes are not batched. */
  subscribe(listener: (view: ArmView, before: ArmView) => void): void;
}

/** Creates an empty store. */
export function createArmStore(): ArmStore {
  let view = EMPTY;
  const listeners: ((view: ArmView, before: ArmView) => void)[] = [];
  function set(patch: Partial<ArmView>): void {
    const before = view;
    view = { ...view, ...patch };
    for (const listener of listeners) listener(view, before);
  }
  return {
    view: () => view,
    set,
    log(entries) {
      if (entries.length > 0)
        set({ log: [...[...entries].reverse(), ...view.log].slice(0, LOG_MAX) });
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
