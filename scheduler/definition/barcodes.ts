/** The barcodes of a definition: each is of one piece, and a task reads that of its only one. */

import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import type { ReadDefinition, ReadTask } from './read-definition.ts';
import type { ModelLabware, ModelTask } from './workflow-model.ts';

/** Under this name a task returns the barcode that it has read. */
export const BARCODE = 'barcode';

/** Adds an error for each barcode that two pieces have. */
export function checkBarcodes(
  findings: DefinitionFindings,
  { definition: { workflow } }: ReadDefinition,
): void {
  const owners = new Map<string, string>();
  workflow.labware.forEach(({ id, barcode }, i) => {
    if (barcode === undefined) return;
    const other = owners.get(barcode);
    const path = `${childPointer('/workflow/labware', i)}/barcode`;
    if (other !== undefined) findings.add(path, `is ${barcode}, which is that of ${other}`);
    else owners.set(barcode, id);
  });
}

/** The piece whose barcode a task reads; undefined for none. */
export function readPiece(
  findings: DefinitionFindings,
  { task, path }: ReadTask,
  uses: ModelTask['uses'],
): number | undefined {
  if (!task.reads_barcode) return undefined;
  if (uses.length === 1) return uses[0]!.labware;
  findings.add(`${path}/reads_barcode`, `needs one piece of labware; the task has ${uses.length}`);
  return undefined;
}

/** Whether a task finds a barcode on its piece without a word of the task or its instrument. */
export function hasBarcode(labware: readonly ModelLabware[], { reads }: ModelTask): boolean {
  return reads !== undefined && labware[reads]!.barcode !== undefined;
}
