/**
 * The editor of the definition as JSON text, with line numbers and findings beside their lines. The
 * server validates the text shortly after the last key. A list below links every finding to its
 * line.
 */
import { button, element, icon, setAttribute, setText } from '../panels/element.ts';
import type { WorkflowActions } from './workflow-actions.ts';
import {
  isChanged,
  type WorkflowFinding,
  type WorkflowPanel,
  type WorkflowStore,
  type WorkflowView,
} from './workflow-store.ts';

const CHECK_AFTER_MS = 250;
const LINE_PX = 18;
const PADDING_PX = 8;
const NOTES_MAX = 100;

/** Offset of a line in a text. */
export function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}

/** Text of a finding with its subject; a missing field has no line of its own. */
function noteText({ path, message }: WorkflowFinding): string {
  const subject = path.slice(path.lastIndexOf('/') + 1);
  return subject && /^(?:is|must) /.test(message) ? `${subject} ${message}` : message;
}

/** Findings by line; texts of one line are joined. */
export function notesByLine(errors: readonly WorkflowFinding[]): Map<number, string> {
  const notes = new Map<number, string>();
  for (const finding of errors.slice(0, NOTES_MAX)) {
    const before = notes.get(finding.line);
    const text = noteText(finding);
    notes.set(finding.line, before ? `${before}; ${text}` : text);
  }
  return notes;
}

function summary({ checks, text }: WorkflowView): string {
  if (text === '') return 'Write a definition, or open one.';
  if (!checks.checked) return 'Checking';
  const [errors, warnings] = [checks.errors.length, checks.warnings.length];
  if (errors > 0) return errors === 1 ? '1 error.' : `${errors} errors.`;
  if (warnings === 0) return 'The definition is valid.';
  return warnings === 1 ? 'Valid, 1 warning.' : `Valid, ${warnings} warnings.`;
}

class Editor implements WorkflowPanel {
  readonly element: HTMLElement;
  private readonly actions: WorkflowActions;
  private readonly area: HTMLTextAreaElement;
  private readonly numbers = element('pre', { class: 'editor-lines', 'aria-hidden': 'true' });
  private readonly notes = element('div', { class: 'editor-notes', 'aria-hidden': 'true' });
  private readonly summary = element('p', { id: 'editor-summary', role: 'status' });
  private readonly list = element('ul', { class: 'editor-findings', 'aria-label': 'Findings' });
  private readonly save: HTMLButtonElement;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private count = 0;

  constructor(store: WorkflowStore, actions: WorkflowActions) {
    this.actions = actions;
    this.area = element('textarea', {
      class: 'editor-text',
      'aria-label': 'Definition in JSON',
      'aria-describedby': 'editor-summary',
      spellcheck: 'false',
      autocapitalize: 'off',
      wrap: 'off',
    });
    this.save = button({ class: 'plain' }, () => void actions.save(), icon('save'), 'Save');
    this.area.addEventListener('input', () => {
      this.number(this.area.value);
      store.set({ text: this.area.value, checks: { ...store.view().checks, checked: false } });
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void actions.check(this.area.value), CHECK_AFTER_MS);
    });
    this.area.addEventListener('scroll', () => this.align());
    const sheet = element('div', { class: 'editor-sheet' }, this.numbers, this.area, this.notes);
    const bar = element('footer', { class: 'editor-bar' }, this.summary, this.save);
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
      void this.actions.save();
    });
  }

  update(view: WorkflowView, before: WorkflowView | null): void {
    if (view.text !== this.area.value) {
      this.area.value = view.text;
      this.number(view.text);
      this.area.scrollTop = 0;
      this.align();
    }
    setAttribute(this.save, 'disabled', view.busy || view.text === '' || !isChanged(view));
    setText(this.summary, summary(view));
    setAttribute(this.summary, 'data-wrong', view.checks.errors.length > 0);
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
      ...view.checks.warnings.map((text) =>
        element('li', { class: 'editor-warning' }, icon('warn'), element('bdi', {}, text)),
      ),
    );
  }

  private finding({ line, path, message }: WorkflowFinding): HTMLElement {
    const text = element('bdi', {}, message);
    const where = element('span', { class: 'sub' }, `line ${line}`);
    const parts = [icon('fault'), where, ...(path ? [element('code', {}, path)] : []), text];
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

  private note(errors: readonly WorkflowFinding[]): void {
    const chips = [...notesByLine(errors)].map(([line, text]) => {
      const chip = element('span', { class: 'editor-note' }, element('bdi', {}, text));
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

/** Creates the editor of the open definition. */
export function createEditorPanel(store: WorkflowStore, actions: WorkflowActions): WorkflowPanel {
  return new Editor(store, actions);
}
