import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Cell } from '../../../contract/types.generated.ts';
import { IS_DEFAULT_ARM } from '../../../physics/arm/arm-model.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { SAMPLES } from '../../toolpath/samples.ts';
import { Button } from '../../ui/buttons.tsx';
import { createOnce } from '../../ui/once.ts';
import { cellInTheWay } from './cell-in-the-way.ts';
import type { WorkflowActions } from './workflow-actions.ts';

/** The sample in which the arm carries three plates from instrument to instrument, and its cell. */
const ARM_SAMPLE = new URL('../../../fixtures/workflows/assay.json', import.meta.url);
const SAMPLE_CELL = new URL('../../../fixtures/cells/assay-workflow.json', import.meta.url);
const NOT_LOADED = 'The sample could not be loaded. Try again.';

/** The sample and the cells of all samples; null where one of them cannot be loaded. */
async function loadSamples() {
  const urls = [ARM_SAMPLE, SAMPLE_CELL, ...SAMPLES.map(({ cell }) => cell)];
  const texts = await Promise.all(
    urls.map((url) => fetch(url).then((reply) => (reply.ok ? reply.text() : null))),
  ).catch(() => []);
  const [text, ...cells] = texts;
  const known = cells.flatMap((cell) => (cell ? [JSON.parse(cell) as Cell] : []));
  return text && known.length === SAMPLES.length + 1 ? { text, cells: known } : null;
}

interface ArmSampleProps {
  readonly arm: ReadonlySignal<ArmView>;
  readonly actions: WorkflowActions;
  /** Other buttons beside the one of the sample. */
  readonly children: ComponentChildren;
}

/**
 * The button that runs the sample with the arm that it was made for, in its own cell where the arm is in a simulated
 * world. It asks before it takes the place of another cell.
 */
export function ArmSample({ arm, actions, children }: ArmSampleProps) {
  const once = useMemo(createOnce, []);
  /** The name of the cell that is in the way, while that is asked. */
  const inTheWay = useSignal<string | null>(null);
  const replace = useRef<HTMLButtonElement>(null);
  /** Runs it, in its cell (true) or as things stand (false); null: asks where there is a question. */
  function start(inOwnCell: boolean | null): Promise<unknown> {
    return once('run', async () => {
      const loaded = await loadSamples();
      if (!loaded) return actions.reportProblem(NOT_LOADED);
      const { text, cells } = loaded;
      const view = arm.value;
      inTheWay.value = inOwnCell === null ? cellInTheWay(view, cells) : null;
      if (inTheWay.value !== null) return;
      const isSet = inOwnCell !== false && view.sim?.obstacles && !view.workflow;
      return actions.runText(text, isSet ? cells[0]! : null);
    });
  }
  useLayoutEffect(() => replace.current?.focus(), [inTheWay.value]);
  return (
    <>
      <div class="form-actions">
        {IS_DEFAULT_ARM && (
          <Button class="primary" onClick={() => start(null)}>
            Run a sample with the arm
          </Button>
        )}
        {children}
      </div>
      <div class="form-actions" role="status" hidden={inTheWay.value === null}>
        {inTheWay.value !== null && (
          <>
            <span class="grow">
              The arm stands in the cell “{inTheWay.value}”. The sample has a cell of its own.
            </span>
            <Button ref={replace} onClick={() => start(true)}>
              Replace it and run
            </Button>
            <Button onClick={() => start(false)}>Run in this cell</Button>
          </>
        )}
      </div>
    </>
  );
}
