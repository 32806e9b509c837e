/**
 * The panel of avoidance zones of the edited toolpath: a list in which one zone at a time shows
 * its form. Every change can be undone; scene and ghost update at once. §2.7.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { limits } from '../../../contract/limits.ts';
import type { AvoidanceZone, Toolpath } from '../../../contract/types.generated.ts';
import { ZoneRow } from '../../toolpath/zone-row.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EditForm } from './edit-form.tsx';
import type { TeachProps } from './teach-context.ts';
import { addZone, removeZone, replaceZone, zonesOf } from './zone-edit.ts';
import { ZoneFields } from './zone-fields.tsx';

const EMPTY = 'No zones. The arm may use its whole reach.';

interface ZoneFormProps extends TeachProps {
  readonly toolpath: Toolpath;
  readonly zone: AvoidanceZone;
  readonly index: number;
  readonly remove: () => void;
}

function ZoneForm({ context, toolpath, zone, index, remove }: ZoneFormProps) {
  const form = useRef<HTMLDivElement>(null);
  const opened = context.zone.value;
  useLayoutEffect(() => {
    if (!opened?.isFocused) return;
    const first = form.current!.querySelector('input');
    first?.focus();
    first?.select();
  }, [opened]);
  const isFree = (name: string) =>
    zonesOf(toolpath).every((other, i) => i === index || other.name !== name);
  return (
    <div ref={form} class="zone-form">
      <EditForm editor={context.editor}>
        {(set) => (
          <ZoneFields
            value={zone}
            set={(changed) => set(replaceZone(toolpath, index, changed))}
            isFree={isFree}
          />
        )}
      </EditForm>
      <Button onClick={remove}>
        <Icon name="remove" />
        Remove zone
      </Button>
    </div>
  );
}

/** The panel of the zones. */
export function ZonesPanel({ context }: TeachProps) {
  const { store, editor, target, zone: opened } = context;
  const add = useRef<HTMLButtonElement>(null);
  const toolpath = store.shown.opened.value?.toolpath;
  const zones = toolpath ? zonesOf(toolpath) : [];
  const change = (edit: (now: Toolpath) => Toolpath) =>
    editor.change((now, selected) => ({ toolpath: edit(now), selected }));
  function addOne(): void {
    const [x, y, z] = target.pose().subarray(9);
    change((now) => addZone(now, { x: x!, y: y!, z: z! }));
    opened.value = { index: zones.length, isFocused: true };
  }
  function remove(index: number): void {
    opened.value = null;
    change((now) => removeZone(now, index));
    add.current!.focus();
  }
  const end = (
    <>
      <span class="end">{zones.length > 0 && `${zones.length} of ${limits.avoidance_zones}`}</span>
      <Button
        ref={add}
        class="plain small"
        disabled={zones.length >= limits.avoidance_zones}
        onClick={addOne}
      >
        Add zone
      </Button>
    </>
  );
  return (
    <Panel class="zones-panel" name="Zones" end={end} hidden={!toolpath}>
      <p class="empty" hidden={zones.length > 0}>
        {EMPTY}
      </p>
      <ul class="zone-list">
        {zones.map((zone, index) => {
          const isOpen = opened.value?.index === index;
          const toggle = () => {
            opened.value = isOpen ? null : { index, isFocused: false };
          };
          return (
            <li key={index}>
              <Button class="zone-row zone-edit" aria-expanded={isOpen} onClick={toggle}>
                <ZoneRow of={zone} />
                <Icon name="chevron" />
              </Button>
              {isOpen && (
                <ZoneForm
                  {...{ context, zone, index }}
                  toolpath={toolpath!}
                  remove={() => remove(index)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
