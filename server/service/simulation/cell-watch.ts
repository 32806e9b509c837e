/** Publishes the cell of the simulated world. */
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import type { CellEvent, SimEvent } from '../../../contract/types.generated.ts';
import { CellChanges } from '../../../physics/cell/cell-changes.ts';
import type { CellPlant } from '../../../physics/cell/cell-plant.ts';
import { cellState } from '../../../physics/cell/cell-state.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';

/** Ticks between two publications of the state (20 ms). */
const STATE_TICKS = 5;

/** What the watch needs of the twin. */
export interface CellWatchParts {
  readonly world: ArmWorld;
  readonly publish: (event: SimEvent) => void;
  readonly log: (text: string) => void;
  /** Whether anybody receives what is published. */
  readonly hasSubscribers: () => boolean;
  /** Called when the cell cannot be simulated any further. */
  readonly onFailure: (reason: string) => void;
}

/** Publishes the cell when it is replaced, what happens in it, and what changes. */
export class CellWatch implements LoopListener {
  private readonly parts: CellWatchParts;
  private cell: CellPlant | null = null;
  private lastEvent = 0;
  private revision = -1;
  private changes = new CellChanges();
  private failure: string | null = null;

  constructor(parts: CellWatchParts) {
    this.parts = parts;
  }

  onAction(_action: unknown, tick: number): void {
    this.update(true, tick);
  }

  onTick(_feedback: unknown, tick: number): void {
    this.update(tick % STATE_TICKS === 0, tick);
  }

  /** A restored world has a cell and events of its own: they are not published again. */
  onRestore(tick: number): void {
    this.lastEvent = this.parts.world.cell?.events.last ?? 0;
    this.cell = null;
    this.update(true, tick);
  }

  private update(isDue: boolean, tick: number): void {
    const { world, publish, onFailure } = this.parts;
    const { cell } = world;
    if (cell !== this.cell) this.replace(cell);
    if (!cell) return;
    this.publishEvents(cell);
    if (cell.failure !== null && this.failure === null) {
      this.failure = cell.failure;
      onFailure(cell.failure);
    }
    if (!isDue || cell.revision === this.revision || !this.parts.hasSubscribers()) return;
    this.revision = cell.revision;
    const state = this.changes.take(cellState(cell));
    if (state) publish({ type: 'cell_state', tick, state });
  }

  private replace(cell: CellPlant | null): void {
    if (this.cell?.model.description !== cell?.model.description) {
      this.parts.publish({ type: 'cell', cell: cell?.model.description ?? null });
    }
    if (this.cell !== null) this.lastEvent = 0;
    this.cell = cell;
    this.revision = -1;
    this.changes = new CellChanges();
    this.failure = null;
  }

  private publishEvents(cell: CellPlant): void {
    if (cell.events.last === this.lastEvent) return;
    const isNew = (event: CellEvent) => event.id > this.lastEvent;
    for (const event of cell.events.list().filter(isNew)) {
      this.parts.publish({ type: 'cell_event', event });
      this.parts.log(`Cell: ${event.text}`);
    }
    this.lastEvent = cell.events.last;
  }
}
