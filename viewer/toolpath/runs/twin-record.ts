/**
 * The runs that a twin keeps, also those that no page saw. They are the one record of what it did: a
 * run is read from the twin, which simulates it again, when somebody looks at it.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { RobotRun } from '../../../contract/types.generated.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import {
  listTwinRuns,
  type RunChange,
  readBranch,
  readTwinRun,
  type TwinRunsParts,
} from './twin-runs.ts';

/** Ticks of the twin in a second. */
const TICKS_PER_S = 250;

/** A run in a list: as the twin lists it, or with its recording. */
export type ListedRun = RobotRun | KeptRun;

/** Whether a run of the list has its recording. */
export const isRead = (run: ListedRun): run is KeptRun => 'recording' in run;

/** Numbers begin again where a twin is restarted. */
const isSame = (a: ListedRun, b: ListedRun) => a.id === b.id && a.started_at === b.started_at;

/** When a run began (s of the twin). */
export const startOf_s = ({ tick }: RobotRun): number => tick / TICKS_PER_S;

/** The runs of a twin, as far as the page has read them. */
export class TwinRecord {
  private readonly parts: TwinRunsParts;
  /** Newest first; null of an arm that keeps none. */
  private readonly kept = signal<readonly RobotRun[] | null>(null);
  private readonly read = signal<readonly KeptRun[]>([]);
  /** What would have come of a run, newest first. */
  private readonly branches = signal<readonly { readonly of: RobotRun; readonly run: KeptRun }[]>(
    [],
  );
  /** Newest first, each below what would have come of it; null of an arm that keeps none. */
  readonly listed: ReadonlySignal<readonly ListedRun[] | null> = computed(() => {
    const [kept, read, branches] = [this.kept.value, this.read.value, this.branches.value];
    if (!kept) return null;
    return kept.flatMap((run): ListedRun[] => [
      ...branches.filter(({ of }) => isSame(of, run)).map((branch) => branch.run),
      read.find((each) => isSame(each, run)) ?? run,
    ]);
  });

  constructor(parts: TwinRunsParts) {
    this.parts = parts;
  }

  /** Lists the runs again, and forgets what was read of those that are gone. */
  async refresh(): Promise<void> {
    const kept = await listTwinRuns(this.parts);
    if (kept === undefined) return;
    const isKept = (run: ListedRun) => kept?.some((each) => isSame(each, run)) === true;
    this.kept.value = kept;
    this.read.value = this.read.value.filter(isKept);
    this.branches.value = this.branches.value.filter(({ of }) => isKept(of));
  }

  /** The run as the twin lists it; undefined of one that it does not keep, and of a change. */
  source(run: ListedRun): RobotRun | undefined {
    return this.kept.value?.find((each) => isSame(each, run));
  }

  /** The run that goes through a time of the twin (s). */
  at(time_s: number): RobotRun | undefined {
    return this.kept.value?.find((run) => {
      return startOf_s(run) <= time_s && time_s <= startOf_s(run) + run.duration_s;
    });
  }

  /** Reads a run; null with a notice if it cannot be replayed. */
  async open(run: RobotRun): Promise<KeptRun | null> {
    const read = await readTwinRun(this.parts, run);
    // A run that is not over is read again.
    if (read && read.outcome !== 'running') {
      this.read.value = [...this.read.value.filter((each) => !isSame(each, read)), read];
    }
    return read;
  }

  /** What would have come of a run with a change at a time (s of the run); null with a notice. */
  async change(kept: KeptRun, at_s: number, change: RunChange): Promise<KeptRun | null> {
    const of = this.source(kept);
    if (!of) return null;
    const run = await readBranch(this.parts, { run: of, kept }, { at_s, change });
    if (run) this.branches.value = [{ of, run }, ...this.branches.value];
    return run;
  }
}
