import { untracked, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { makeOrderable } from '../../ui/orderable.ts';
import { Problem, ValueField } from './definition-field.tsx';
import { GENERAL_FIELDS } from './definition-fields.ts';
import { DefinitionItemRow } from './definition-item-row.tsx';
import { SECTION_TEXT } from './definition-items.ts';
import { canAdd, type DefinitionSection, PLACES } from './definition-outline.ts';
import type { EditorState, FormProps } from './editor-state.ts';
import type { WorkflowSelection, WorkflowState } from './workflow-state.ts';

const SHOWN_SECTIONS = ['tasks', 'labware', 'instruments', 'limits'] as const;

/** The items of a section, which can be ordered; they are drawn by their places in it. */
function Section({ form, section }: FormProps & { readonly section: DefinitionSection }) {
  const { title, one } = SECTION_TEXT[section];
  const list = useRef<HTMLOListElement>(null);
  const outline = form.outline.value;
  const items = outline.items[section];
  useEffect(() => {
    makeOrderable(list.current!, (from, to) => form.move(section, from, to));
  }, [form, section]);
  return (
    <section class="def-section" aria-label={title} data-section={section}>
      <header class="section-head">
        <h3>{title}</h3>
        <span class="end">{items.length}</span>
        <Button
          class="plain small def-add"
          disabled={!canAdd(outline, section)}
          onClick={() => form.add(section)}
        >
          Add {one}
        </Button>
      </header>
      <Problem form={form} path={PLACES[section]} />
      <ol class="def-list" ref={list}>
        {items.map((item, i) => (
          <DefinitionItemRow key={i} form={form} item={item} />
        ))}
      </ol>
    </section>
  );
}

/** Opens the task of a bar that is selected in the chart, and brings it into view. */
function follow(selected: WorkflowSelection, form: EditorState, root: HTMLElement): void {
  if (selected?.kind !== 'bar' || !form.openTask(selected.key)) return;
  requestAnimationFrame(() => {
    // A user who is in the form sees what is to be seen.
    if (root.contains(document.activeElement)) return;
    root.querySelector('.def-item[data-open]')?.scrollIntoView({ block: 'start' });
  });
}

/** The form of the open definition. */
export function DefinitionForm({ form, state }: FormProps & { readonly state: WorkflowState }) {
  const root = useRef<HTMLDivElement>(null);
  const obstacle = form.obstacle.value;
  const focus = form.focus.value;
  useSignalEffect(() => {
    const selected = state.selected.value;
    untracked(() => follow(selected, form, root.current!));
  });
  useLayoutEffect(() => {
    if (focus === null) return;
    form.focus.value = null;
    root.current!.querySelector<HTMLElement>(focus)?.focus();
  }, [focus]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: its name is that of a region
    <div ref={root} class="def-form" role="region" aria-label="Form of the definition">
      {obstacle !== '' && (
        <p class="form-problem def-broken" role="status">
          {obstacle}
        </p>
      )}
      <fieldset class="def-body" disabled={obstacle !== ''} onFocusOut={form.settle}>
        <Problem form={form} path={[]} />
        <div class="def-fields">
          {GENERAL_FIELDS.map((field) => (
            <ValueField key={field.label} form={form} field={field} path={field.path} />
          ))}
        </div>
        {SHOWN_SECTIONS.map((section) => (
          <Section key={section} form={form} section={section} />
        ))}
      </fieldset>
    </div>
  );
}
