import type { PlacedProblem } from '../../toolpath/problem-lines.ts';
import { problemText } from '../../toolpath/problem-text.ts';
import { InspectorSection } from './inspector-section.tsx';
import type { PathsPanelProps } from './paths-context.ts';

/** Problems come by check; the page lists them as the file has their places. */
const IN_ORDER = new Intl.Collator('en', { numeric: true });

/** "Line 12, /waypoints/3/joints"; the pointer alone of what has no lines. */
function placeText({ line, path }: PlacedProblem): string {
  return line === undefined ? path : `Line ${line}, ${path}`;
}

/** Why a file cannot be shown. */
export function ProblemSection({ context: { store } }: PathsPanelProps) {
  const problems = store.shown.problems.value;
  const origin = store.shown.origin.value;
  if (problems.length === 0) return null;
  return (
    <InspectorSection name={`${origin ? `“${origin.name}”` : 'This file'} cannot be shown`}>
      <ul class="problems" role="alert">
        {problems
          .toSorted((a, b) => IN_ORDER.compare(a.path, b.path))
          .map((one, i) => (
            <li key={i}>
              <p>{problemText(one, null).text}</p>
              {one.path && <code>{placeText(one)}</code>}
            </li>
          ))}
      </ul>
    </InspectorSection>
  );
}
