import type { Problem } from '../../../contract/problem.ts';
import { CheckedPanel, NotesPanel } from '../../toolpath/check-panels.tsx';
import type { Finding } from '../../toolpath/finding.ts';
import { FindingIcon } from '../../toolpath/finding-icon.tsx';
import { problemText } from '../../toolpath/problem-text.ts';
import { RemedyParts } from '../../toolpath/remedy-parts.tsx';
import { isUnbegun } from '../../toolpath/toolpath-edit.ts';
import { motionErrorText } from '../../toolpath/toolpath-text.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { TeachProps } from './teach-context.ts';

/** A problem that keeps the toolpath from being built; a click leads to what it is at. */
function ProblemRow({ context, of }: TeachProps & { readonly of: Problem }) {
  const { store, editor, zone } = context;
  const { text, place } = problemText(of, editor.toolpath);
  if (!place) return <p>{text}</p>;
  function show(): void {
    if (place!.kind === 'zone') zone.value = { index: place!.index, isFocused: true };
    else store.select(place!.at);
  }
  return (
    <Button class="finding finding-error" onClick={show}>
      <Icon name="warn" />
      <span>{text}</span>
    </Button>
  );
}

/** An error or a warning of the check, and what would remove it. */
function FindingRow({ context, of }: TeachProps & { readonly of: Finding }) {
  const { store, draw, apply } = context;
  const finding = store.shown.finding.value;
  const choose = (one: Finding) => store.chooseFinding(one);
  return (
    <>
      <Button
        class={`finding finding-${of.kind}`}
        aria-current={of === finding ? 'true' : undefined}
        onClick={() => choose(of)}
      >
        <FindingIcon of={of} />
        <span>
          {motionErrorText(of.code)}. {of.message}
        </span>
        <code>{of.code}</code>
      </Button>
      <RemedyParts
        of={of}
        finding={finding}
        remedy={store.shown.remedy.value}
        actions={{ draw, apply, choose }}
      />
    </>
  );
}

/** All problems, what was looked at, and the changes that a migration may have made. */
export function FindingsSection({ context }: TeachProps) {
  const { opened, problems } = context.store.shown;
  const { findings = [], toolpath } = opened.value ?? {};
  // What a toolpath without a step lacks is not wrong: it has not begun. Its zones may be.
  const isBegun = !toolpath || !isUnbegun(toolpath);
  const wrong = problems.value.filter(({ path }) => isBegun || path.startsWith('/metadata'));
  return (
    <>
      <NotesPanel store={context.store} />
      <Panel name="Findings" hidden={wrong.length + findings.length === 0}>
        <div role="alert">
          <ul class="problems">
            {wrong.map((one, i) => (
              <li key={i}>
                <ProblemRow context={context} of={one} />
              </li>
            ))}
            {findings.map((one, i) => (
              <li key={`finding ${i}`}>
                <FindingRow context={context} of={one} />
              </li>
            ))}
          </ul>
        </div>
      </Panel>
      <CheckedPanel store={context.store} />
    </>
  );
}
