/**
 * The live link: keeps the store up to date with the robot. It subscribes to the event stream,
 * polls the snapshot while the stream is silent (an arm at rest sends nothing), and marks the view
 * as stale when neither responds.
 */

import type { EventStream } from '../../contract/client.ts';
import type { JointReadings, RobotEvent, Snapshot } from '../../contract/types.generated.ts';
import { JOINT_COUNT } from '../../physics/arm/arm-model.ts';
import type { ArmCalls } from './arm-calls.ts';
import type { ArmStore } from './arm-store.ts';
import type { WorkflowHold } from './arm-view.ts';
import { isPassing } from './call-failure.ts';
import { type EventText, eventText, snapshotEventTexts } from './event-text.ts';
import { mergeChanges, POSITION } from './merge-changes.ts';
import type { PoseBuffer } from './pose-buffer.ts';
import { createStaleness } from './staleness.ts';
import { startTimes } from './start-times.ts';

const TEMPERATURE = 'servos.telemetry.temperature';
const VELOCITY = 'servos.telemetry.velocity';
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

const { NaN: none } = Number;
const UNKNOWN: JointReadings = [none, none, none, none, none, none];

/** A snapshot with every section; what the arm leaves out is unknown, and no error. */
export function wholeSnapshot(read: Snapshot): Snapshot {
  const { [TEMPERATURE]: temperature = UNKNOWN, [VELOCITY]: velocity = UNKNOWN } = read;
  return { ...mergeChanges(read, {}), [TEMPERATURE]: temperature, [VELOCITY]: velocity };
}

/** Sections without which nothing can be shown of an arm. */
const NEEDED = ['control', 'global', 'global.inputs', 'global.outputs'] as const;

/**
 * Whether a snapshot has what the page shows. An arm that is no twin may leave out a section or say
 * null for an angle that it does not know; drawn, that would be an arm that stands elsewhere.
 */
export function isReadable(snapshot: Partial<Snapshot> | undefined): snapshot is Snapshot {
  const position: unknown = snapshot?.[POSITION];
  if (!snapshot || !Array.isArray(position) || position.length !== JOINT_COUNT) return false;
  const isKnown = (section: (typeof NEEDED)[number]) => {
    const value: unknown = snapshot[section];
    return value !== null && typeof value === 'object';
  };
  return position.every(Number.isFinite) && NEEDED.every(isKnown);
}

/** The link to the robot's state stream; `start` opens it. */
export class LiveLink {
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

  /** Starts with the session of `calls`. */
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

  /** Reopens the stream and polls the snapshot at once. */
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
    const { snapshot: old } = store.view();
    // At rest every snapshot repeats the pose; only a changed pose needs a new frame.
    if (!old || snapshot[POSITION].some((angle, j) => angle !== old[POSITION][j])) {
      poses.push(snapshot[POSITION], now_ms);
      onPose();
    }
    store.set({ snapshot, ...startTimes(store.view(), snapshot, now_ms) });
    if (old) this.log(snapshotEventTexts(old, snapshot));
    if (old?.control.toolpath_hash !== snapshot.control.toolpath_hash) void this.readLoaded();
  }

  private onEvent(event: RobotEvent): void {
    const { store } = this.parts;
    const now_ms = performance.now();
    const old = store.view().snapshot;
    if (event.type === 'state_change') {
      const merged = old ? mergeChanges(old, event.changes) : undefined;
      // What cannot be read says nothing of where the arm is: the view becomes stale.
      if (!isReadable(merged)) return;
      this.onMessage(now_ms);
      if (POSITION in event.changes) this.arrivals.push(now_ms);
      this.accept(merged, now_ms);
      return;
    }
    this.onMessage(now_ms);
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
    const { snapshot }: { readonly snapshot?: Snapshot } = Object(outcome.value);
    if (!isReadable(snapshot)) return;
    // A stream message received since the request is newer than this reply.
    const outdated = this.staleness.age_ms(now_ms) < now_ms - sent_ms;
    this.onMessage(now_ms);
    if (!outdated || !store.view().snapshot) this.accept(wholeSnapshot(snapshot), now_ms);
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
    if (held !== undefined && JSON.stringify(held) !== JSON.stringify(workflow))
      store.set({ workflow: held });
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
    const isSilent = this.staleness.check(now_ms);
    if (isSilent && store.view().link === 'live') store.set({ link: 'stale' });
  }
}

/** The run of this user that moves the arm; null without one, undefined without an answer. */
async function readWorkflowHold(calls: ArmCalls): Promise<WorkflowHold | null | undefined> {
  const runs = await calls.call((client) => client.listRuns());
  if (!runs.ok && isPassing(runs.error)) return undefined;
  const live = runs.ok ? runs.value.runs.filter(({ state }) => state !== 'stopped') : [];
  for (const { id } of live) {
    const details = await calls.call((client) => client.getRun({ run_id: id }));
    if (!details.ok && isPassing(details.error)) return undefined;
    if (!details.ok || !details.value.run.uses_arm) continue;
    const { name, waiting } = details.value.run;
    return { run_id: id, name, waiting: waiting[0]?.reasons[0] ?? '' };
  }
  return null;
}
