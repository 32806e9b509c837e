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
  /** Opens the stream anew and asks for a snapshot, without waiting. */
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

class PollingLink implements LiveLink {
  readonly staleness = createStaleness();
  private readonly parts: LiveLinkParts;
  private timer: ReturnType<typeof setInterval> | undefined;
  private stream: EventStream | undefined;
  private asking = false;
  private resting_ms = 0;
  private arrivals: number[] = [];

  constructor(parts: LiveLinkParts) {
    this.parts = parts;
    document.addEventListener('visibilitychange', () => {
      this.staleness.setHidden(document.hidden, performance.now());
      if (!document.hidden && this.timer !== undefined) void this.ask();
    });
  }

  async start(): Promise<void> {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.check(), CHECK_MS);
    this.open();
    await this.ask();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stream?.close();
    this.stream = undefined;
  }

  reconnect(): void {
    this.open();
    void this.ask();
  }

  private open(): void {
    this.stream?.close();
    this.stream = this.parts.calls.client()?.events({
      onEvent: (event) => this.onEvent(event),
      onStatus: (status) => {
        if (status === 'open') void this.readAll();
      },
      reconnect: true,
    });
    // A stream that cannot open now comes back by itself; polling bridges the time.
    this.stream?.opened.catch(() => undefined);
  }

  private say(sentences: readonly Sentence[]): void {
    this.parts.store.log(sentences.map((sentence) => ({ at: new Date(), ...sentence })));
  }

  private heard(now_ms: number): void {
    const { store } = this.parts;
    this.staleness.heard(now_ms);
    if (store.view().link !== 'live') store.set({ link: 'live' });
  }

  private accept(snapshot: Snapshot, now_ms: number): void {
    const { store, poses, moved } = this.parts;
    const old = store.view().snapshot;
    // At rest every snapshot repeats the pose; only a new one is worth a frame.
    if (!old || snapshot[POSITION].some((angle, j) => angle !== old[POSITION][j])) {
      poses.push(snapshot[POSITION], now_ms);
      moved();
    }
    store.set({ snapshot, ...beginnings(old, snapshot, now_ms) });
    if (old) this.say(snapshotSentences(old, snapshot));
    if (old?.control.toolpath_hash !== snapshot.control.toolpath_hash) void this.readLoaded();
  }

  private onEvent(event: RobotEvent): void {
    const { store } = this.parts;
    const now_ms = performance.now();
    this.heard(now_ms);
    const old = store.view().snapshot;
    if (event.type === 'state_change') {
      if (POSITION in event.changes) this.arrivals.push(now_ms);
      if (old) this.accept(mergeChanges(old, event.changes), now_ms);
      return;
    }
    if (event.type === 'lock_status') {
      const here = event.lock.owner === 'you' && store.view().lockTakenHere;
      store.set({ lock: event.lock, lockTakenHere: here });
    }
    const sentence = eventSentence(event);
    if (sentence) this.say([sentence]);
    if (event.type.startsWith('toolpath_')) void this.readToolpaths();
    if (event.type.startsWith('user_')) store.set({ userNews: store.view().userNews + 1 });
  }

  private async ask(): Promise<void> {
    if (this.asking || performance.now() < this.resting_ms) return;
    const { store, calls } = this.parts;
    this.asking = true;
    const asked_ms = performance.now();
    const outcome = await calls.call((client) => client.getSnapshot());
    this.asking = false;
    const now_ms = performance.now();
    this.resting_ms = outcome.ok ? 0 : now_ms + REST_MS;
    if (!outcome.ok) return;
    // Words of the stream that came meanwhile are newer than this reply.
    const overtaken = this.staleness.age_ms(now_ms) < now_ms - asked_ms;
    this.heard(now_ms);
    if (!overtaken || !store.view().snapshot) this.accept(outcome.value.snapshot, now_ms);
    store.set(calls.identity());
  }

  private async readAll(): Promise<void> {
    const { store, calls } = this.parts;
    const [lock, name, versions] = await Promise.all([
      calls.call((client) => client.getLock()),
      calls.call((client) => client.getName()),
      calls.call((client) => client.getVersions()),
      this.ask(),
    ]);
    if (lock.ok) store.set({ lock: lock.value });
    if (name.ok) store.set({ name: name.value.name });
    if (versions.ok) store.set({ version: versions.value.robot });
    await this.readToolpaths();
  }

  private async readToolpaths(): Promise<void> {
    const { store, calls } = this.parts;
    const outcome = await calls.call((client) => client.listToolpaths());
    if (!outcome.ok) return;
    store.set({ toolpaths: outcome.value.toolpaths });
    await this.readLoaded();
  }

  /** Reads the loaded toolpath, if it is among this user's: its tool, zones and duration. */
  private async readLoaded(): Promise<void> {
    const { store, calls } = this.parts;
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

  private check(): void {
    const { store } = this.parts;
    const now_ms = performance.now();
    this.arrivals = this.arrivals.filter((time) => now_ms - time < RATE_WINDOW_MS);
    const rate_hz = this.arrivals.length;
    if (rate_hz !== store.view().rate_hz) store.set({ rate_hz });
    if (this.staleness.age_ms(now_ms) > SILENCE_MS && !document.hidden) void this.ask();
    if (this.staleness.isStale(now_ms) && store.view().link === 'live')
      store.set({ link: 'stale' });
  }
}

/** A link at rest; `start` opens it. */
export function createLiveLink(parts: LiveLinkParts): LiveLink {
  return new PollingLink(parts);
}
