/**
 * The editor of the definition: a form beside the JSON text, with line numbers and findings beside
 * their lines, and undo over both. The server validates and plans the text shortly after the last
 * key. A list below links every finding to its line.
 */

import { readJson } from '../../../contract/json-text.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { createDefinitionForm } from './definition-form.ts';
import { countedTexts, groupFindings, lineStart, notesByLine } from './definition-notes.ts';
import { DraftHistory } from './draft-history.ts';
import type { WorkflowActions } from './workflow-actions.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import type { WorkflowStore } from './workflow-store.ts';
import { isChanged, isEdited, type WorkflowFinding, type WorkflowView } from './workflow-view.ts';

const LINE_PX = 18;
const PADDING_PX = 8;

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
  private readonly history: DraftHistory;
  private readonly form: WorkflowPanel;
  private readonly area: HTMLTextAreaElement;
  private readonly numbers = element('pre', { class: 'editor-lines', 'aria-hidden': 'true' });
  private readonly notes = element('div', { class: 'editor-notes', 'aria-hidden': 'true' });
  private readonly summary = element('p', { id: 'editor-summary', role: 'status' });
  private readonly said = element('p', { class: 'sub editor-said', role: 'status' });
  private readonly list = element('ul', { class: 'editor-findings', 'aria-label': 'Findings' });
  private readonly save: HTMLButtonElement;
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private count = 0;
  private document = 0;

  constructor(store: WorkflowStore, actions: WorkflowActions) {
    this.actions = actions;
    this.history = new DraftHistory(store, (text) => void actions.check(text));
    this.form = createDefinitionForm({
      edit: (text, gesture) => this.history.edit(text, gesture),
      settle: () => this.history.settle(),
      say: (text) => setText(this.said, text),
      onOpen: (pointer, { section, id }) => {
        const read = readJson(store.view().text);
        if (read.ok) this.scrollTo(read.value.lineOf(pointer));
        if (section === 'tasks') store.set({ selected: { kind: 'bar', key: `task/${id}` } });
      },
    });
    this.area = element('textarea', {
      class: 'editor-text',
      'aria-label': 'Definition in JSON',
      'aria-describedby': 'editor-summary',
      spellcheck: 'false',
      autocapitalize: 'off',
      wrap: 'off',
    });
    this.save = button({ class: 'plain' }, () => void actions.save(), icon('save'), 'Save');
    this.undo = this.stepButton('undo', 'Undo');
    this.redo = this.stepButton('redo', 'Redo');
    this.listen();
    const sheet = element('div', { class: 'editor-sheet' }, this.numbers, this.area, this.notes);
    const bar = element(
      'footer',
      { class: 'editor-bar' },
      this.summary,
      this.said,
      element('div', { class: 'form-actions' }, this.undo, this.redo, this.save),
    );
    this.element = element(
      'main',
      { class: 'editor', 'aria-label': 'Editor' },
      this.form.element,
      sheet,
      bar,
      this.list,
    );
    this.element.addEventListener('keydown', (event) => this.press(event));
    addEventListener('beforeunload', (event) => {
      if (isEdited(store.view())) event.preventDefault();
    });
  }

  update(view: WorkflowView, before: WorkflowView | null): void {
    if (view.text !== this.area.value) {
      this.area.value = view.text;
      this.number(view.text);
      if (view.document !== this.document) this.area.scrollTop = 0;
      this.align();
    }
    this.document = view.document;
    this.form.update(view, before);
    const isEntered = view.mode === 'json' && before !== null && before.mode !== 'json';
    if (isEntered && view.text !== '' && view.document === before.document) {
      void this.actions.check(view.text);
    }
    setAttribute(this.undo, 'disabled', !this.history.canUndo);
    setAttribute(this.redo, 'disabled', !this.history.canRedo);
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
      ...groupFindings(view.checks.errors).map((group) => this.finding(group)),
      ...countedTexts(view.checks.warnings).map((text) =>
        element('li', { class: 'editor-warning' }, icon('warn'), element('bdi', {}, text)),
      ),
    );
  }

  private stepButton(way: 'undo' | 'redo', label: string): HTMLButtonElement {
    const attributes = { class: 'plain square', 'aria-label': label, title: label };
    return button(attributes, () => this.history.step(way), icon(way));
  }

  private listen(): void {
    this.area.addEventListener('input', () => {
      this.number(this.area.value);
      this.history.edit(this.area.value, 'json');
    });
    // The browser's own undo of the text does not know the edits of the form.
    this.area.addEventListener('beforeinput', (event) => {
      if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return;
      event.preventDefault();
      this.history.step(event.inputType === 'historyUndo' ? 'undo' : 'redo');
    });
    this.area.addEventListener('scroll', () => this.align());
  }

  private press(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    const way = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' && 'undo';
    if (key !== 's' && !way) return;
    event.preventDefault();
    // An id that is being typed is taken over first.
    if (event.target instanceof HTMLInputElement) event.target.dispatchEvent(new Event('change'));
    if (way) this.history.step(way);
    else void this.actions.save();
  }

  /** One row for findings with the same text; each press goes on to the next of them. */
  private finding(group: readonly WorkflowFinding[]): HTMLElement {
    const { line, path, message } = group[0]!;
    const more = group.length - 1;
    const places = more === 0 ? `line ${line}` : `line ${line} and ${more} more`;
    const where = element('span', { class: 'sub' }, places);
    const at = path && more === 0 ? [element('code', {}, path)] : [];
    const parts = [icon('fault'), where, ...at, element('bdi', {}, message)];
    let next = 0;
    const go = () => this.go(group[next++ % group.length]!.line);
    const title = more === 0 ? undefined : 'Press again for the next line';
    return element('li', {}, button({ class: 'editor-finding', title }, go, ...parts));
  }

  private go(line: number): void {
    const from = lineStart(this.area.value, line);
    const to = lineStart(this.area.value, line + 1);
    this.area.focus();
    this.area.setSelectionRange(from, to > from ? to - 1 : this.area.value.length);
    this.scrollTo(line);
  }

  private scrollTo(line: number): void {
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
