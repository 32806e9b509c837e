/**
 * The definition as text: lines with numbers, and what is wrong with a line beside it, as the
 * server says a moment after the last key. A list below names every finding and leads to its line.
 */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import type { WorkActs } from './workflow-acts.ts';
import {
  isChanged,
  type WorkFinding,
  type WorkPanel,
  type WorkStore,
  type WorkView,
} from './workflow-store.ts';

const CHECK_AFTER_MS = 250;
const LINE_PX = 18;
const PADDING_PX = 8;
const NOTES_MAX = 100;

/** Where a line begins in a text. */
export function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}

/** The words of a finding with their subject: what is missing has no line of its own to show it. */
function noteWords({ path, message }: WorkFinding): string {
  const subject = path.slice(path.lastIndexOf('/') + 1);
  return subject && /^(?:is|must) /.test(message) ? `${subject} ${message}` : message;
}

/** Findings by line, the words of one line joined. */
export function notesByLine(errors: readonly WorkFinding[]): Map<number, string> {
  const notes = new Map<number, string>();
  for (const finding of errors.slice(0, NOTES_MAX)) {
    const before = notes.get(finding.line);
    const words = noteWords(finding);
    notes.set(finding.line, before ? `${before}; ${words}` : words);
  }
  return notes;
}

function summary({ checks, text }: WorkView): string {
  if (text === '') return 'Write a definition, or open one.';
  if (!checks.judged) return 'Checking';
  const [errors, warnings] = [checks.errors.length, checks.warnings.length];
  if (errors > 0) return errors === 1 ? 'One thing is wrong.' : `${errors} things are wrong.`;
  if (warnings === 0) return 'Nothing is wrong with this definition.';
  return warnings === 1 ? 'Valid, with one warning.' : `Valid, with ${warnings} warnings.`;
}

class Editor implements WorkPanel {
  readonly element: HTMLElement;
  private readonly acts: WorkActs;
  private readonly area: HTMLTextAreaElement;
  private readonly numbers = element('pre', { class: 'editor-lines', 'aria-hidden': 'true' });
  private readonly notes = element('div', { class: 'editor-notes', 'aria-hidden': 'true' });
  private readonly said = element('p', { id: 'editor-said', role: 'status' });
  private readonly list = element('ul', { class: 'editor-findings', 'aria-label': 'Findings' });
  private readonly save: HTMLButtonElement;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private count = 0;

  constructor(store: WorkStore, acts: WorkActs) {
    this.acts = acts;
    this.area = element('textarea', {
      class: 'editor-text',
      'aria-label': 'Definition in JSON',
      'aria-describedby': 'editor-said',
      spellcheck: 'false',
      autocapitalize: 'off',
      wrap: 'off',
    });
    this.save = button({ class: 'plain' }, () => void acts.save(), icon('save'), 'Save');
    this.area.addEventListener('input', () => {
      this.number(this.area.value);
      store.set({ text: this.area.value, checks: { ...store.view().checks, judged: false } });
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void acts.check(this.area.value), CHECK_AFTER_MS);
    });
    this.area.addEventListener('scroll', () => this.align());
    const sheet = element('div', { class: 'editor-sheet' }, this.numbers, this.area, this.notes);
    const bar = element('footer', { class: 'editor-bar' }, this.said, this.save);
    this.element = element(
      'main',
      { class: 'editor', 'aria-label': 'Editor' },
      sheet,
      bar,
      this.list,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.acts.save();
    });
  }

  update(view: WorkView, before: WorkView | null): void {
    if (view.text !== this.area.value) {
      this.area.value = view.text;
      this.number(view.text);
      this.area.scrollTop = 0;
      this.align();
    }
    setAttribute(this.save, 'disabled', view.busy || view.text === '' || !isChanged(view));
    setText(this.said, summary(view));
    setAttribute(this.said, 'data-wrong', view.checks.errors.length > 0);
    if (
      view.checks.errors === before?.checks.errors &&
      view.checks.warnings === before.checks.warnings
    ) {
      return;
    }
    setAttribute(this.area, 'aria-invalid', String(view.checks.errors.length > 0));
    this.note(view.checks.errors);
    this.list.replaceChildren(
      ...view.checks.errors.map((finding) => this.finding(finding)),
      ...view.checks.warnings.map((words) =>
        element('li', { class: 'editor-warning' }, icon('warn'), element('bdi', {}, words)),
      ),
    );
  }

  private finding({ line, path, message }: WorkFinding): HTMLElement {
    const words = element('bdi', {}, message);
    const where = element('span', { class: 'sub' }, `line ${line}`);
    const parts = [icon('fault'), where, ...(path ? [element('code', {}, path)] : []), words];
    return element(
      'li',
      {},
      button({ class: 'editor-finding' }, () => this.go(line), ...parts),
    );
  }

  private go(line: number): void {
    const from = lineStart(this.area.value, line);
    const to = lineStart(this.area.value, line + 1);
    this.area.focus();
    this.area.setSelectionRange(from, to > from ? to - 1 : this.area.value.length);
    this.area.scrollTop = (line - 4) * LINE_PX;
  }

  private number(text: string): void {
    const count = text.split('\n').length;
    if (count === this.count) return;
    this.count = count;
    setText(this.numbers, Array.from({ length: count }, (_, i) => i + 1).join('\n'));
  }

  private note(errors: readonly WorkFinding[]): void {
    const chips = [...notesByLine(errors)].map(([line, words]) => {
      const chip = element('span', { class: 'editor-note' }, element('bdi', {}, words));
      chip.style.top = `${PADDING_PX + (line - 1) * LINE_PX}px`;
      return chip;
    });
    this.notes.replaceChildren(element('div', {}, ...chips));
    this.align();
  }

  private align(): void {
    const shift = `translateY(${-this.area.scrollTop}px)`;
    this.numbers.style.transform = shift;
    const inner = this.notes.firstElementChild;
    if (inner instanceof HTMLElement) inner.style.transform = shift;
  }
}

/** The editor of the open definition. */
export function createEditorPanel(store: WorkStore, acts: WorkActs): WorkPanel {
  return new Editor(store, acts);
}
