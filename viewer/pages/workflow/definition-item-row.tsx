import { useId } from 'preact/hooks';
import { pointerOf } from '../../../contract/json-text.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IdField, Problem, ValueField } from './definition-field.tsx';
import { FIELDS } from './definition-fields.ts';
import { itemText, SECTION_TEXT } from './definition-items.ts';
import type { DefinitionItem } from './definition-outline.ts';
import type { FormProps } from './editor-state.ts';
import { TaskParts } from './task-parts.tsx';

interface ItemProps extends FormProps {
  readonly item: DefinitionItem;
}

/** The fields of an open item. */
function ItemFields({ form, item, name }: ItemProps & { readonly name: string }) {
  const { section, path } = item;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend */}
      <div class="def-fields" role="group" aria-label={name}>
        {FIELDS[section].map((field) =>
          field.kind === 'id' ? (
            <IdField key={field.label} form={form} item={item} />
          ) : (
            <ValueField
              key={field.label}
              form={form}
              field={field}
              path={[...path, ...field.path]}
            />
          ),
        )}
      </div>
      {section === 'tasks' && <TaskParts form={form} task={item} />}
    </>
  );
}

/** An item of the form: its head, and its fields while it is open. */
export function DefinitionItemRow({ form, item }: ItemProps) {
  const { section, id, path } = item;
  const name = id || `unnamed ${SECTION_TEXT[section].one}`;
  const order = `Move ${name}: drag it, or press the up and down arrow keys`;
  const isOpen = form.openItem.value === item;
  const problemId = useId();
  const isWrong = form.problems.value.has(pointerOf(path));
  return (
    <li class="def-item" data-open={isOpen ? '' : undefined}>
      <div class="def-row">
        <IconButton icon="grip" label={order} class="def-grip" data-grip />
        <Button
          class="def-toggle"
          aria-expanded={isOpen}
          aria-describedby={isWrong ? problemId : undefined}
          onClick={() => form.toggle(item)}
        >
          <Icon name="chevron" />
          <bdi>{name}</bdi>
          <span class="sub">{itemText(form.outline.value, item)}</span>
        </Button>
        <IconButton
          icon="remove"
          label={`Remove ${name}`}
          class="plain small square"
          onClick={() => form.remove(item, name)}
        />
      </div>
      <Problem form={form} path={path} id={problemId} />
      {isOpen && <ItemFields form={form} item={item} name={name} />}
    </li>
  );
}
