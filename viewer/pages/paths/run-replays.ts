/** The replays of kept runs beside the plan of each. */

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { RobotRun } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { decodeRecording } from '../../toolpath/runs/recording.ts';
import { addRun } from '../../toolpath/runs/run-log.ts';
import { showPlan } from '../../toolpath/runs/run-plan.ts';
import {
  exactRun,
  isSameRun,
  listTwinRuns,
  type RunChange,
  readBranch,
  readTwinRun,
  type TwinRunsParts,
  unheardFor_s,
} from '../../toolpath/runs/twin-runs.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { Place } from '../../ui/place.ts';
import { decimal } from '../../ui/value-text.ts';
import { onChange, whenKnown } from '../../ui/view-store.ts';

/** Ticks of the twin in a second. */
const TICKS_PER_S = 250;

interface KeptRunsParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly robot: ReadonlySignal<ArmView>;
  readonly calls: ArmCalls;
  /** The text of a toolpath of the arm. */
  readonly read: TwinRunsParts['read'];
}

/** Shows runs as replays, and what would have come of them. */
export class RunReplays {
  /** The runs of the twin, newest first. */
  readonly twin = signal<readonly RobotRun[]>([]);
  /** The run of the twin that is being read. */
  readonly reading = signal<number | null>(null);
  /** The run that is replayed as it was, also while a change of it is shown. */
  private readonly shown = signal<KeptRun | null>(null);
  /** The replayed run and that of the twin behind it; null where this user may not change it. */
  readonly changeable: ReadonlySignal<{ readonly kept: KeptRun; readonly run: RobotRun } | null>;
  private readonly parts: KeptRunsParts;
  /** Runs that are read from the twin in place of what the page received. */
  private readonly refining = new Map<KeptRun, Promise<KeptRun>>();

  constructor(parts: KeptRunsParts) {
    this.parts = parts;
    const { store, arm, robot } = parts;
    const isAdmin = computed(() => robot.value.sim !== null);
    this.changeable = computed(() => {
      const kept = this.shown.value;
      const run = kept && this.twin.value.find((each) => isSameRun(kept, each));
      return kept && run && isAdmin.value ? { kept, run } : null;
    });
    onChange(arm.whole, (view, before) => areRunsChanged(view, before) && void this.refresh());
    // A run that is still being read does not open in the place of what was opened meanwhile.
    onChange(store.shown.origin, () => {
      this.reading.value = null;
    });
    onChange(
      computed(() => store.shown.replay.value === null),
      (isPlan) => {
        if (isPlan) this.shown.value = null;
      },
    );
    void this.refresh();
  }

  replay(run: KeptRun): void {
    this.shown.value = run;
    this.show(run);
    void showPlan(this.parts.store, run);
    void this.exact(run);
    this.reading.value = null;
  }

  async replayTwin(run: RobotRun): Promise<void> {
    if (this.reading.value === run.id) return;
    this.reading.value = run.id;
    const read = await readTwinRun(this.parts, run);
    // The run that was chosen last is shown.
    if (this.reading.value !== run.id) return;
    if (read) this.replayRead(read);
    this.reading.value = null;
  }

  /** A run that is not over is not kept: it comes again at its end. */
  private replayRead(read: KeptRun): void {
    this.replay(read.outcome === 'running' ? read : addRun(this.parts.arm, read));
  }

  /** Replays the run of the twin that goes through a time of the twin (s), at that time. */
  async replayAt(at_s: number): Promise<void> {
    await this.refresh();
    const startOf = ({ tick }: RobotRun) => tick / TICKS_PER_S;
    const run = this.twin.value.find((one) => {
      return startOf(one) <= at_s && at_s <= startOf(one) + one.duration_s;
    });
    if (!run) {
      const text = `The twin keeps no run at ${decimal(at_s, 2)} s of its time. Choose another run.`;
      this.parts.arm.set({ notice: { text, code: '' } });
      return;
    }
    this.reading.value = run.id;
    const read = await readTwinRun(this.parts, run);
    // The page may have opened what is loaded meanwhile; the link asks for the run.
    if (read) this.replayRead(read);
    this.reading.value = null;
    this.parts.store.seek(at_s - startOf(run));
  }

  /** Opens the run that an address names; null if it names none. */
  openPlace({ params }: Place): Promise<void> | null {
    const at_s = Number(params['at'] ?? Number.NaN);
    if (Number.isFinite(at_s)) return this.replayAt(at_s);
    const id = Number(params['run'] ?? Number.NaN);
    return Number.isInteger(id) ? this.openKept(id, Number(params['t'] ?? 0)) : null;
  }

  private async openKept(id: number, time_s: number): Promise<void> {
    const { store, arm } = this.parts;
    const run = await findRun(arm, id);
    if (run && store.view().replay !== id) this.replay(run);
    if (run && Number.isFinite(time_s)) store.seek(time_s);
  }

  async refresh(): Promise<void> {
    this.twin.value = (await listTwinRuns(this.parts)) ?? this.twin.value;
    const { value: shown } = this.shown;
    if (shown) void this.exact(shown);
    // What this page has missed of a run, the twin knows.
    const gapped = (this.parts.arm.view().runs ?? []).filter(({ recording, isExact }) => {
      return !isExact && unheardFor_s(recording) > 0;
    });
    for (const run of gapped) await this.exact(run);
  }

  /** Simulates the replayed run with a change at the cursor and shows it; null if that was refused. */
  async change(change: RunChange): Promise<KeptRun | null> {
    const of = this.changeable.value;
    if (!of) return null;
    const at_s = this.parts.store.view().cursor_s;
    const branch = await readBranch(this.parts, of, { at_s, change });
    // By now another run or a toolpath may be open, in whose place the branch would come.
    if (branch && this.changeable.value?.kept.id === of.kept.id) this.showBranch(branch, of.kept);
    return branch;
  }

  private show(run: KeptRun): void {
    const { id, name, recording } = run;
    const text = id < 0 ? `Run of ${name}` : `Run ${id} of ${name}`;
    this.parts.store.showRecorded({ name: text, id: null }, decodeRecording(recording), id);
  }

  /** Shows the branch beside the run as it was. */
  private showBranch(branch: KeptRun, kept: KeptRun): void {
    const { store, arm } = this.parts;
    const at_s = store.view().cursor_s;
    const shown = addRun(arm, branch);
    this.show(shown);
    store.seek(at_s);
    const { path } = decodeRecording(kept.recording);
    const { metadata } = kept.recording;
    // Both began at the same time.
    const beside = {
      name: 'the run as it was',
      path,
      metadata,
      timeAt: (time_s: number) => time_s,
    };
    void showPlan(store, shown, beside);
  }

  /**
   * The run with poses and times of the twin in place of those that the page received late or
   * guessed; as it is where the twin does not keep it, or cannot replay it.
   */
  exact(run: KeptRun): Promise<KeptRun> {
    const source = this.twin.value.find((each) => isSameRun(run, each));
    if (run.isExact || !source?.replayable || source.outcome === 'running') {
      return Promise.resolve(run);
    }
    const known = this.refining.get(run);
    if (known) return known;
    const refined = this.refine(run, source).finally(() => this.refining.delete(run));
    this.refining.set(run, refined);
    return refined;
  }

  private async refine(run: KeptRun, source: RobotRun): Promise<KeptRun> {
    const { store, arm } = this.parts;
    const better = await exactRun(this.parts, run, source);
    const runs = arm.view().runs ?? [];
    if (!better || !runs.includes(run)) return run;
    arm.set({ runs: runs.map((each) => (each === run ? better : each)) });
    if (store.view().replay !== run.id) return better;
    const { cursor_s } = store.view();
    this.replay(better);
    store.seek(cursor_s);
    return better;
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

/** A kept run, once the runs are read; null, with a notice, if it is gone. */
async function findRun(arm: ArmStore, id: number): Promise<KeptRun | null> {
  const runs = await whenKnown(() => arm.shown.runs.value ?? undefined);
  const run = runs.find((each) => each.id === id) ?? null;
  const text = `This browser does not keep run ${id} of this link. Choose another run.`;
  if (!run) arm.set({ notice: { text, code: '' } });
  return run;
}
