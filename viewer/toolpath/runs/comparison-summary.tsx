/** Two paths side by side: their durations, and the steps that differ. */

import { decimal } from '../../ui/value-text.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { compareSteps, differs } from './comparison.ts';

/** Maximum number of differing steps shown. */
const STEPS_MAX = 60;

function seconds(time_s: number | null): string {
  return time_s === null ? '–' : decimal(time_s, 2);
}

function signed(change_s: number): string {
  return `${change_s >= 0 ? '+' : ''}${decimal(change_s, 2)} s`;
}

interface ComparisonSummaryProps {
  readonly own: ToolpathStore;
  readonly other: ToolpathStore;
}

/** Durations and differing steps of two toolpaths, or what is wrong with the other one. */
export function ComparisonSummary({ own, other }: ComparisonSummaryProps) {
  const [first] = other.shown.problems.value;
  if (first) return <p role="alert">{`${first.path} ${first.problem}`.trimStart()}</p>;
  const toolpath = own.shown.opened.value?.toolpath;
  const otherToolpath = other.shown.opened.value?.toolpath;
  const [path, otherPath] = [own.shown.path.value, other.shown.path.value];
  if (!toolpath || !path || !otherToolpath || !otherPath) return null;
  // Of what is shown, so that the figures add up.
  const [own_s, other_s] = [path.duration_s, otherPath.duration_s];
  const change_s = Number(decimal(other_s, 2)) - Number(decimal(own_s, 2));
  const steps = compareSteps({ toolpath, path }, { toolpath: otherToolpath, path: otherPath });
  const differing = steps.filter(differs);
  const times = `${seconds(own_s)} s here, ${seconds(other_s)} s there`;
  const many = differing.length === 1 ? '1 step differs.' : `${differing.length} steps differ.`;
  const text = differing.length === 0 ? 'All steps are equal.' : many;
  return (
    <>
      <p>{`${times} (${signed(change_s)}). ${text}`}</p>
      {differing.length > 0 && (
        <table class="compared">
          <thead>
            <tr>
              {['Step', 'here, s', 'there, s'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differing.slice(0, STEPS_MAX).map((step, i) => (
              <tr key={i}>
                <td>{step.text}</td>
                <td>{seconds(step.own_s)}</td>
                <td>{seconds(step.other_s)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
