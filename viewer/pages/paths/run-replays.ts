/** The replays of kept runs beside the plan of each. */

import type { RobotRun } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { decodeRecording } from '../../toolpath/runs/recording.ts';
import { addRun } from '../../toolpath/runs/run-log.ts';
import { showPlan } from '../../toolpath/runs/run-plan.ts';
import {
  exactRun,
  isSameRun,
  listTwinRuns,
  readTwinRun,
  type TwinRunsParts,
  unheardFor_s,
} from '../../toolpath/runs/twin-runs.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { decimal } from '../../ui/value-text.ts';
import { createWhatIf } from './what-if.ts';

/** Ticks of the twin in a second. */
const TICKS_PER_S = 250;

export interface KeptRunsParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  /** The text of a toolpath of the arm. */
  readonly read: TwinRunsParts['read'];
}

/** Shows runs as replays, and what would have come of them. */
export class RunReplays {
  /** The runs of the twin, newest first. */
  twin: readonly RobotRun[] = [];
  readonly whatIf: ReturnType<typeof createWhatIf>;
  private readonly parts: KeptRunsParts;
  /** The run that is replayed as it was, also while a change of it is shown. */
  private shown: KeptRun | null = null;
  /** Runs that are read from the twin in place of what the page received. */
  private readonly refining = new Map<KeptRun, Promise<KeptRun>>();
  /** The run that is being read from the twin. */
  reading: number | null = null;
  private readonly onReading: () => void;

  constructor(parts: KeptRunsParts, onReading: () => void) {
    this.parts = parts;
    this.onReading = onReading;
    this.whatIf = createWhatIf(parts, (branch, of) => this.showBranch(branch, of));
  }

  replay(run: KeptRun): void {
    this.shown = run;
    this.show(run);
    void showPlan(this.parts.store, run);
    this.offerChanges();
    this.setReading(null);
  }

  async replayTwin(run: RobotRun): Promise<void> {
    if (this.reading === run.id) return;
    this.setReading(run.id);
    const read = await readTwinRun(this.parts, run);
    // The run that was chosen last is shown.
    if (this.reading !== run.id) return;
    if (read) this.replayRead(read);
    this.setReading(null);
  }

  /** A run that is not over is not kept: it comes again at its end. */
  private replayRead(read: KeptRun): void {
    this.replay(read.outcome === 'running' ? read : addRun(this.parts.arm, read));
  }

  /** Replays the run of the twin that goes through a time of the twin (s), at that time. */
  async replayAt(at_s: number): Promise<void> {
    await this.refresh();
    const startOf = ({ tick }: RobotRun) => tick / TICKS_PER_S;
    const run = this.twin.find((one) => {
      return startOf(one) <= at_s && at_s <= startOf(one) + one.duration_s;
    });
    if (!run) {
      const text = `The twin keeps no run at ${decimal(at_s, 2)} s of its time. Choose another run.`;
      this.parts.arm.set({ notice: { text, code: '' } });
      return;
    }
    this.setReading(run.id);
    const read = await readTwinRun(this.parts, run);
    // The page may have opened what is loaded meanwhile; the link asks for the run.
    if (read) this.replayRead(read);
    this.setReading(null);
    this.parts.store.seek(at_s - startOf(run));
  }

  private setReading(id: number | null): void {
    if (id === this.reading) return;
    this.reading = id;
    this.onReading();
  }

  async refresh(): Promise<void> {
    this.twin = (await listTwinRuns(this.parts)) ?? this.twin;
    this.offerChanges();
    // What this page has missed of a run, the twin knows.
    const gapped = (this.parts.arm.view().runs ?? []).filter(({ recording, isExact }) => {
      return !isExact && unheardFor_s(recording) > 0;
    });
    for (const run of gapped) await this.exact(run);
  }

  /** A run that is still being read does not open in the place of what was opened meanwhile. */
  forgetReading(): void {
    this.setReading(null);
  }

  end(): void {
    this.shown = null;
    this.offerChanges();
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

  private offerChanges(): void {
    const { shown, twin } = this;
    const run = shown && twin.find((each) => isSameRun(shown, each));
    // Only admins may change a run.
    this.whatIf.show(shown && run && this.parts.arm.view().sim ? { kept: shown, run } : null);
    if (shown && run) void this.exact(shown);
  }

  /**
   * The run with poses and times of the twin in place of those that the page received late or
   * guessed; as it is where the twin does not keep it, or cannot replay it.
   */
  exact(run: KeptRun): Promise<KeptRun> {
    const source = this.twin.find((each) => isSameRun(run, each));
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
