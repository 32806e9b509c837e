import { useComputed } from '@preact/signals';
import type { Finding } from '../../toolpath/finding.ts';
import { FindingIcon } from '../../toolpath/finding-icon.tsx';
import { isMove, MoveIcon } from '../../toolpath/move-icon.tsx';
import { findingText } from '../../toolpath/problem-text.ts';
import { programRows } from '../../toolpath/program-rows.ts';
import { RemedyParts } from '../../toolpath/remedy-parts.tsx';
import { segmentAt } from '../../toolpath/timed-path.ts';
import { motionErrorText } from '../../toolpath/toolpath-text.ts';
import { Fact } from '../../ui/fact.tsx';
import { decimal } from '../../ui/value-text.ts';
import { InspectorSection } from './inspector-section.tsx';
import type { PathsPanelProps } from './paths-context.ts';
import { stepTitles } from './step-titles.ts';

const KINDS: Readonly<Record<string, string>> = {
  joint_space: 'Joint',
  linear: 'Linear',
  spline: 'Spline',
  wait: 'Wait',
  output: 'Output',
  restart: 'Restart',
  blocked: 'Infeasible',
};

interface FindingCardProps extends PathsPanelProps {
  readonly of: Finding;
}

/** A finding in full, with what would remove it. */
function FindingCard({ of, context: { store, draw, apply } }: FindingCardProps) {
  const { finding, remedy } = store.shown;
  const actions = { draw, apply, choose: (chosen: Finding) => store.chooseFinding(chosen) };
  return (
    <div class={`card card-${of.kind}`} role="alert">
      <FindingIcon of={of} />
      <div>
        <b>{motionErrorText(of.code)}.</b>
        <p>{findingText(of.message)}</p>
        <RemedyParts of={of} finding={finding.value} remedy={remedy.value} actions={actions} />
        <code>{of.code}</code>
      </div>
    </div>
  );
}

/** The selected step, and its finding: the one chosen, otherwise the first of the step. */
export function StepSection({ context }: PathsPanelProps) {
  const { opened, path, selected, cursor_s, finding } = context.store.shown;
  const at = selected.value;
  const row = useComputed(() => {
    const rows = opened.value ? programRows(opened.value.toolpath) : [];
    return rows.find((one) => one.at === selected.value);
  }).value;
  const titles = useComputed(() => stepTitles(opened.value)).value;
  const segment = useComputed(() => {
    return path.value?.segments[segmentAt(path.value, cursor_s.value)];
  }).value;
  if (!path.value || !row) return null;
  const own = segment?.at === at ? segment : undefined;
  const from = own ? `${decimal(own.start_s, 2)} to ` : '';
  const to = own ? `${decimal(own.start_s + own.duration_s, 2)} s` : '';
  const kind = own ? KINDS[own.kind]! : row.kind.charAt(0).toUpperCase() + row.kind.slice(1);
  const shown = finding.value ?? opened.value?.findings.find((one) => one.at === at);
  return (
    <InspectorSection name={titles.get(row.at) ?? 'Branch'} end={from + to}>
      {shown && <FindingCard of={shown} context={context} />}
      <dl>
        <Fact name="Step">
          {isMove(row.kind) && <MoveIcon kind={row.kind} />} {kind}
        </Fact>
        <Fact name={isMove(row.kind) ? 'To' : 'What'}>{row.text}</Fact>
        {row.detail && <Fact name="Mode">{row.detail}</Fact>}
        {own && own.cell.length > 0 && (
          <Fact name="Cell">{own.cell.map((cell) => cell + 1).join(', ')}</Fact>
        )}
      </dl>
    </InspectorSection>
  );
}
