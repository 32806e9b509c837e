import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { NEW_ACTIONS, type NewAction } from './new-actions.ts';
import type { TeachProps } from './teach-context.ts';

/** Button with a menu of what can be added after the selected step. */
export function AddMenu({ context: { actions, store, editor } }: TeachProps) {
  const isOpen = useSignal(false);
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  /** The items that can be chosen. */
  const free = () => [...menu.current!.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  useLayoutEffect(() => {
    if (!isOpen.value) return;
    free()[0]?.focus();
    // On a phone the motion row would cover its lower half.
    menu.current!.scrollIntoView({ block: 'nearest' });
  }, [isOpen.value]);
  function close(): void {
    isOpen.value = false;
    opener.current!.focus();
  }
  function choose(row: NewAction): void {
    close();
    actions.add(row);
  }
  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (step) {
      const items = free();
      const at = items.indexOf(document.activeElement as HTMLElement);
      items[(at + step + items.length) % items.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function onFocusOut({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!(currentTarget as Element).contains(relatedTarget as Node | null)) isOpen.value = false;
  }
  /** Why an action cannot be added; empty if it can. */
  function missing(row: NewAction): string {
    const context = actions.context();
    return context ? row.missing(context) : 'Open a toolpath first';
  }
  // What can be added changes with what is edited and selected.
  void [editor.toolpath, store.shown.selected.value];
  return (
    <div class="add-menu" onFocusOut={onFocusOut}>
      <Button
        ref={opener}
        aria-label="Add a step"
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        Add
        <Icon name="chevron" />
      </Button>
      <div
        ref={menu}
        class="menu"
        role="menu"
        aria-label="Add a step"
        tabIndex={-1}
        hidden={!isOpen.value}
        onKeyDown={onKey}
      >
        {NEW_ACTIONS.map((row) => {
          const why = isOpen.value ? missing(row) : '';
          return (
            <Button
              key={row.label}
              role="menuitem"
              class="menu-item"
              disabled={why !== ''}
              title={why || undefined}
              onClick={() => choose(row)}
            >
              {row.label}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
