import type { CellControl, CellState } from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import { Button } from '../../ui/buttons.tsx';
import type { CellActions } from './cell-actions.ts';
import { cellParts } from './cell-edit.ts';
import { partText } from './part-text.ts';

interface ControlButtonProps {
  readonly control: CellControl;
  readonly state: CellState;
  readonly press: CellActions['press'];
}

/** The button that presses a button of the cell, or opens a door of it. */
function ControlButton({ control: { kind, name }, state, press }: ControlButtonProps) {
  const isActive = state.controls.find((each) => each.name === name)?.active ?? false;
  const [start, end] = kind === 'door' ? ['Open', 'Close'] : ['Press', 'Release'];
  const text = isActive ? end : start;
  return (
    // The name begins with what is seen, so that speech finds it, and ends with which one.
    <Button aria-label={`${text} ${name}`} onClick={() => press(name, !isActive)}>
      {text}
    </Button>
  );
}

interface PartListProps {
  readonly cell: CellView;
  readonly selected: string | null;
  readonly select: (name: string | null) => void;
  readonly press: CellActions['press'];
  /** A key on the row of a part; returns whether it is used. */
  readonly onKey: (name: string, event: KeyboardEvent) => boolean;
}

/** The parts of a cell with their states. */
export function PartList({ cell, selected, select, press, onKey }: PartListProps) {
  const { description, state } = cell;
  return (
    <ul class="simulation-rows cell-parts">
      {cellParts(description).map(({ name, kind }) => {
        const control = description.controls?.find((each) => each.name === name);
        return (
          <li key={name}>
            <Button
              class="cell-part"
              title={`${name}, ${kind}`}
              aria-pressed={name === selected}
              onClick={() => select(name === selected ? null : name)}
              onKeyDown={(event) => onKey(name, event) && event.preventDefault()}
            >
              <span class="grow">{name}</span>
              <span class="sub">{partText(state, name)}</span>
            </Button>
            {control && <ControlButton control={control} state={state} press={press} />}
          </li>
        );
      })}
    </ul>
  );
}
