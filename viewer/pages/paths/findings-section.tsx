import { FindingIcon } from '../../toolpath/finding-icon.tsx';
import { motionErrorText } from '../../toolpath/toolpath-text.ts';
import { Button } from '../../ui/buttons.tsx';
import { InspectorSection } from './inspector-section.tsx';
import type { PathsPanelProps } from './paths-context.ts';
import { stepTitles } from './step-titles.ts';

/** All errors and warnings; a click shows one with its place. */
export function FindingsSection({ context: { store } }: PathsPanelProps) {
  const opened = store.shown.opened.value;
  const chosen = store.shown.finding.value;
  if (!opened || opened.findings.length === 0) return null;
  const titles = stepTitles(opened);
  return (
    <InspectorSection name="Findings" end="E: next">
      {opened.findings.map((found, i) => (
        <Button
          key={i}
          class={`finding finding-${found.kind}`}
          aria-current={found === chosen ? 'true' : undefined}
          onClick={() => store.chooseFinding(found)}
        >
          <FindingIcon of={found} />
          <span>{motionErrorText(found.code)}</span>
          <span class="sub" title={found.at}>
            {titles.get(found.at)}
          </span>
        </Button>
      ))}
    </InspectorSection>
  );
}
