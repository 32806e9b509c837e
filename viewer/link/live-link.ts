/**
 * The live link: keeps the store up to date with the robot. It subscribes to the event stream,
 * polls the snapshot while the stream is silent (an arm at rest sends nothing), and marks the view
 * as stale when neither responds.
 */
import type { EventStream } from '../../contract/client.ts';
import type { RobotEvent, Snapshot } from '../../contract/types.ts';
import type { ArmCalls } from './arm-calls.ts';
import {
  type ArmStore,
  type ArmView,
  type EventText,
  eventText,
  isMotionActive,
  mergeChanges,
  snapshotEventTexts,
  type WorkflowHold,
} from './arm-store.ts';
import type { PoseBuffer } from './pose-buffer.ts';

/** The view is stale after this time without a message or a snapshot reply. */
const STALE_AFTER_MS = 500;

/** Age of the newest message, not counting time in which the page is hidden. */
export interface Staleness {
  /** Records a message from the robot. */
  messageReceived(now_ms: number): void;
  /** Records that the page was hidden or shown. */
  setHidden(hidden: boolean, now_ms: number): void;
  /** Age of the newest message; infinite before the first. */
  age_ms(now_ms: number): number;
  isStale(now_ms: number): boolean;
}

/** Starts stale. Pure: time is an argument. */
export function createStaleness(): Staleness {
  let lastMessage_ms = Number.NEGATIVE_INFINITY;
  let hidden_ms: number | null = null;
  const age_ms = (now_ms: number) => (hidden_ms ?? now_ms) - lastMessage_ms;
  return {
    messageReceived(now_ms) {
      lastMessage_ms = now_ms;
      if (hidden_ms !== null) hidden_ms = now_ms;
    },
    setHidden(hidden, now_ms) {
      if (hidden) hidden_ms ??= now_ms;
      else if (hidden_ms !== null) {
        lastMessage_ms += now_ms - hidden_ms;
        hidden_ms = null;
      }
    },
    age_ms,
    isStale: (now_ms) => age_ms(now_ms) > STALE_AFTER_MS,
  };
}

const POSITION = 'servos.telemetry.position';
const CHECK_MS = 100;
/** The link polls the snapshot after this much silence. */
const SILENCE_MS = 200;
/** Pause after a failed poll. */
const RETRY_MS = 400;
const RATE_WINDOW_MS = 1000;
/** Period of the look for a workflow run that has the arm, while this user has the lock. */
const WORKFLOW_MS = 1000;

export interface LiveLinkParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly poses: PoseBuffer;
  /** Called when a new pose has arrived. */
  readonly onPose: () => void;
  /** What the first picture does not need is read after it. */
  readonly shown: Promise<void>;
}

export interface LiveLink {
  /** Starts with the session of `calls`. */
  start(): Promise<void>;
  stop(): void;
  /** Reopens the stream and polls the snapshot at once. */
  reconnect(): void;
  readonly staleness: Staleness;
}

/** Start times of run and loop, derived from two successive snapshots. */
function startTimes(
  old: Snapshot | null,
  now: Snapshot,
  now_ms: number,
): Partial<Pick<ArmView, 'runStarted_ms' | 'loopStarted_ms' | 'runStartedAt'>> {
  const started = old !== null && !isMotionActive(old) && isMotionActive(now);
  const looped = old !== null && old.control.loop_count !== now.control.loop_count;
  if (started) return { runStarted_ms: now_ms, loopStarted_ms: now_ms, runStartedAt: new Date() };
  if (!isMotionActive(now))
    return { runStarted_ms: null, loopStarted_ms: null, runStartedAt: null };
  return looped ? { loopStarted_ms: now_ms } : {};
}

class StreamingLink implements LiveLink {
  readonly staleness = createStaleness();
  private readonly parts: LiveLinkParts;
  private timer: ReturnType<typeof setInterval> | undefined;
  private stream: EventStream | undefined;
  private polling = false;
  private retryAt_ms = 0;
  private workflowRead_ms = 0;
  private arrivals: number[] = [];

  constructor(parts: LiveLinkParts) {
    this.parts = parts;
    document.addEventListener('visibilitychange', () => {
      this.staleness.setHidden(document.hidden, performance.now());
      if (!document.hidden && this.timer !== undefined) void this.poll();
    });
  }

  async start(): Promise<void> {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.check(), CHECK_MS);
    this.open();
    await this.poll();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stream?.close();
    this.stream = undefined;
  }

  reconnect(): void {
    this.open();
    void this.poll();
  }

  private open(): void {
    this.stream?.close();
    this.stream = this.parts.calls.client()?.events({
      onEvent: (event) => this.onEvent(event),
      onStatus: (status) => {
        if (status === 'open') void this.parts.shown.then(() => this.readAll());
      },
      reconnect: true,
    });
    // The stream reconnects by itself; polling bridges the gap.
    this.stream?.opened.catch(() => undefined);
  }

  private log(texts: readonly EventText[]): void {
    this.parts.store.log(texts.map((text) => ({ at: new Date(), ...text })));
  }

  private onMessage(now_ms: number): void {
    const { store } = this.parts;
    this.staleness.messageReceived(now_ms);
    if (store.view().link !== 'live') store.set({ link: 'live' });
  }

  private accept(snapshot: Snapshot, now_ms: number): void {
    const { store, poses, onPose } = this.parts;
    const old = store.view().snapshot;
    // At rest every snapshot repeats the pose; only a changed pose needs a new frame.
    if (!old || snapshot[POSITION].some((angle, j) => angle !== old[POSITION][j])) {
      poses.push(snapshot[POSITION], now_ms);
      onPose();
    }
    store.set({ snapshot, ...startTimes(old, snapshot, now_ms) });
    if (old) this.log(snapshotEventTexts(old, snapshot));
    if (old?.control.toolpath_hash !== snapshot.control.toolpath_hash) void this.readLoaded();
  }

  private onEvent(event: RobotEvent): void {
    const { store } = this.parts;
    const now_ms = performance.now();
    this.onMessage(now_ms);
    const old = store.view().snapshot;
    if (event.type === 'state_change') {
      if (POSITION in event.changes) this.arrivals.push(now_ms);
      if (old) this.accept(mergeChanges(old, event.changes), now_ms);
      return;
    }
    if (event.type === 'lock_status') {
      const heldHere = event.lock.owner === 'you' && store.view().lockHeldHere;
      store.set({ lock: event.lock, lockHeldHere: heldHere });
    }
    const text = eventText(event);
    if (text) this.log([text]);
    if (event.type.startsWith('toolpath_')) void this.readToolpaths();
    if (event.type.startsWith('user_'))
      store.set({ usersRevision: store.view().usersRevision + 1 });
  }

  private async poll(): Promise<void> {
    if (this.polling || performance.now() < this.retryAt_ms) return;
    const { store, calls } = this.parts;
    this.polling = true;
    const sent_ms = performance.now();
    const outcome = await calls.call((client) => client.getSnapshot());
    this.polling = false;
    const now_ms = performance.now();
    this.retryAt_ms = outcome.ok ? 0 : now_ms + RETRY_MS;
    if (!outcome.ok) return;
    // A stream message received since the request is newer than this reply.
    const outdated = this.staleness.age_ms(now_ms) < now_ms - sent_ms;
    this.onMessage(now_ms);
    if (!outdated || !store.view().snapshot) this.accept(outcome.value.snapshot, now_ms);
    store.set(calls.identity());
  }

  private async readAll(): Promise<void> {
    const { store, calls } = this.parts;
    const [lock, name, versions] = await Promise.all([
      calls.call((client) => client.getLock()),
      calls.call((client) => client.getName()),
      calls.call((client) => client.getVersions()),
      this.poll(),
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
    store.set({ toolpaths: outcome.value.toolpaths, isListed: true });
    await this.readLoaded();
  }

  /** Reads tool, zones and duration of the loaded toolpath, if this user can access it. */
  private async readLoaded(): Promise<void> {
    const { store, calls } = this.parts;
    const { snapshot, toolpaths, loaded } = store.view();
    const hash = snapshot?.control.toolpath_hash;
    if (loaded?.hash === hash) return;
    // Tool and zones of another toolpath would be false, also while this one is read.
    if (loaded) store.set({ loaded: null });
    const head = toolpaths.find((toolpath) => toolpath.hash === hash);
    if (!hash || !head) return;
    const parameters = { toolpath_id: head.id };
    const outcome = await calls.call((client) => client.buildToolpath(parameters));
    if (!outcome.ok || store.view().snapshot?.control.toolpath_hash !== hash) return;
    const { toolpath, trajectory } = outcome.value.toolpath;
    store.set({ loaded: { hash, toolpath, duration_s: trajectory.duration ?? null } });
  }

  /** A workflow of another user shows as their lock; one of this user as their own. */
  private async readWorkflow(): Promise<void> {
    const { store, calls } = this.parts;
    const { link, lock, driver, workflow } = store.view();
    const possible = link === 'live' && lock?.owner === 'you' && driver !== 'upstream';
    const held = possible ? await readWorkflowHold(calls) : null;
    if (JSON.stringify(held) !== JSON.stringify(workflow)) store.set({ workflow: held });
  }

  private check(): void {
    const { store } = this.parts;
    const now_ms = performance.now();
    if (now_ms - this.workflowRead_ms > WORKFLOW_MS && !document.hidden) {
      this.workflowRead_ms = now_ms;
      void this.readWorkflow();
    }
    this.arrivals = this.arrivals.filter((time) => now_ms - time < RATE_WINDOW_MS);
    const rate_hz = this.arrivals.length;
    if (rate_hz !== store.view().rate_hz) store.set({ rate_hz });
    if (this.staleness.age_ms(now_ms) > SILENCE_MS && !document.hidden) void this.poll();
    if (this.staleness.isStale(now_ms) && store.view().link === 'live')
      store.set({ link: 'stale' });
  }
}

/** The run of this user that moves the arm; null without one. */
async function readWorkflowHold(calls: ArmCalls): Promise<WorkflowHold | null> {
  const runs = await calls.call((client) => client.listRuns());
  const live = runs.ok ? runs.value.runs.filter(({ state }) => state !== 'stopped') : [];
  for (const { id } of live) {
    const details = await calls.call((client) => client.getRun({ run_id: id }));
    if (!details.ok || !details.value.run.uses_arm) continue;
    const { name, waiting } = details.value.run;
    return { run_id: id, name, waiting: waiting[0]?.reasons[0] ?? '' };
  }
  return null;
}

/** Creates a link; `start` opens it. */
export function createLiveLink(parts: LiveLinkParts): LiveLink {
  return new StreamingLink(parts);
}
