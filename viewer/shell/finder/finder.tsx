/**
 * The finder (Ctrl K): a dialog that finds pages, commands and toolpaths by a few letters. A combo
 * box with a list box, fully usable by keyboard. Loaded as its own chunk when first opened.
 */
import { useRef } from 'preact/hooks';
import type { ToolpathHead } from '../../../contract/types.generated.ts';
import { Icon, LineDrawing } from '../../ui/drawn-icon.tsx';
import { drawn } from '../../ui/mount.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { type FinderEntry, finderEntries } from './finder-entries.ts';
import { FinderState } from './finder-state.ts';

const STYLES = [new URL('../../styles/finder.css', import.meta.url)];
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
};
const LIST_ID = 'finder-list';
const PROMPT = 'Find a page, a command, a toolpath';

export interface FinderParts {
  readonly app: HTMLElement;
  readonly toolpaths: () => readonly ToolpathHead[];
  /** Opens a toolpath of the arm. */
  readonly open: (head: ToolpathHead) => void;
}

export interface Finder {
  /** Opens or closes the finder. */
  toggle(): void;
}

const BUTTON_CHANGES = {
  subtree: true,
  childList: true,
  attributeFilter: ['disabled', 'hidden', 'title', 'aria-label', 'aria-pressed'],
};

/** Whether a change is one of a button, or one came or went. */
function concernsButton({ target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (target instanceof Element && target.closest('button')) return true;
  return [...addedNodes, ...removedNodes].some(
    (node) => node instanceof Element && (node.matches('button') || node.querySelector('button')),
  );
}

interface RowProps {
  readonly id: string;
  readonly entry: FinderEntry;
  readonly isSelected: boolean;
  readonly run: () => void;
}

function Row({ id, entry: { label, group, key, on, icon }, isSelected, run }: RowProps) {
  return (
    // The input has the focus, and the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combo box selects and runs options
    // biome-ignore lint/a11y/useFocusableInteractive: the combo box has the focus
    <div
      ref={(row) => {
        if (isSelected) row?.scrollIntoView({ block: 'nearest' });
      }}
      class="finder-row"
      role="option"
      id={id}
      aria-selected={isSelected}
      onClick={run}
    >
      {icon ? <LineDrawing {...icon} /> : <span class="icon" />}
      <span class="finder-text">{label}</span>
      {on !== null && <span class="sub">{on ? 'on' : 'off'}</span>}
      {key !== '' && <kbd>{key}</kbd>}
      <span class="finder-group">{group}</span>
    </div>
  );
}

interface FinderDialogProps {
  readonly state: FinderState;
  readonly onClose: () => void;
}

function FinderDialog({ state, onClose }: FinderDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const shown = state.shown.value;
  const selected = state.selected.value;
  /** Blurs the input at once; otherwise the browser sends it keys until the next frame. */
  function close(): void {
    input.current?.blur();
    dialog.current?.close();
  }
  function run(entry: FinderEntry | undefined): void {
    if (!entry) return;
    close();
    entry.run();
  }
  function press(event: KeyboardEvent): void {
    // The page's key handlers must not see this event.
    event.stopPropagation();
    const step = STEPS[event.key];
    const toggleKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    if (toggleKey || event.key === 'Escape') close();
    else if (step !== undefined) state.select(state.selected.value + step);
    else if (event.key === 'Enter') run(state.shown.value[state.selected.value]);
    else return;
    event.preventDefault();
  }
  return (
    <dialog
      ref={dialog}
      class="finder"
      aria-label="Find"
      onKeyDown={press}
      onClick={({ target }) => target === dialog.current && close()}
      onClose={onClose}
    >
      <div class="finder-field">
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          class="finder-input"
          role="combobox"
          autocomplete="off"
          aria-controls={LIST_ID}
          aria-expanded={true}
          aria-autocomplete="list"
          aria-activedescendant={shown.length > 0 ? `${LIST_ID}-${selected}` : undefined}
          spellcheck={false}
          placeholder={PROMPT}
          aria-label={PROMPT}
          value={state.query.value}
          onInput={({ currentTarget }) => state.search(currentTarget.value)}
        />
        <kbd>Esc</kbd>
      </div>
      <div
        class="finder-list"
        role="listbox"
        id={LIST_ID}
        aria-label="Results"
        hidden={shown.length === 0}
      >
        {shown.map((entry, i) => (
          <Row
            key={i}
            id={`${LIST_ID}-${i}`}
            entry={entry}
            isSelected={i === selected}
            run={() => run(entry)}
          />
        ))}
      </div>
      <p class="finder-none" role="status">
        {shown.length === 0 && 'No matches.'}
      </p>
    </dialog>
  );
}

/** Creates the finder over the buttons in `app`. */
export async function createFinder({ app, toolpaths, open }: FinderParts): Promise<Finder> {
  await loadStyles(STYLES);
  const state = new FinderState();
  const read = () => finderEntries(app, toolpaths(), open);
  // Buttons may be enabled or disabled while the finder is open.
  const changes = new MutationObserver((records) => {
    if (records.some(concernsButton)) state.refresh(read());
  });
  function rest(): void {
    // A busy page may hear that it was closed once it is open again.
    if (!dialog.open) changes.disconnect();
  }
  const dialog = drawn(<FinderDialog state={state} onClose={rest} />) as HTMLDialogElement;
  app.append(dialog);
  return {
    toggle() {
      if (dialog.open) {
        dialog.close();
        return;
      }
      state.start(read());
      dialog.showModal();
      changes.observe(app, BUTTON_CHANGES);
    },
  };
}
