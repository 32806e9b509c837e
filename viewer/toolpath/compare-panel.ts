/**
 * Compares another toolpath with the open one: both paths in the scene, their durations, and the
 * steps that differ. Steps are aligned by their texts (longest common subsequence).
 */
import type { Toolpath, ToolpathHead } from '../../contract/types.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { filePicker } from '../panels/form.ts';
import { decimal } from '../panels/value-text.ts';
import { createLibraryList, isListChanged } from './library-list.ts';
import { type ProgramRow, programRows, rowTimes } from './program-rows.ts';
import type { TimedPath } from './timed-path.ts';
import type { RemoteToolpathLibrary } from './toolpath-library.ts';
import { followArm } from './toolpath-library.ts';
import type { ToolpathPanel } from './toolpath-panel.ts';
import { ToolpathStore, type ToolpathView } from './toolpath-store.ts';

export interface ComparedProgram {
  readonly toolpath: Toolpath;
  readonly path: TimedPath;
}

/** A step of either program; the time is null if that program does not have it. */
export interface ComparedStep {
  readonly text: string;
  readonly own_s: number | null;
  readonly other_s: number | null;
}

/** Only this many rows of a program are compared. */
const ROWS_MAX = 600;
/** Times that differ by less are equal (s). */
const SAME_S = 0.005;

interface Step {
  readonly text: string;
  readonly time_s: number;
}

function stepsOf({ toolpath, path }: ComparedProgram): Step[] {
  const times = rowTimes(path);
  const rows = programRows(toolpath).slice(0, ROWS_MAX);
  const fullText = ({ text, detail }: ProgramRow) => (detail ? `${text}, ${detail}` : text);
  return rows.map((row) => ({ text: fullText(row), time_s: times.get(row.at)?.total_s ?? 0 }));
}

/** Length of the longest common subsequence from (i, j) on, for all i and j. */
function commonLengths(own: readonly Step[], other: readonly Step[]): Uint16Array[] {
  const table = Array.from({ length: own.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = own.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const same = own[i]!.text === other[j]!.text;
      const [below, right] = [table[i + 1]![j]!, table[i]![j + 1]!];
      table[i]![j] = same ? table[i + 1]![j + 1]! + 1 : Math.max(below, right);
    }
  }
  return table;
}

/** All steps of both programs in order; steps with equal texts are merged. */
export function compareSteps(
  ownProgram: ComparedProgram,
  otherProgram: ComparedProgram,
): ComparedStep[] {
  const [own, other] = [stepsOf(ownProgram), stepsOf(otherProgram)];
  const common = commonLengths(own, other);
  const steps: ComparedStep[] = [];
  let [i, j] = [0, 0];
  while (i < own.length || j < other.length) {
    const [a, b] = [own[i], other[j]];
    if (a && b && a.text === b.text) {
      steps.push({ text: a.text, own_s: a.time_s, other_s: b.time_s });
      i += 1;
      j += 1;
    } else if (a && (!b || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      steps.push({ text: a.text, own_s: a.time_s, other_s: null });
      i += 1;
    } else if (b) {
      steps.push({ text: b.text, own_s: null, other_s: b.time_s });
      j += 1;
    }
  }
  return steps;
}

/** Whether a step is missing on one side or takes a different time. */
export function differs({ own_s, other_s }: ComparedStep): boolean {
  return own_s === null || other_s === null || Math.abs(own_s - other_s) >= SAME_S;
}

const CHOOSE = 'Compare with';
const CHOOSE_TEXT = 'Choose a toolpath';
const SEARCH = 'Find another toolpath';
/** Maximum number of differing steps shown. */
const STEPS_MAX = 60;

export interface CompareParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly library: Pick<RemoteToolpathLibrary, 'read'>;
  /** Draws the path beside the open one; null removes it. */
  readonly draw: (path: TimedPath | null) => void;
}

function seconds(time_s: number | null): string {
  return time_s === null ? '–' : decimal(time_s, 2);
}

function signed(change_s: number): string {
  return `${change_s >= 0 ? '+' : ''}${decimal(change_s, 2)} s`;
}

function stepRow({ text, own_s, other_s }: ComparedStep): HTMLElement {
  const cells = [text, seconds(own_s), seconds(other_s)];
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
}

/** Durations and differing steps of two toolpaths, or what is wrong with the other one. */
export function summary(own: ToolpathView, other: ToolpathView): HTMLElement[] {
  if (other.problems.length > 0) {
    const [first] = other.problems;
    return [element('p', { role: 'alert' }, `${first!.path} ${first!.problem}`.trimStart())];
  }
  if (!own.opened || !own.path || !other.opened || !other.path) return [];
  // Of what is shown, so that the figures add up.
  const [own_s, other_s] = [own.path.duration_s, other.path.duration_s];
  const change_s = Number(decimal(other_s, 2)) - Number(decimal(own_s, 2));
  const steps = compareSteps(
    { toolpath: own.opened.toolpath, path: own.path },
    { toolpath: other.opened.toolpath, path: other.path },
  ).filter(differs);
  const times = `${seconds(own_s)} s here, ${seconds(other_s)} s there`;
  const many = steps.length === 1 ? '1 step differs.' : `${steps.length} steps differ.`;
  const text = steps.length === 0 ? 'All steps are equal.' : many;
  const head = ['Step', 'here, s', 'there, s'].map((name) => element('th', { scope: 'col' }, name));
  const table = element(
    'table',
    { class: 'compared' },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...steps.slice(0, STEPS_MAX).map(stepRow)),
  );
  return [
    element('p', {}, `${times} (${signed(change_s)}). ${text}`),
    ...(steps.length > 0 ? [table] : []),
  ];
}

/** The list from which the other toolpath is chosen, folded until its button is pressed. */
export function createPicker(parts: {
  readonly arm: ArmStore;
  readonly read: (head: ToolpathHead) => Promise<string | null>;
  readonly choose: (head: ToolpathHead) => void;
  /** Opens a file in place of a toolpath of the arm; absent without that offer. */
  readonly openFile?: () => void;
  /** The button that folds the list; absent for a new one. */
  readonly toggle?: HTMLButtonElement;
  /** What its button says while nothing is chosen. */
  readonly text?: string;
}) {
  const { arm, text = CHOOSE_TEXT, openFile } = parts;
  const attributes = { class: 'plain', 'aria-expanded': 'false' };
  const toggle = parts.toggle ?? button(attributes, () => undefined, text);
  toggle.addEventListener('click', () => fold());
  const search = element('input', {
    ...{ type: 'search', class: 'field', spellcheck: 'false' },
    ...{ placeholder: SEARCH, 'aria-label': SEARCH },
  });
  const choose = (head: ToolpathHead): void => {
    fold(true);
    toggle.focus();
    parts.choose(head);
  };
  const list = createLibraryList({ read: parts.read, choose });
  const file = openFile ? [button({ class: 'plain' }, openFile, 'A file')] : [];
  const attributesOfBox = { class: 'compare-picker', hidden: true };
  const box = element('div', attributesOfBox, search, list.element, ...file);
  const show = (): void => void list.show(arm.view(), search.value, null);
  function fold(folded = !box.hidden): void {
    setAttribute(box, 'hidden', folded);
    setAttribute(toggle, 'aria-expanded', String(!folded));
    if (folded) return;
    show();
    search.focus();
  }
  search.addEventListener('input', show);
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowDown') box.querySelector<HTMLElement>('.library-entry')?.focus();
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    fold(true);
    toggle.focus();
  });
  arm.subscribe((view, before) => {
    if (isListChanged(view, before) && !box.hidden) show();
  });
  return {
    toggle,
    box,
    open: () => fold(false),
    setName: (name: string | null) => setText(toggle, name ?? text),
  };
}

/** Shows what is wrong with a file as a notice. */
export function problemNotice(arm: ArmStore): (text: string) => void {
  return (text) => arm.set({ notice: { text, code: '' } });
}

/** Creates the panel; nothing is compared until the user chooses another toolpath. */
export function createComparePanel({ store, arm, library, draw }: CompareParts): ToolpathPanel {
  /** Created with the first comparison, because it has its own worker. */
  let other: ToolpathStore | null = null;
  const file = filePicker({ onText: open, onProblem: problemNotice(arm) });
  // The user may choose another one while it is read.
  let chosen: number | null = null;
  const picker = createPicker({
    arm,
    read: (head) => library.read(head),
    choose: (head) => void choose(head),
    openFile: () => file.click(),
  });
  const body = element('div', { class: 'compare-body', role: 'status' });
  const clear = button({ class: 'plain', hidden: true }, stop, 'Stop comparing');
  function show(): void {
    const view = other?.view() ?? null;
    setAttribute(clear, 'hidden', view?.origin === null || view === null);
    body.replaceChildren(...(view ? summary(store.view(), view) : []));
    // Otherwise what is drawn belongs to the replay of a run.
    if (view?.origin) draw(view.path);
  }
  function open(name: string, text: string): void {
    if (!other) {
      other = new ToolpathStore();
      followArm(other, arm);
      other.subscribe((view, before) => {
        if (view.path !== before.path || view.problems !== before.problems) show();
      });
    }
    other.open({ name, id: null }, text);
    picker.setName(name);
  }
  function stop(): void {
    other?.close();
    chosen = null;
    picker.setName(null);
    show();
    draw(null);
  }
  async function choose(head: ToolpathHead): Promise<void> {
    chosen = head.id;
    const text = await library.read(head);
    if (text && chosen === head.id) open(head.name, text);
  }
  return {
    element: element(
      'section',
      { class: 'panel compare', 'aria-label': CHOOSE },
      element('header', { class: 'section-head' }, element('h2', {}, CHOOSE), clear),
      picker.toggle,
      picker.box,
      file,
      body,
    ),
    update(view, before) {
      setAttribute(picker.toggle, 'disabled', !view.opened);
      if (view.path !== before?.path) show();
    },
  };
}
