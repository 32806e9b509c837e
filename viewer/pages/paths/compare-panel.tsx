import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ToolpathHead } from '../../../contract/types.generated.ts';
import { problemNotice } from '../../link/failure-notice.ts';
import { followArm } from '../../toolpath/follow-arm.ts';
import { ComparisonSummary } from '../../toolpath/runs/comparison-summary.tsx';
import { ToolpathPicker } from '../../toolpath/toolpath-picker.tsx';
import { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { Button } from '../../ui/buttons.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { PathsPanelProps } from './paths-context.ts';

/**
 * Compares another toolpath with the open one: both paths in the scene, their durations, and the
 * steps that differ. Nothing is compared until the user chooses one.
 */
export function ComparePanel({ context }: PathsPanelProps) {
  const { store, arm, robot, library, draw } = context;
  /** Created with the first comparison, because it has its own worker. */
  const other = useSignal<ToolpathStore | null>(null);
  /** The user may choose another one while it is read. */
  const chosen = useRef<number | null>(null);
  const origin = other.value?.shown.origin.value ?? null;
  useSignalEffect(() => {
    const { origin, path } = other.value?.shown ?? {};
    // Otherwise what is drawn belongs to the replay of a run.
    if (origin?.value) draw(path!.value);
  });

  function open(name: string, text: string): void {
    if (!other.value) {
      const made = new ToolpathStore();
      followArm(made, arm);
      other.value = made;
    }
    other.value.open({ name, id: null }, text);
  }
  function stop(): void {
    chosen.current = null;
    other.value?.close();
    draw(null);
  }
  async function choose(head: ToolpathHead): Promise<void> {
    chosen.current = head.id;
    const text = await library.read(head);
    if (text && chosen.current === head.id) open(head.name, text);
  }
  const end = (
    <Button hidden={!origin} onClick={stop}>
      Stop comparing
    </Button>
  );
  return (
    <Panel class="compare" name="Compare with" end={end}>
      <ToolpathPicker
        arm={robot}
        read={(head) => library.read(head)}
        choose={choose}
        file={{ onText: open, onProblem: problemNotice(arm) }}
        text={origin?.name ?? 'Choose a toolpath'}
        disabled={!store.shown.opened.value}
      />
      <div class="compare-body" role="status">
        {origin && <ComparisonSummary own={store} other={other.value!} />}
      </div>
    </Panel>
  );
}
