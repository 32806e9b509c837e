/** What is wrong with a barcode that a task has read. */

import type { DataOutputs } from '../../contract/types.generated.ts';
import { BARCODE } from '../definition/barcodes.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { RunProgress } from './progress.ts';

interface Reading {
  readonly model: Pick<WorkflowModel, 'tasks' | 'labware'>;
  readonly progress: Pick<RunProgress, 'tasks'>;
}

/** The barcode that was read on a piece; null for none so far. */
export function barcodeRead({ model, progress }: Reading, piece: number): string | null {
  const found = model.tasks.findLastIndex(
    ({ reads }, task) => reads === piece && readIn(progress, task) !== '',
  );
  return found < 0 ? null : readIn(progress, found);
}

/** The states of tasks whose reading counts. */
const DONE: readonly string[] = ['succeeded', 'completed_manually'];

function readIn({ tasks }: Reading['progress'], task: number): string {
  const { state, outputs } = tasks[task]!;
  return DONE.includes(state) ? textOf(outputs?.[BARCODE]) : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Why what a task has read is not the barcode of its piece; null if it is, or if it reads none. */
export function barcodeFault(reading: Reading, task: number, outputs: DataOutputs): string | null {
  const { labware, tasks } = reading.model;
  const piece = tasks[task]!.reads;
  if (piece === undefined) return null;
  const { id, barcode: own = barcodeRead(reading, piece) } = labware[piece]!;
  const read = textOf(outputs[BARCODE]);
  if (read === '') return `no barcode was read on ${id}`;
  if (read === own) return null;
  const owner = labware.find(
    ({ barcode }, other) => other !== piece && (barcode ?? barcodeRead(reading, other)) === read,
  );
  if (!owner && own === null) return null;
  const wanted = own === null ? '' : `, not ${own}`;
  const whose = owner ? `; that is the barcode of ${owner.id}` : '';
  return `the barcode on ${id} is ${read}${wanted}${whose}`;
}
