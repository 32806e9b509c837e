/** What is left of the supplies of a run: tasks take units as they start, and persons refill them. */

import type { RunPrompt, RunSupply } from '../../contract/types.generated.ts';
import type { Supply, Taking } from '../definition/supplies.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { RunProgress } from './progress.ts';

/** The units that are left of labware, by its id: those of a workcell, which its runs share. */
export type Stock = Map<string, number>;

/** A supply that has less than a task takes. */
export interface Shortage {
  readonly supply: Supply;
  readonly left: number;
  readonly units: number;
}

export class RunSupplies {
  private readonly model: WorkflowModel;
  private readonly stock: Stock;

  constructor(model: WorkflowModel, stock: Stock) {
    [this.model, this.stock] = [model, stock];
  }

  private takingsOf(task: number): readonly Taking[] {
    return this.model.tasks[task]!.takes ?? [];
  }

  private left({ id }: Supply): number {
    return this.stock.get(id) ?? 0;
  }

  /** The supplies that a task cannot start for. */
  shortagesOf(task: number): Shortage[] {
    return this.takingsOf(task).flatMap(({ supply: index, units }) => {
      const supply = this.model.supplies[index]!;
      const left = this.left(supply);
      return left < units ? [{ supply, left, units }] : [];
    });
  }

  /** The names of what a task takes units of. */
  namesOf(task: number): string[] {
    return this.takingsOf(task).map(({ supply }) => this.model.supplies[supply]!.id);
  }

  /** Why a task cannot start; empty if all that it takes is there. */
  reasons(task: number): string[] {
    return this.shortagesOf(task).map(
      ({ supply, left, units }) => `${supply.id} has ${left} of the ${units} units that it takes`,
    );
  }

  /** Takes the units of a task, which has enough of all. */
  take(task: number): void {
    for (const { supply: index, units } of this.takingsOf(task)) {
      const supply = this.model.supplies[index]!;
      this.stock.set(supply.id, this.left(supply) - units);
    }
  }

  /** A person has refilled what a waiting task lacks; returns whether it lacked anything. */
  refillFor(task: number): boolean {
    const short = this.shortagesOf(task);
    for (const { supply } of short) this.stock.set(supply.id, supply.full);
    return short.length > 0;
  }

  /** What persons are asked to refill, for the first task that lacks it. */
  prompts({ tasks }: RunProgress): RunPrompt[] {
    const found = new Map<string, RunPrompt>();
    tasks.forEach(({ short_since_s }, task) => {
      if (short_since_s === null) return;
      const { id, candidates } = this.model.tasks[task]!;
      for (const { supply, left, units } of this.shortagesOf(task)) {
        if (found.has(supply.id)) continue;
        const instrument = supply.location?.instrument ?? candidates[0]!;
        const usual = `Refill ${supply.id}: ${left} units are left, and ${id} takes ${units}`;
        found.set(supply.id, {
          task_id: id,
          instrument_id: this.model.instruments[instrument]!.id,
          prompt: supply.refill ?? usual,
          since_s: short_since_s,
          times_out_at_s: null,
          outputs: [],
        });
      }
    });
    return [...found.values()];
  }

  /** What is left of each supply, and what the tasks that wait take of it. */
  states({ tasks }: RunProgress): RunSupply[] {
    const { model } = this;
    return model.supplies.map((supply, index) => {
      let needed = 0;
      tasks.forEach(({ state }, task) => {
        for (const { supply: from, units } of state === 'waiting' ? this.takingsOf(task) : [])
          if (from === index) needed += units;
      });
      const { location } = supply;
      const instrument_id = location ? model.instruments[location.instrument]!.id : null;
      const at = { labware_id: supply.id, instrument_id, slot: location?.slot ?? null };
      return { ...at, units: this.left(supply), full: supply.full, needed };
    });
  }
}
