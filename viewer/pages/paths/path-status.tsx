import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { canDrop } from '../../ui/user-file.ts';
import type { PathsPanelProps } from './paths-context.ts';

/** Says over the scene that a toolpath is being built, or that one may be dropped. */
export function PathStatus({ context: { store } }: PathsPanelProps) {
  const busy = store.shown.busy.value;
  const isOpen = useComputed(() => store.shown.origin.value !== null).value;
  const open = useMemo(() => (canDrop() ? 'Drop a toolpath here' : 'Open a toolpath'), []);
  return (
    <p
      class="glass plan-busy"
      role="status"
      hidden={!busy && isOpen}
      data-busy={busy ? 'true' : undefined}
    >
      {busy ? 'Building the toolpath' : open}
    </p>
  );
}
