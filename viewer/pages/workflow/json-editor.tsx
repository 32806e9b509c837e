import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { lineStart, notesByLine } from './definition-notes.ts';
import type { DraftHistory } from './draft-history.ts';
import type { FormProps } from './editor-state.ts';
import type { WorkflowState } from './workflow-state.ts';

const LINE_PX = 18;
const PADDING_PX = 8;
/** Lines that are seen above one that is scrolled to. */
const LINES_ABOVE = 3;

interface JsonEditorProps extends FormProps {
  readonly state: WorkflowState;
  readonly history: DraftHistory;
}

/** The text of the definition, with line numbers, and findings beside their lines. */
export function JsonEditor({ form, state, history }: JsonEditorProps) {
  const { text, document } = state.draft.value;
  const { errors } = state.checks.value;
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const notes = useRef<HTMLDivElement>(null);
  const lines = text.split('\n').length;
  const numbered = useMemo(
    () => Array.from({ length: lines }, (_, i) => i + 1).join('\n'),
    [lines],
  );
  const byLine = useMemo(() => [...notesByLine(errors)], [errors]);
  function align(): void {
    const shift = `translateY(${-area.current!.scrollTop}px)`;
    for (const beside of [numbers, notes]) beside.current!.style.transform = shift;
  }
  useLayoutEffect(() => {
    area.current!.scrollTop = 0;
  }, [document]);
  useLayoutEffect(align);
  useSignalEffect(() => {
    const goal = form.goal.value;
    const { current } = area;
    if (!goal || !current) return;
    if (goal.isSelected) {
      const [from, to] = [goal.line, goal.line + 1].map((line) => lineStart(current.value, line));
      current.focus();
      current.setSelectionRange(from!, to! > from! ? to! - 1 : current.value.length);
    }
    current.scrollTop = (goal.line - 1 - LINES_ABOVE) * LINE_PX;
  });
  /** The browser's own undo of the text does not know the edits of the form. */
  function undoAll(event: InputEvent): void {
    const way = { historyUndo: 'undo', historyRedo: 'redo' } as const;
    const step = way[event.inputType as keyof typeof way];
    if (!step) return;
    event.preventDefault();
    history.step(step);
  }
  return (
    <div class="editor-sheet">
      <pre ref={numbers} class="editor-lines" aria-hidden="true">
        {numbered}
      </pre>
      <textarea
        ref={area}
        class="editor-text"
        aria-label="Definition in JSON"
        aria-describedby="editor-summary"
        aria-invalid={errors.length > 0}
        spellcheck={false}
        autocapitalize="off"
        wrap="off"
        value={text}
        onInput={({ currentTarget }) => history.edit(currentTarget.value, 'json')}
        onBeforeInput={undoAll}
        onScroll={align}
      />
      <div class="editor-notes" aria-hidden="true">
        <div ref={notes}>
          {byLine.map(([line, note]) => (
            <span
              key={line}
              class="editor-note"
              style={{ top: `${PADDING_PX + (line - 1) * LINE_PX}px` }}
            >
              <bdi>{note}</bdi>
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
