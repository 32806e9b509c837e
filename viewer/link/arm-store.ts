/**
 * Keeps the view of the robot and replaces it on change. The live link and the simulation link
 * write it; panels read it.
 */

import { computed } from '@preact/signals';
import { onChange, ViewStore } from '../ui/view-store.ts';
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

/** What the page knows of the robot. */
export class ArmStore extends ViewStore<ArmView> {
  constructor() {
    super(EMPTY);
  }

  /** Adds lines to the list of events. */
  log(entries: readonly LogEntry[]): void {
    if (entries.length === 0) return;
    this.set({ log: [...[...entries].reverse(), ...this.view().log].slice(0, LOG_MAX) });
  }
}

/** Calls back when data of the arm arrive again. */
export function onBack(store: ArmStore, isBack: () => void): void {
  onChange(
    computed(() => store.shown.link.value === 'live'),
    (isLive) => isLive && isBack(),
  );
}
