/**
 * Slots that balance each other, as in the rotor of a centrifuge: a task has its pieces in whole pairs.
 * A counterweight is a piece like others.
 */

import type { LabwareUse } from '../plan/problem.ts';
import { ANY_SLOT, type SlotLocation } from '../plan/slot-location.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import { slotFault } from './instrument-slots.ts';
import type { ReadDefinition, ReadTask } from './read-definition.ts';
import type { ModelInstrument } from './workflow-model.ts';

/** Finds pairs of slots that do not exist or overlap, and instruments that do several tasks at a time. */
export function checkBalance(
  findings: DefinitionFindings,
  { definition: { workcell } }: ReadDefinition,
  instruments: readonly ModelInstrument[],
): void {
  workcell.instruments?.forEach(({ id, balance }, i) => {
    const one = instruments.find((other) => other.id === id);
    if (!balance || !one) return;
    const path = `${childPointer('/workcell/instruments', i)}/balance`;
    if (one.capacity > 1)
      findings.add(path, 'is of an instrument that does one task at a time; set max_tasks to 1');
    const known = new Set<number>();
    balance.forEach((pair, k) => {
      for (const slot of pair) {
        const fault = known.has(slot) ? `slot ${slot} is named twice` : slotFault(one, slot);
        if (fault !== null) findings.add(childPointer(path, k), fault);
        known.add(slot);
      }
    });
  });
}

/**
 * The uses of a task on a balanced instrument: pieces without a slot get the first pairs. Finds pieces
 * that nothing balances; a piece that stands in the other slot from the start does.
 */
export function balancedUses(
  findings: DefinitionFindings,
  { path }: ReadTask,
  on: {
    readonly uses: readonly LabwareUse[];
    readonly candidates: readonly number[];
    readonly instruments: readonly ModelInstrument[];
    readonly locations: readonly SlotLocation[];
  },
): readonly LabwareUse[] {
  const balanced = on.candidates.find((one) => on.instruments[one]!.balance !== undefined);
  if (balanced === undefined) return on.uses;
  const { id, balance = [] } = on.instruments[balanced]!;
  const named = new Set(on.uses.map(({ slot }) => slot));
  const free = balance.filter((pair) => !pair.some((slot) => named.has(slot))).flat();
  const uses = on.uses.map((use) => {
    const slot = use.slot === ANY_SLOT ? (free.shift() ?? ANY_SLOT) : use.slot;
    return { ...use, slot, slot_after: use.slot_after === ANY_SLOT ? slot : use.slot_after };
  });
  const isFilled = (slot: number) =>
    uses.some((use) => use.slot === slot) ||
    on.locations.some((at) => at.instrument === balanced && at.slot === slot);
  for (const pair of balance) {
    const [full, empty] = isFilled(pair[0]!) ? pair : [...pair].reverse();
    if (!isFilled(full!) || isFilled(empty!)) continue;
    const advice = 'add a piece there, such as a counterweight';
    findings.add(
      `${path}/labware_sources`,
      `fill slot ${full} of ${id}, and not slot ${empty}, which balances it; ${advice}`,
    );
  }
  return uses;
}
