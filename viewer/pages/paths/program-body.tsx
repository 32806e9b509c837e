import { type ReadonlySignal, useComputed } from '@preact/signals';
import { ProgramTree } from '../../toolpath/program-tree.tsx';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { UndoButtons } from '../../toolpath/undo-buttons.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { PathsPanelProps } from './paths-context.ts';

const REPLAYED = 'A replay shows what the arm did. Open its toolpath to see the program.';
const BROKEN = 'This file has no program to show. Correct its errors, then open it again.';

/** Counts as text: "1 error", "2 warnings"; empty for none. */
function findingCountText({ shown: { opened, problems } }: ToolpathStore): string {
  const findings = opened.value?.findings ?? [];
  const errors = findings.filter(({ kind }) => kind === 'error').length + problems.value.length;
  const count = errors || findings.length;
  const noun = errors ? 'error' : 'warning';
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The way back to the version on the arm. */
function OpenSavedButton({ context: { store, library, unsaved } }: PathsPanelProps) {
  const id = useComputed(() => store.shown.origin.value?.id ?? null).value;
  return (
    <Button
      class="plain small"
      title="Opens it as it is on the arm; Undo brings these edits back"
      hidden={id === null || !unsaved()}
      onClick={() => id !== null && library.openById(id)}
    >
      Open the saved version
    </Button>
  );
}

interface ProgramBodyProps extends PathsPanelProps {
  /** Only rows that contain it are shown. */
  readonly query: ReadonlySignal<string>;
  readonly hidden: boolean;
}

/** The program tree, the number of findings, and undo and redo. */
export function ProgramBody({ context, query, hidden }: ProgramBodyProps) {
  const { store } = context;
  const { problems, opened, replay, busy } = store.shown;
  const count = useComputed(() => findingCountText(store)).value;
  const isBroken = problems.value.length > 0 && !opened.value;
  return (
    <div class="program-body" hidden={hidden} aria-busy={busy.value ? 'true' : undefined}>
      <header class="section-head">
        <h2>Program</h2>
        <Button
          class="program-count"
          hidden={count === ''}
          data-tone={count.includes('error') ? 'fault' : 'warn'}
          onClick={() => store.showNextFinding()}
        >
          <Icon name="warn" />
          {count}
        </Button>
        <UndoButtons editor={context.editor} isEdited={replay.value === null} />
      </header>
      <OpenSavedButton context={context} />
      <Empty>{replay.value === null ? isBroken && BROKEN : REPLAYED}</Empty>
      <ProgramTree store={store} query={query} />
    </div>
  );
}
