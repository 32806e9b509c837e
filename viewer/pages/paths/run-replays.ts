/** The replays of kept runs beside the plan of each. */

import type { RobotRun } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { decodeRecording } from '../../toolpath/runs/recording.ts';
import { addRun } from '../../toolpath/runs/run-log.ts';
import {
  isContact,
  isSameRun,
  listTwinRuns,
  readTwinRun,
  type TwinRunsParts,
} from '../../toolpath/runs/twin-runs.ts';
import type { TimedPath } from '../../toolpath/timed-path.ts';
import { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { createWhatIf } from './what-if.ts';

export interface KeptRunsParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  /** The text of a toolpath of the arm. */
  readonly read: TwinRunsParts['read'];
  /** Draws the plan beside the replay; null removes it. */
  readonly draw: (path: TimedPath | null) => void;
}

/** Draws the plan of a replayed run. */
function createPlanDrawing(draw: KeptRunsParts['draw']) {
  /** Created with the first replay, because it has its own worker. */
  let plan: ToolpathStore | null = null;
  return (text: string | null): void => {
    if (!plan && text !== null) {
      plan = new ToolpathStore();
      plan.subscribe((view, before) => {
        if (view.path !== before.path) draw(view.path);
      });
    }
    if (text === null) plan?.close();
    else plan?.open({ name: 'plan', id: null }, text);
  };
}

/** Shows runs as replays, and what would have come of them. */
export class RunReplays {
  /** The runs of the twin, newest first. */
  twin: readonly RobotRun[] = [];
  readonly whatIf: ReturnType<typeof createWhatIf>;
  private readonly parts: KeptRunsParts;
  private readonly drawPlan: ReturnType<typeof createPlanDrawing>;
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
    this.drawPlan = createPlanDrawing(parts.draw);
    this.whatIf = createWhatIf(parts, (branch, of) => this.showBranch(branch, of));
  }

  replay(run: KeptRun): void {
    this.shown = run;
    this.show(run);
    this.drawPlan(run.planned);
    this.offerChanges();
    this.setReading(null);
  }

  async replayTwin(run: RobotRun): Promise<void> {
    if (this.reading === run.id) return;
    this.setReading(run.id);
    const read = await readTwinRun(this.parts, run);
    // The run that was chosen last is shown.
    if (this.reading !== run.id) return;
    // A run that is not over is not kept: it comes again at its end.
    if (read) this.replay(read.outcome === 'running' ? read : addRun(this.parts.arm, read));
    this.setReading(null);
  }

  private setReading(id: number | null): void {
    if (id === this.reading) return;
    this.reading = id;
    this.onReading();
  }

  async refresh(): Promise<void> {
    this.twin = (await listTwinRuns(this.parts)) ?? this.twin;
    this.offerChanges();
  }

  /** A run that is still being read does not open in the place of what was opened meanwhile. */
  forgetReading(): void {
    this.setReading(null);
  }

  end(): void {
    this.shown = null;
    this.drawPlan(null);
    this.offerChanges();
  }

  private show(run: KeptRun): void {
    const { id, name, recording } = run;
    const text = id < 0 ? `Run of ${name}` : `Run ${id} of ${name}`;
    this.parts.store.showRecorded({ name: text, id: null }, decodeRecording(recording), id);
  }

  /** Shows the branch beside the run as it was. */
  private showBranch(branch: KeptRun, kept: KeptRun): void {
    const { store, arm, draw } = this.parts;
    const at_s = store.view().cursor_s;
    this.show(addRun(arm, branch));
    store.seek(at_s);
    this.drawPlan(null);
    draw(decodeRecording(kept.recording).path);
  }

  private offerChanges(): void {
    const { shown, twin } = this;
    const run = shown && twin.find((each) => isSameRun(shown, each));
    this.whatIf.show(shown && run ? { kept: shown, run } : null);
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
    const exact = await readTwinRun(this.parts, source);
    const runs = arm.view().runs ?? [];
    if (!exact || !runs.includes(run)) return run;
    const { duration_s, outcome, contacts, signals } = exact;
    const { made_by } = run.recording;
    const recording = { ...exact.recording, made_by };
    const deviation_m = exact.deviation_m ?? run.deviation_m;
    const results = { recording, deviation_m, duration_s, outcome, contacts, signals };
    const ofPlan = run.findings.filter((finding) => !isContact(finding));
    const findings = [...exact.findings, ...ofPlan];
    const better = { ...run, ...results, findings, isExact: true };
    arm.set({ runs: runs.map((each) => (each === run ? better : each)) });
    if (store.view().replay !== run.id) return better;
    const { cursor_s } = store.view();
    this.replay(better);
    store.seek(cursor_s);
    return better;
  }
}
