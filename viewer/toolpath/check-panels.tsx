/** What stands beside findings, and in their place where there are none. */
import { Panel } from '../ui/panel.tsx';
import type { ToolpathStore } from './toolpath-store.ts';

interface CheckPanelProps {
  readonly store: ToolpathStore;
}

/** What the open toolpath was checked against. */
export function CheckedPanel({ store }: CheckPanelProps) {
  const checked = store.shown.opened.value?.checkedAgainst ?? [];
  return (
    <Panel name="Checked against" hidden={checked.length === 0}>
      <p class="sub">{checked.join(', ')}</p>
    </Panel>
  );
}

/** What a migration has changed in the open toolpath. */
export function NotesPanel({ store }: CheckPanelProps) {
  const notes = store.shown.opened.value?.notes ?? [];
  return (
    <Panel name="Migrated to format 2" hidden={notes.length === 0}>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}
