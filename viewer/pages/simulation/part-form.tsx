/** The forms of the parts of a cell. Lengths are in mm and angles in degrees here. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { CellObject } from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import { Button } from '../../ui/buttons.tsx';
import { bind, TextField } from '../../ui/fields.tsx';
import type { CellActions } from './cell-actions.ts';
import { listOf, partOf, withoutPart, withPart, withRenamed } from './cell-edit.ts';
import { EditForm, PartFields } from './part-fields.tsx';
import { PlaceFields, uprightPlace } from './place-fields.tsx';
import { sentValues } from './schema-fields.tsx';

interface PartProps {
  readonly cell: CellView;
  readonly name: string;
  readonly actions: CellActions;
  /** Shows another part. */
  readonly select: (name: string) => void;
}

function RemoveButton({ name, actions }: PartProps) {
  return (
    <Button onClick={() => actions.edit((now) => withoutPart(now, name), name)}>Remove</Button>
  );
}

/** The line that renames a part, with what refers to it. */
function NameLine({ name, actions, select }: PartProps) {
  const typed = useSignal(name);
  async function rename(): Promise<void> {
    const to = typed.value.trim();
    if (to === '' || to === name) return;
    if (await actions.edit((now) => withRenamed(now, name, to), name)) select(to);
  }
  return (
    <div class="form-line">
      <TextField label="Part name" {...bind(typed)} />
      <Button onClick={rename}>Rename</Button>
    </div>
  );
}

/** An object is moved as it is now; its size and mass are of the description. */
function ObjectForms({ object, ...props }: PartProps & { readonly object: CellObject }) {
  const { cell, name, actions } = props;
  const { shape, mass_kg } = object;
  const now = cell.state.objects.find((each) => each.name === name);
  if (!now) return null;
  return (
    <>
      <EditForm
        first={{ position: now.position, orientation: now.orientation }}
        fields={(bound) => <PlaceFields {...bound} />}
        action="Put there"
        act={(place) => actions.move(name, uprightPlace(place))}
      >
        <RemoveButton {...props} />
      </EditForm>
      <EditForm
        first={{ shape, mass_kg }}
        fields={(bound) => <PartFields list="objects" {...bound} />}
        action="Change size and mass"
        class="plain"
        act={(change) => actions.edit((before) => withPart(before, name, () => change), name)}
      />
    </>
  );
}

function PartForms(props: PartProps) {
  const { cell, name, actions } = props;
  const { description } = cell;
  const part = partOf(description, name)!;
  const list = listOf(description, name)!;
  if (list === 'objects') return <ObjectForms {...props} object={part as CellObject} />;
  const isFixture = list === 'fixtures';
  const isChanged = !('boxes' in part) || part.boxes.length === 1;
  return (
    <EditForm
      first={{ ...part }}
      fields={(bound) => (
        <>
          {isFixture && <PlaceFields {...bound} />}
          <PartFields list={list} {...bound} />
        </>
      )}
      action={isChanged ? 'Change' : 'Move'}
      act={(now) => actions.place(name, () => (isFixture ? uprightPlace(now) : sentValues(now)))}
    >
      <RemoveButton {...props} />
    </EditForm>
  );
}

/**
 * The form of the selected part. It is made again when the part has changed, but not under the
 * user's hands.
 */
export function PartForm(props: PartProps) {
  const { cell, name } = props;
  const box = useRef<HTMLDivElement>(null);
  const made = useRef({ key: '', name, cell });
  const now = cell.state.objects.find((each) => each.name === name);
  const key = JSON.stringify([name, cell.description, now?.status === 'moving' ? null : now]);
  const isUsed = made.current.name === name && box.current?.contains(document.activeElement);
  if (!isUsed) made.current = { key, name, cell };
  const shown = made.current.cell;
  if (!partOf(shown.description, name)) return null;
  return (
    <div class="cell-form" ref={box}>
      <NameLine key={name} {...props} />
      <PartForms key={made.current.key} {...props} cell={shown} />
    </div>
  );
}
