/** The options of the next run: toolpath, mode and number of loops. */
import type { ToolpathHead } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { loadReason } from '../../shell/motion-reasons.ts';
import type { Shown } from '../../shell/panel.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { numberElement, numberProblem, typedNumber } from '../../ui/number-input.ts';

const LOOPS_MAX = 100_000;

/** The list from which a toolpath is chosen; its own file, loaded when it is opened first. */
export interface ToolpathPicker {
  readonly box: HTMLElement;
  open(): void;
}
export type CreateToolpathPicker = (
  toggle: HTMLButtonElement,
  choose: (head: ToolpathHead) => void,
) => Promise<ToolpathPicker | null>;

const READING = 'Reading the toolpaths…';

/** The toolpath to load: a button with its name, and under it the list once it is opened. */
function createToolpathChoice(createPicker: CreateToolpathPicker) {
  let chosen: ToolpathHead | null = null;
  let isOpening = false;
  const attributes = { class: 'plain chooser-name', 'aria-expanded': 'false' };
  const toggle = button(attributes, () => void open());
  const place = element('div', { class: 'chooser-list' });
  let none = READING;
  function choose(head: ToolpathHead | null): void {
    chosen = head;
    setText(toggle, head?.name ?? none);
    setAttribute(toggle, 'aria-label', `Toolpath to load: ${head?.name ?? none}`);
    setAttribute(toggle, 'disabled', head === null);
  }
  async function open(): Promise<void> {
    if (isOpening || place.firstChild) return;
    isOpening = true;
    const picker = await createPicker(toggle, choose);
    isOpening = false;
    if (!picker) return;
    place.append(picker.box);
    picker.open();
  }
  choose(null);
  return {
    elements: [toggle, place] as const,
    chosen: () => chosen,
    /** Keeps the choice while the arm has it; else what is loaded, else the first. */
    update({ toolpaths, isListed, snapshot, link }: ArmView): void {
      none = isListed ? 'No toolpaths yet' : link === 'signed-out' ? 'Signed out' : READING;
      const hash = snapshot?.control.toolpath_hash;
      const kept = toolpaths.find(({ id }) => id === chosen?.id);
      choose(kept ?? toolpaths.find((head) => head.hash === hash) ?? toolpaths[0] ?? null);
    },
  };
}

/** The number of loops; what cannot be is put back, so that a run does what the field says. */
function createLoopsField(choice: RunChoice): HTMLInputElement {
  const bounds = { min: 0, max: LOOPS_MAX, whole: true };
  const name = 'Loops, 0 = endless';
  const value = String(choice.loops);
  const loops = numberElement({ value, 'aria-label': name, class: 'field loops' }, bounds);
  loops.addEventListener('input', () => {
    const count = numberProblem(loops.value, bounds) ? null : typedNumber(loops.value);
    setAttribute(loops, 'aria-invalid', count === null ? 'true' : undefined);
    if (count !== null) choice.loops = count;
  });
  loops.addEventListener('change', () => {
    loops.value = String(choice.loops);
    setAttribute(loops, 'aria-invalid', undefined);
  });
  return loops;
}

/** Why there is nothing to load; empty if there is. */
function listReason({ toolpaths, isListed }: ArmView): string {
  if (toolpaths.length > 0) return '';
  return isListed ? 'There is no saved toolpath' : 'The list of toolpaths is being read';
}

export function createRunOptions(
  choice: RunChoice,
  commands: Commands,
  createPicker: CreateToolpathPicker,
) {
  const path = createToolpathChoice(createPicker);
  const [toggle, list] = path.elements;
  function loadChosen(): void {
    const head = path.chosen();
    if (head) void commands.load(head.id);
  }
  const load = button({ class: 'plain' }, loadChosen, 'Load');
  const modes = element(
    'select',
    { 'aria-label': 'Mode', class: 'field' },
    element('option', { value: 'automatic' }, 'Automatic'),
    element('option', { value: 'teach' }, 'Teach, slow'),
  );
  modes.addEventListener('change', () => {
    choice.mode = modes.value === 'teach' ? 'teach' : 'automatic';
  });
  const box = element(
    'div',
    { class: 'chooser' },
    toggle,
    load,
    list,
    modes,
    element('label', { class: 'loops-label' }, createLoopsField(choice), 'loops'),
  );
  let listed: ArmView['toolpaths'] | null = null;
  return {
    element: box,
    update({ view }: Shown): void {
      const reason = loadReason(view) || listReason(view);
      setAttribute(load, 'disabled', reason !== '');
      setAttribute(load, 'title', reason || undefined);
      if (view.toolpaths === listed) return;
      listed = view.toolpaths;
      path.update(view);
    },
  };
}
