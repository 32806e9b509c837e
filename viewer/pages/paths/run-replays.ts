/** The replays of runs beside the plan of each. */

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { decodeRecording } from '../../toolpath/runs/recording.ts';
import { showPlan } from '../../toolpath/runs/run-plan.ts';
import { isRead, type ListedRun, startOf_s, TwinRecord } from '../../toolpath/runs/twin-record.ts';
import type { RunChange } from '../../toolpath/runs/twin-runs.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { Place } from '../../ui/place.ts';
import { decimal } from '../../ui/value-text.ts';
import { onChange, whenKnown } from '../../ui/view-store.ts';

interface RunReplaysParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly robot: ReadonlySignal<ArmView>;
  readonly calls: ArmCalls;
  /** Called when the user has chosen a run, which takes a moment to read. */
  readonly chosen: () => void;
}

/** What a run is called where it is open. */
export function titleOf({ id, name }: ListedRun): string {
  return id < 0 ? `Run of ${name}` : `Run ${id} of ${name}`;
}

/** Shows runs as replays, and what would have come of them. */
export class RunReplays {
  private readonly parts: RunReplaysParts;
  private readonly twin: TwinRecord;
  /** The run that is being read. */
  readonly reading = signal<ListedRun | null>(null);
  /** The run that is replayed as it was, also while a change of it is shown. */
  private readonly shown = signal<KeptRun | null>(null);
  /** The run that is drawn. */
  readonly drawn = signal<KeptRun | null>(null);
  /** Whether the arm keeps its runs itself, and not this browser. */
  readonly isKeptByArm: ReadonlySignal<boolean>;
  /** Newest first. */
  readonly listed: ReadonlySignal<readonly ListedRun[]>;
  /** The replayed run, if this user may ask what would have come of it; else null. */
  readonly changeable: ReadonlySignal<KeptRun | null>;

  constructor(parts: RunReplaysParts) {
    this.parts = parts;
    const { store, arm, robot } = parts;
    const twin = new TwinRecord(parts);
    this.twin = twin;
    this.isKeptByArm = computed(() => twin.listed.value !== null);
    this.listed = computed(() => twin.listed.value ?? robot.value.runs ?? []);
    const isAdmin = computed(() => robot.value.sim !== null);
    this.changeable = computed(() => {
      const run = this.shown.value;
      return run && isAdmin.value && twin.source(run) ? run : null;
    });
    onChange(arm.whole, (view, before) => areRunsChanged(view, before) && void twin.refresh());
    // A run that is still being read does not open in the place of what was opened meanwhile.
    onChange(store.shown.origin, () => {
      this.reading.value = null;
    });
    onChange(
      computed(() => store.shown.replay.value === null),
      (isPlan) => {
        if (isPlan) this.shown.value = this.drawn.value = null;
      },
    );
    void twin.refresh();
  }

  /** Replays a run of the list, once it is read. */
  async replay(run: ListedRun): Promise<void> {
    if (this.reading.value === run) return;
    this.reading.value = run;
    this.parts.chosen();
    const read = await this.read(run);
    // The run that was chosen last is shown.
    if (this.reading.value !== run) return;
    if (read) this.show(read);
    this.reading.value = null;
  }

  /** A run of the list with its recording; null with a notice if the twin cannot replay it. */
  read(run: ListedRun): Promise<KeptRun | null> {
    return isRead(run) ? Promise.resolve(run) : this.twin.open(run);
  }

  /** Opens the run that an address names; null if it names none. */
  openPlace({ params }: Place): Promise<void> | null {
    const at_s = Number(params['at'] ?? Number.NaN);
    if (Number.isFinite(at_s)) return this.openMoment(at_s);
    const id = Number(params['run'] ?? Number.NaN);
    return Number.isInteger(id) ? this.openRun(id, Number(params['t'] ?? 0)) : null;
  }

  /** Replays the run of the twin that goes through a time of the twin (s), at that time. */
  private async openMoment(at_s: number): Promise<void> {
    await this.twin.refresh();
    const run = this.twin.at(at_s);
    if (run) await this.replayPlace(run, at_s - startOf_s(run));
    else this.refuse(`The twin keeps no run at ${decimal(at_s, 2)} s of its time.`);
  }

  private async openRun(id: number, time_s: number): Promise<void> {
    const { store, arm } = this.parts;
    await this.twin.refresh();
    if (!this.isKeptByArm.value) await whenKnown(() => arm.shown.runs.value ?? undefined);
    const run = this.listed.value.find((each) => each.id === id);
    const keeper = this.isKeptByArm.value ? 'The twin' : 'This browser';
    if (!run) this.refuse(`${keeper} does not keep run ${id} of this link.`);
    else if (store.view().replay !== id) await this.replayPlace(run, time_s);
    else if (Number.isFinite(time_s)) store.seek(time_s);
  }

  /** The page may have opened what is loaded meanwhile; the link asks for the run. */
  private async replayPlace(run: ListedRun, time_s: number): Promise<void> {
    this.reading.value = run;
    const read = await this.read(run);
    if (read) this.show(read);
    if (read && Number.isFinite(time_s)) this.parts.store.seek(time_s);
    this.reading.value = null;
  }

  private refuse(text: string): void {
    this.parts.arm.set({ notice: { text: `${text} Choose another run.`, code: '' } });
  }

  private show(run: KeptRun): void {
    this.shown.value = run;
    this.draw(run);
    void showPlan(this.parts.store, run);
  }

  private draw(run: KeptRun): void {
    const origin = { name: titleOf(run), id: null };
    this.parts.store.showRecorded(origin, decodeRecording(run.recording), run.id);
    this.drawn.value = run;
  }

  /** Simulates the replayed run with a change at the cursor and shows it; null if that was refused. */
  async change(change: RunChange): Promise<KeptRun | null> {
    const run = this.changeable.value;
    if (!run) return null;
    const branch = await this.twin.change(run, this.parts.store.view().cursor_s, change);
    // By now another run or a toolpath may be open, in whose place the branch would come.
    if (branch && this.changeable.value === run) this.showBranch(branch, run);
    return branch;
  }

  /** Shows the branch beside the run as it was. */
  private showBranch(branch: KeptRun, run: KeptRun): void {
    const { store } = this.parts;
    const at_s = store.view().cursor_s;
    this.draw(branch);
    store.seek(at_s);
    const { path } = decodeRecording(run.recording);
    const { metadata } = run.recording;
    // Both began at the same time.
    const timeAt = (time_s: number) => time_s;
    void showPlan(store, branch, { name: 'the run as it was', path, metadata, timeAt });
  }
}

/** Whether the twin may have other runs. */
function areRunsChanged(view: ArmView, before: ArmView): boolean {
  const [now, then] = [view.sim?.status, before.sim?.status];
  const isOtherState = view.snapshot?.control.state !== before.snapshot?.control.state;
  // A reset or a restored snapshot, which sets the time back, changes the runs of the twin.
  const isBack = now && then && now.tick < then.tick;
  return isOtherState || now?.state !== then?.state || isBack === true;
}
