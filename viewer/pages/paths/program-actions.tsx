import { useComputed } from '@preact/signals';
import type { ArmView } from '../../link/arm-view.ts';
import { loadReason } from '../../shell/motion-reasons.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { PathsPanelProps } from './paths-context.ts';

/** Why there is nothing to load, save or download; empty if there is. */
function contentReason({ shown: { opened, replay } }: ToolpathStore): string {
  if (replay.value !== null) return 'A replay is no toolpath: open its toolpath first';
  return opened.value ? '' : 'Open a toolpath first';
}

/** Why the open toolpath cannot be loaded into the robot; empty if it can. */
function loadingReason(store: ToolpathStore, robot: ArmView): string {
  const findings = store.shown.opened.value?.findings ?? [];
  const isFaulty = findings.some(({ kind }) => kind === 'error');
  return contentReason(store) || (isFaulty ? 'Fix the errors first' : loadReason(robot));
}

function savingReason(store: ToolpathStore, { link }: ArmView): string {
  const offline = link === 'live' ? '' : 'There is no connection to the robot';
  return contentReason(store) || (link === 'signed-out' ? 'Sign in first' : offline);
}

/** What is done with the open toolpath; a button that is disabled says why. */
export function ProgramActions({ context }: PathsPanelProps) {
  const { store, robot, library, save } = context;
  const none = useComputed(() => contentReason(store)).value;
  const noLoad = useComputed(() => loadingReason(store, robot.value)).value;
  const noSave = useComputed(() => savingReason(store, robot.value)).value;
  const isSaving = store.shown.saving.value;
  return (
    <footer class="program-actions">
      <Button
        disabled={noLoad !== ''}
        title={noLoad || undefined}
        onClick={() => library.loadIntoRobot()}
      >
        Load
      </Button>
      <Button
        disabled={noSave !== ''}
        title={noSave || undefined}
        // It keeps the focus while a save is on its way.
        aria-busy={isSaving ? 'true' : undefined}
        onClick={() => save()}
      >
        <Icon name="send" />
        <span>{isSaving ? 'Saving…' : 'Save to arm'}</span>
      </Button>
      <IconButton
        icon="save"
        label="Download"
        class="plain square"
        disabled={none !== ''}
        title={none || 'Download'}
        onClick={() => library.download()}
      />
      <IconButton
        icon="page"
        label="Export as a page"
        class="plain square"
        disabled={none !== ''}
        title={none || 'Export as a page'}
        onClick={() => library.exportPage()}
      />
    </footer>
  );
}
