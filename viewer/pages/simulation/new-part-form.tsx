/** The form that adds a part to the cell. */
import { useSignal } from '@preact/signals';
import type { CellView } from '../../link/cell-view.ts';
import { Button } from '../../ui/buttons.tsx';
import { bind, ChoiceField, TextField } from '../../ui/fields.tsx';
import { type CellActions, UNTITLED } from './cell-actions.ts';
import { newName, withAdded } from './cell-edit.ts';
import { NEW_PARTS, placedPart } from './new-parts.ts';
import { EditForm, PartFields } from './part-fields.tsx';
import { readableName } from './readable-name.ts';
import type { Values } from './schema-fields.tsx';

const KINDS = [...NEW_PARTS.keys()].map((kind) => [kind, readableName(kind)] as const);
const NO_CELL: CellView = {
  description: { name: UNTITLED },
  state: { objects: [], grippers: [], sensors: [], conveyors: [], controls: [] },
  events: [],
};

interface NewPartProps {
  readonly actions: CellActions;
  readonly select: (name: string) => void;
}

/** Name and fields of a new part of a kind. */
function PartSetUp(props: NewPartProps & { readonly kind: string; readonly close: () => void }) {
  const { actions, kind, select, close } = props;
  const cell = () => actions.cell() ?? NO_CELL;
  const name = useSignal(newName(cell().description, kind));
  const { list, part } = NEW_PARTS.get(kind)!;
  // A weight sensor is under a fixture.
  const of = 'of' in part ? { of: cell().description.fixtures?.[0]?.name ?? '' } : {};
  async function add(values: Values): Promise<void> {
    const called = name.value.trim() || newName(cell().description, kind);
    const added = { ...placedPart(cell(), { list, part: values }), name: called };
    if (await actions.edit((now) => withAdded(now, list, added))) select(called);
  }
  return (
    <div class="cell-form">
      <div class="form-line">
        <TextField label="Name" {...bind(name)} />
      </div>
      <EditForm
        first={{ ...part, ...of }}
        fields={(bound) => <PartFields list={list} {...bound} />}
        action={`Add ${kind}`}
        act={add}
      >
        <Button onClick={close}>Close</Button>
      </EditForm>
    </div>
  );
}

/** The line that sets up a new part: its kind, then its name and fields, then Add. */
export function NewPartForm(props: NewPartProps) {
  const kind = useSignal(KINDS[0]![0]);
  const setUp = useSignal<{ readonly kind: string; readonly number: number } | null>(null);
  function open(): void {
    setUp.value = { kind: kind.value, number: (setUp.value?.number ?? 0) + 1 };
  }
  function close(): void {
    setUp.value = null;
  }
  return (
    <div class="cell-new">
      <div class="form-line">
        <ChoiceField label="New part" options={KINDS} {...bind(kind)} />
        <Button onClick={open}>Set up</Button>
      </div>
      {setUp.value && (
        <PartSetUp key={setUp.value.number} {...props} kind={setUp.value.kind} close={close} />
      )}
    </div>
  );
}
