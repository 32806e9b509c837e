/**
 * The forms of the selected step and its waypoint, or of the whole toolpath if nothing is selected,
 * and the list of problems. Every change can be undone.
 */
import type { Toolpath } from '../../../contract/types.generated.ts';
import { programRows } from '../../toolpath/program-rows.ts';
import { actionAt, changeWaypoint, isUnbegun, waypointsOf } from '../../toolpath/toolpath-edit.ts';
import { waypointName } from '../../toolpath/waypoint-name.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EditForm } from './edit-form.tsx';
import { FindingsSection } from './findings-section.tsx';
import type { TeachProps } from './teach-context.ts';
import { StepFields, WaypointFields, WholeFields } from './toolpath-fields.tsx';

const BEGIN = 'Move the arm or the ghost and add a waypoint (W). The first one becomes the home.';

/** Index of the waypoint that an action goes to; null if it has none or several. */
function ownWaypoint(toolpath: Toolpath, selected: string | null): number | null {
  const action = actionAt(toolpath, selected);
  const numbers = action ? waypointsOf(action) : [];
  return numbers.length === 1 ? numbers[0]! : null;
}

/** The text of the selected row. */
function titleOf(toolpath: Toolpath, selected: string | null): string {
  const row = programRows(toolpath).find(({ at }) => at === selected);
  return row ? `${row.text} ${row.detail}`.trim() : 'Toolpath';
}

interface WaypointSectionProps extends TeachProps {
  readonly toolpath: Toolpath;
  readonly index: number;
}

/** Waypoint of the selected step: its label, and a button that sets its pose to the ghost's. */
function WaypointSection({ context, toolpath, index }: WaypointSectionProps) {
  const { editor, targetJoints } = context;
  function setToGhost(): void {
    const joints = targetJoints();
    editor.change((now, selected) => ({
      toolpath: changeWaypoint(now, index, (waypoint) => ({ ...waypoint, joints })),
      selected,
    }));
  }
  const end = <span class="end">{waypointName(toolpath, index)}</span>;
  return (
    <Panel name="Waypoint" end={end}>
      <EditForm editor={editor}>
        {(set) => <WaypointFields value={toolpath} set={set} index={index} />}
      </EditForm>
      <Button onClick={setToGhost}>
        <Icon name="hand" />
        Set to the ghost
      </Button>
    </Panel>
  );
}

/** The forms of what is selected. */
export function StepForms({ context }: TeachProps) {
  const { store, editor } = context;
  const toolpath = store.shown.opened.value?.toolpath;
  const selected = store.shown.selected.value;
  const index = toolpath ? ownWaypoint(toolpath, selected) : null;
  return (
    <div>
      <div class="panel" hidden={!toolpath || !isUnbegun(toolpath)}>
        <p class="empty" role="status">
          {BEGIN}
        </p>
      </div>
      <FindingsSection context={context} />
      {toolpath && (
        <Panel name="Step" heading={titleOf(toolpath, selected)}>
          <EditForm editor={editor}>
            {(set) =>
              selected === null ? (
                <WholeFields value={toolpath} set={set} />
              ) : (
                <StepFields value={toolpath} set={set} at={selected} />
              )
            }
          </EditForm>
        </Panel>
      )}
      {toolpath && index !== null && (
        <WaypointSection context={context} toolpath={toolpath} index={index} />
      )}
    </div>
  );
}
