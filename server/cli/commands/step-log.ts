/** Which step of a toolpath ran at which tick. */
import type { RobotMemory } from '../../robot/memory.ts';

export class StepLog {
  private readonly changes: { readonly tick: number; readonly step: string | null }[] = [];

  /** Takes the step that ran in a tick; ticks ascend. */
  take({ activity }: Readonly<Pick<RobotMemory, 'activity'>>, tick: number): void {
    // A run that is between two steps has none.
    const step = activity?.at || null;
    if (step !== (this.changes.at(-1)?.step ?? null)) this.changes.push({ tick, step });
  }

  /** JSON pointer of the step that ran in a tick; null where none did. */
  stepAt(tick: number): string | null {
    return this.changes.findLast((change) => change.tick <= tick)?.step ?? null;
  }
}
