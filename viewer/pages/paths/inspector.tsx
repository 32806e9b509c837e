import type { ComponentChildren } from 'preact';
import { limits } from '../../../contract/limits.ts';
import { CheckedPanel, NotesPanel } from '../../toolpath/check-panels.tsx';
import { ZoneRow } from '../../toolpath/zone-row.tsx';
import { CursorSection } from './cursor-section.tsx';
import { FindingsSection } from './findings-section.tsx';
import { InspectorSection } from './inspector-section.tsx';
import type { PathsPanelProps } from './paths-context.ts';
import { ProblemSection } from './problem-section.tsx';
import { StepSection } from './step-section.tsx';

function ZoneSection({ context: { store } }: PathsPanelProps) {
  const zones = store.shown.opened.value?.toolpath.metadata.avoidance_zones ?? [];
  if (zones.length === 0) return null;
  return (
    <InspectorSection name="Zones" end={`${zones.length} of ${limits.avoidance_zones}`}>
      <ul>
        {zones.map((zone, i) => (
          <li key={i} class="zone-row">
            <ZoneRow of={zone} />
          </li>
        ))}
      </ul>
    </InspectorSection>
  );
}

interface InspectorProps extends PathsPanelProps {
  /** What stands below it. */
  readonly children: ComponentChildren;
}

/**
 * The right column: the selected step and its finding, the arm at the cursor, all findings, and
 * zones. It is the text alternative of the scene.
 */
export function Inspector({ context, children }: InspectorProps) {
  return (
    <aside
      class="plan-inspector"
      aria-label="Step"
      aria-busy={context.store.shown.busy.value ? 'true' : undefined}
    >
      <StepSection context={context} />
      <CursorSection context={context} />
      <ProblemSection context={context} />
      <FindingsSection context={context} />
      <CheckedPanel store={context.store} />
      <ZoneSection context={context} />
      <NotesPanel store={context.store} />
      {children}
    </aside>
  );
}
