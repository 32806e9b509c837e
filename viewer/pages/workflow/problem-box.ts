/** Where the form of a definition shows its problems. */
import { element, setAttribute, setText } from '../../ui/element.ts';
import type { WorkflowFinding } from './workflow-view.ts';

/** Where problems are shown, and the input that they are about. */
export interface ProblemSlot {
  readonly box: HTMLElement;
  readonly input: HTMLElement | undefined;
}

let problems = 0;

/** A box for problems, empty at first. */
export function problemBox(): HTMLElement {
  return element('p', { class: 'def-problem', id: `def-problem-${++problems}` });
}

/** Shows every problem at the nearest place that the form has for it. */
export function showProblems(
  slots: ReadonlyMap<string, ProblemSlot>,
  errors: readonly WorkflowFinding[],
): void {
  const texts = new Map<ProblemSlot, string[]>();
  for (const { path, message } of errors) {
    let pointer = path;
    while (pointer !== '' && !slots.has(pointer)) {
      pointer = pointer.slice(0, pointer.lastIndexOf('/'));
    }
    const slot = slots.get(pointer);
    if (slot) texts.set(slot, [...(texts.get(slot) ?? []), message]);
  }
  for (const slot of slots.values()) {
    const { box, input } = slot;
    const text = box.dataset['own'] || (texts.get(slot) ?? []).join('; ');
    setText(box, text);
    if (!input) continue;
    const isField = !(input instanceof HTMLButtonElement);
    setAttribute(input, 'aria-invalid', text !== '' && isField && 'true');
    setAttribute(input, 'aria-describedby', text !== '' && box.id);
  }
}
