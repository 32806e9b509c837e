import { useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { countedTexts, groupFindings } from './definition-notes.ts';
import type { FormProps } from './editor-state.ts';
import type { WorkflowChecks, WorkflowFinding } from './workflow-state.ts';

interface FindingProps extends FormProps {
  /** Findings with the same text, at least one. */
  readonly group: readonly WorkflowFinding[];
}

/** Findings with the same text; each press goes on to the next of them. */
function Finding({ form, group }: FindingProps) {
  const next = useRef(0);
  const { line, path, message } = group[0]!;
  const more = group.length - 1;
  return (
    <li>
      <Button
        class="editor-finding"
        title={more === 0 ? undefined : 'Press again for the next line'}
        onClick={() => form.show(group[next.current++ % group.length]!.line, true)}
      >
        <Icon name="fault" />
        <span class="sub">{more === 0 ? `line ${line}` : `line ${line} and ${more} more`}</span>
        {path && more === 0 && <code>{path}</code>}
        <bdi>{message}</bdi>
      </Button>
    </li>
  );
}

/** All findings, each with the way to its line. */
export function EditorFindings({
  form,
  checks: { errors, warnings },
}: FormProps & { readonly checks: WorkflowChecks }) {
  return (
    <ul class="editor-findings" aria-label="Findings">
      {groupFindings(errors).map((group) => (
        <Finding key={group[0]!.message} form={form} group={group} />
      ))}
      {countedTexts(warnings).map((text) => (
        <li key={text} class="editor-warning">
          <Icon name="warn" />
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}
