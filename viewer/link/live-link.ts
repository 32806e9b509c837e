/**
 * Keeps the store true to the robot: opens the stream, asks for a snapshot whenever the stream is
 * silent (a resting arm sends nothing), and declares the view stale when neither answers.
 */
import type { EventStream } from '../../contract/client.ts';
import type { RobotEvent, Snapshot } from '../../contract/types.ts';
import type { ArmCalls } from './arm-calls.ts';
import { type ArmStore, isUnderWay } from './arm-store.ts';
import { eventSentence, type Sentence, snapshotSentences } from './event-sentences.ts';
import type { PoseBuffer } from './pose-buffer.ts';
import { mergeChanges } from './snapshot-merge.ts';
import { createStaleness, type Staleness } from './staleness.ts';

const POSITION = 'servos.telemetry.position';
const CHECK_MS = 100;
/** After this much silence the page asks. */
const SILENCE_MS = 200;
/** After a call that failed, the next waits this long. */
const REST_MS = 400;
const RATE_WINDOW_MS = 1000;

export interface LiveLinkParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly poses: PoseBuffer;
  /** A new pose has arrived. */
  readonly moved: () => void;
}

export interface LiveLink {
  /** Starts with the session that `calls` holds. */
  start(): Promise<void>;
  stop(): void;
  reconnect(): void;
  readonly staleness: Staleness;
}

/** When run and loop were seen to begin, from one snapshot to the next. */
function beginnings(old: Snapshot | null, now: Snapshot, now_ms: number) {
  const began = old !== null && !isUnderWay(old) && isUnderWay(now);
  const looped = old !== null && old.control.loop_count !== now.control.loop_count;
  if (began) return { runSeen_ms: now_ms, loopSeen_ms: now_ms, runStarted: new Date() };
  if (!isUnderWay(now)) return { runSeen_ms: null, loopSeen_ms: null, runStarted: null };
  return looped ? { loopSeen_ms: now_ms } : {};
}

export function createLiveLink(parts: LiveLinkParts): LiveLink {
  const { store, calls, poses } = parts;
  const staleness = createStaleness();
  let timer: ReturnType<typeof setInterval> | undefined;
  let stream: EventStream | undefined;
  let asking = false;
  let resting_ms = 0;
  let arrivals: number[] = [];

  function say(sentences: readonly Sentence[]): void {
    store.log(sentences.map((sentence) => ({ at: new Date(), ...sentence })));
  }

  function heard(now_ms: number): void {
    staleness.heard(now_ms);
    if (store.view().link !== 'live') store.set({ link: 'live' });
  }

  function accept(snapshot: Snapshot, now_ms: number): void {
    const old = store.view().snapshot;
    // At rest every snapshot repeats the pose; only a new one is worth a frame.
    if (!old || snapshot[POSITION].some((angle, j) => angle !== old[POSITION][j])) {
      poses.push(snapshot[POSITION], now_ms);
      parts.moved();
    }
    store.set({ snapshot, ...beginnings(old, snapshot, now_ms) });
    if (old) say(snapshotSentences(old, snapshot));
    if (old?.control.toolpath_hash !== snapshot.control.toolpath_hash) void readLoaded();
  }

  function onEvent(event: RobotEvent): void {
    const now_ms = performance.now();
    heard(now_ms);
    const old = store.view().snapshot;
    if (event.type === 'state_change') {
      if (POSITION in event.changes) arrivals.push(now_ms);
      if (old) accept(mergeChanges(old, event.changes), now_ms);
      return;
    }
    if (event.type === 'lock_status') {
      const here = event.lock.owner === 'you' && store.view().lockTakenHere;
      store.set({ lock: event.lock, lockTakenHere: here });
    }
    const sentence = eventSentence(event);
    if (sentence) say([sentence]);
    if (event.type.startsWith('toolpath_')) void readToolpaths();
  }

  async function ask(): Promise<void> {
    if (asking || performance.now() < resting_ms) return;
    asking = true;
    const asked_ms = performance.now();
    const outcome = await calls.call((client) => client.getSnapshot());
    asking = false;
    resting_ms = outcome.ok ? 0 : performance.now() + REST_MS;
    if (!outcome.ok) return;
    const now_ms = performance.now();
    // Words of the stream that came meanwhile are newer than this reply.
    const overtaken = staleness.age_ms(now_ms) < now_ms - asked_ms;
    heard(now_ms);
    if (!overtaken || !store.view().snapshot) accept(outcome.value.snapshot, now_ms);
    store.set(calls.identity());
  }

  async function readToolpaths(): Promise<void> {
    const outcome = await calls.call((client) => client.listToolpaths());
    if (!outcome.ok) return;
    store.set({ toolpaths: outcome.value.toolpaths });
    await readLoaded();
  }

  /** Reads the loaded toolpath, if it is among this user's: its tool, zones and duration. */
  async function readLoaded(): Promise<void> {
    const { snapshot, toolpaths, loaded } = store.view();
    const hash = snapshot?.control.toolpath_hash;
    if (!hash || loaded?.hash === hash) return;
    const head = toolpaths.find((toolpath) => toolpath.hash === hash);
    if (!head) return store.set({ loaded: null });
    const parameters = { toolpath_id: head.id };
    const outcome = await calls.call((client) => client.buildToolpath(parameters));
    if (!outcome.ok) return;
    const { toolpath, trajectory } = outcome.value.toolpath;
    store.set({ loaded: { hash, toolpath, duration_s: trajectory.duration ?? null } });
  }

  function check(): void {
    const now_ms = performance.now();
    arrivals = arrivals.filter((time) => now_ms - time < RATE_WINDOW_MS);
    if (arrivals.length !== store.view().rate_hz) store.set({ rate_hz: arrivals.length });
    if (staleness.age_ms(now_ms) > SILENCE_MS && !document.hidden) void ask();
    if (staleness.isStale(now_ms) && store.view().link === 'live') store.set({ link: 'stale' });
  }

  function open(): void {
    stream?.close();
    stream = calls.client()?.events({
      onEvent,
      onStatus: (status) => {
        if (status === 'open') void readAll();
      },
      reconnect: true,
    });
    // A stream that cannot open now comes back by itself; polling bridges the time.
    stream?.opened.catch(() => undefined);
  }

  async function readAll(): Promise<void> {
    const [lock, name, versions] = await Promise.all([
      calls.call((client) => client.getLock()),
      calls.call((client) => client.getName()),
      calls.call((client) => client.getVersions()),
      ask(),
    ]);
    if (lock.ok) store.set({ lock: lock.value });
    if (name.ok) store.set({ name: name.value.name });
    if (versions.ok) store.set({ version: versions.value.robot });
    await readToolpaths();
  }

  document.addEventListener('visibilitychange', () => {
    staleness.setHidden(document.hidden, performance.now());
    if (!document.hidden && timer !== undefined) void ask();
  });

  return {
    staleness,
    async start() {
      clearInterval(timer);
      timer = setInterval(check, CHECK_MS);
      open();
      await ask();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      stream?.close();
      stream = undefined;
    },
    reconnect() {
      open();
      void ask();
    },
  };
}
