import { computed, signal } from '@preact/signals';
import type { ArmClient } from '../../../contract/client.ts';
import type { Cell, MoveObjectBody, Vector } from '../../../contract/types.generated.ts';
import { cellOf } from '../../link/cell-merge.ts';
import type { CellView } from '../../link/cell-view.ts';
import { saveFile } from '../../ui/user-file.ts';
import type { BeamEnd } from './beam-end.ts';
import {
  type AnyPart,
  carriedBy,
  describedNow,
  movedPart,
  partOf,
  withPlaced,
} from './cell-edit.ts';
import { createOwnCells } from './own-cells.ts';
import { dropPlace } from './part-place.ts';
import type { SimulationContext } from './simulation-context.ts';

/** Name of a cell that was made on the page. */
export const UNTITLED = 'cell';

function saveCell(cell: CellView | null): void {
  if (!cell) return;
  const text = `${JSON.stringify(describedNow(cell), null, 2)}\n`;
  saveFile(`${cell.description.name}.json`, text, 'application/json');
}

/** Edits that can be undone. */
const UNDO_MAX = 50;

function putBack(before: Cell | null): (client: ArmClient) => Promise<unknown> {
  return (client) => (before ? client.setCell(before) : client.removeCell());
}

const goneText = (name = '') =>
  `“${name}” is no longer in the cell: another client renamed or removed it.`;

const carriedNow = (cell: CellView | null, name: string): ReadonlySet<string> =>
  cell ? carriedBy(cell, name) : new Set<string>();

/** The cell after an edit; null where the part that it edits is gone. */
function edited(now: CellView | null, change: (now: Cell) => Cell, of?: string): Cell | null {
  const before = now ? describedNow(now) : { name: UNTITLED };
  return of === undefined || partOf(before, of) ? change(before) : null;
}

/** The cell as the service has it: what another client has just made is not in the stream yet. */
async function latestCell({ calls, view }: SimulationContext): Promise<CellView | null> {
  const reply = await calls.query((client) => client.getCell());
  return reply ? reply.cell && cellOf(reply.cell, reply.state) : (view().sim?.cell ?? null);
}

/** What the panel does with the cell; each shows the server's refusal. */
export function createCellActions({ calls, view }: SimulationContext) {
  const cell = (): CellView | null => view().sim?.cell ?? null;
  /** The cells before the last edits. */
  const past = signal<readonly (Cell | null)[]>([]);
  const own = createOwnCells(() => performance.now());
  /** Edits the cell, by default as the page shows it; true if the server accepts it. */
  async function run(call: Parameters<typeof calls.run>[0], now = cell()): Promise<boolean> {
    const before = now && describedNow(now);
    if ((await own.change(() => calls.run(call))) === null) return false;
    past.value = [...past.value, before].slice(-UNDO_MAX);
    return true;
  }
  const replace = (next: Cell, now = cell()) => run((client) => client.setCell(next), now);
  async function edit(change: (now: Cell) => Cell, of?: string): Promise<boolean> {
    const now = await latestCell({ calls, view });
    const next = edited(now, change, of);
    if (next) return replace(next, now);
    calls.showProblem(goneText(of));
    return false;
  }
  function place(name: string, change: (part: AnyPart) => object): void {
    const moved = { name, carried: carriedNow(cell(), name) };
    void edit((before) => withPlaced(before, moved, change), name);
  }
  const move = (object_name: string, to: MoveObjectBody) =>
    void run((client) => client.moveCellObject({ object_name }, to));
  return {
    cell,
    replace: (next: Cell) => replace(next),
    edit,
    place,
    move,
    remove: () => void run((client) => client.removeCell()),
    canUndo: computed(() => past.value.length > 0),
    /** Forgets the edits before a cell of another client, which undo would take away. */
    follow: (description: Cell | null) => {
      if (own.isReplaced(description)) past.value = [];
    },
    /** Puts the cell back as it was before the last edit. */
    async undo(): Promise<void> {
      const before = past.value.at(-1);
      if (before === undefined) return;
      past.value = past.value.slice(0, -1);
      if (!(await own.change(() => calls.run(putBack(before)))))
        past.value = [...past.value, before];
    },
    /** Puts a dragged part, or an end of a beam, to its new place. */
    drop(name: string, by: Vector, end: BeamEnd | null): void {
      const now = cell();
      const object = now?.state.objects.find((each) => each.name === name);
      if (now && object) {
        const { x, y, z } = object.position;
        move(name, dropPlace(now, name, { x: x + by.x, y: y + by.y, z }));
      } else place(name, (part) => movedPart(part, by, end));
    },
    press: (name: string, active: boolean) =>
      void calls.run((client) => client.setCellControl({ control_name: name }, { active })),
    save: () => saveCell(cell()),
  };
}

export type CellActions = ReturnType<typeof createCellActions>;
