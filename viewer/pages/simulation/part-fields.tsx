/** The fields of the parts of a cell, by the lists that they are in. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CellFixture, CellObject } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { type Bound, bind } from '../../ui/fields.tsx';
import type { PartList } from './cell-edit.ts';
import { DeviceFields } from './device-fields.tsx';
import type { Values } from './schema-fields.tsx';
import { MassField, ShapeFields, SizeFields } from './shape-fields.tsx';

/** What a part is like, without its place. */
export function PartFields({ list, value, set }: Bound<Values> & { readonly list: PartList }) {
  if (list === 'objects') {
    const { shape, mass_kg } = value as object as CellObject;
    return (
      <>
        <ShapeFields value={shape} set={(now) => set({ ...value, shape: now })} />
        <MassField value={mass_kg} set={(now) => set({ ...value, mass_kg: now })} />
      </>
    );
  }
  if (list !== 'fixtures') return <DeviceFields list={list} value={value} set={set} />;
  // One of several boxes is changed in the file.
  const [box, ...others] = (value as object as CellFixture).boxes;
  if (!box || others.length > 0) return null;
  return (
    <SizeFields
      value={box.size_m}
      set={(size_m) => set({ ...value, boxes: [{ ...box, size_m }] })}
    />
  );
}

interface EditFormProps {
  /** What the fields begin with. */
  readonly first: Values;
  readonly fields: (bound: Bound<Values>) => ComponentChildren;
  readonly action: string;
  readonly act: (values: Values) => unknown;
  readonly class?: 'plain' | 'primary';
  /** Other buttons. */
  readonly children?: ComponentChildren;
}

/** Fields over the button that uses what was typed into them. */
export function EditForm({ first, fields, action, act, children, ...button }: EditFormProps) {
  const values = useSignal(first);
  return (
    <>
      <div class="form-line">{fields(bind(values))}</div>
      <div class="form-line">
        <Button class="primary" {...button} onClick={() => act(values.value)}>
          {action}
        </Button>
        {children}
      </div>
    </>
  );
}
