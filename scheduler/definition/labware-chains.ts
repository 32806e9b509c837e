/**
 * Builds the task chain of each piece of labware: each need takes the piece from its start location
 * or from the previous task. Branches and gaps are errors of the definition.
 */

import type { LabwareUse } from '../plan/problem.ts';
import { ANY_SLOT, type SlotLocation } from '../plan/slot-location.ts';
import type { DefinitionFindings } from './definition-findings.ts';
import type { ReadTask } from './read-definition.ts';
import type { ModelInstrument } from './workflow-model.ts';

type Need = ReadTask['needs'][number];

interface ChainStep {
  readonly task: number;
  readonly need: Need;
}

export interface ChainParts {
  readonly findings: DefinitionFindings;
  readonly tasks: readonly ReadTask[];
  readonly taskIndex: ReadonlyMap<string, number>;
  readonly labwareIndex: ReadonlyMap<string, number>;
  readonly locations: readonly SlotLocation[];
  readonly instruments: readonly ModelInstrument[];
}

function stepsOf({ tasks, labwareIndex, findings }: ChainParts): ChainStep[][] {
  const steps: ChainStep[][] = Array.from(labwareIndex, () => []);
  tasks.forEach(({ needs }, task) => {
    const seen = new Set<string>();
    for (const need of needs) {
      const labware = labwareIndex.get(need.labware_id);
      if (labware === undefined) {
        findings.add(`${need.path}/labware_id`, `there is no labware ${need.labware_id}`);
      } else if (seen.has(need.labware_id)) {
        findings.add(`${need.path}/labware_id`, `${need.labware_id} is already taken by this task`);
      } else steps[labware]!.push({ task, need });
      seen.add(need.labware_id);
    }
  });
  return steps;
}

/** Returns why a need cannot take its labware from its `source_task`, or null. */
function sourceProblem(parts: ChainParts, steps: readonly ChainStep[], { need, task }: ChainStep) {
  const source = parts.taskIndex.get(need.source_task!);
  if (source === undefined) return `there is no task ${need.source_task}`;
  if (source === task) return 'a task cannot take labware from itself';
  if (steps.some((step) => step.task === source)) return null;
  return `task ${need.source_task} has no ${need.labware_id}`;
}

/** Sorts the steps of one piece into its chain. */
function ordered(parts: ChainParts, steps: readonly ChainStep[]): ChainStep[] {
  const { findings, taskIndex, tasks } = parts;
  const first = steps.filter(({ need }) => need.source_task === undefined);
  for (const { need } of first.slice(1)) {
    const advice = 'name the previous task as source_task';
    const message = `${need.labware_id} is taken from its store twice; ${advice}`;
    findings.add(need.path, message);
  }
  const nextOf = new Map<number, ChainStep>();
  for (const step of steps) {
    if (step.need.source_task === undefined) continue;
    const fault = sourceProblem(parts, steps, step);
    const source = taskIndex.get(step.need.source_task);
    if (fault) findings.add(`${step.need.path}/source_task`, fault);
    else if (nextOf.has(source!)) {
      const other = tasks[nextOf.get(source!)!.task]!.id;
      const { labware_id, source_task } = step.need;
      const isBranch = [step.task, nextOf.get(source!)!.task].every(
        (one) => tasks[one]!.task.only_if,
      );
      const advice = isBranch
        ? `; name ${other} as source_task: what is not done is passed over`
        : '';
      const message = `task ${other} already takes ${labware_id} from ${source_task}${advice}`;
      findings.add(`${step.need.path}/source_task`, message);
    } else nextOf.set(source!, step);
  }
  if (first.length === 0 && steps.length > 0) {
    findings.add(steps[0]!.need.path, `no task takes ${steps[0]!.need.labware_id} from its store`);
  }
  const chain: ChainStep[] = [];
  for (let step = first[0]; step && !chain.includes(step); step = nextOf.get(step.task)) {
    chain.push(step);
  }
  return chain;
}

/** Returns the chain of each piece as task indices. */
export function chainsOf(parts: ChainParts): number[][] {
  return stepsOf(parts).map((steps) => ordered(parts, steps).map(({ task }) => task));
}

/** Returns the labware uses of one task, with the slots before and after. */
export function usesOf(
  parts: ChainParts,
  { needs, outputs }: ReadTask,
  candidates: readonly number[],
): LabwareUse[] {
  const { findings, labwareIndex, locations } = parts;
  for (const { path, labware_id } of outputs) {
    if (needs.some((need) => need.labware_id === labware_id)) continue;
    findings.add(path, `${labware_id} comes out of a task that it does not go into`);
  }
  return needs.flatMap((need) => {
    const labware = labwareIndex.get(need.labware_id);
    if (labware === undefined) return [];
    const output = outputs.find(({ labware_id }) => labware_id === need.labware_id);
    const slot_after = output?.slot ?? output?.destination_slot;
    const { instrument, slot: start } = locations[labware]!;
    const isStored = need.source_task === undefined && candidates.includes(instrument);
    const open = slot_after === undefined ? openSlot(parts, candidates) : FIRST_SLOT;
    const slot = isStored ? start : (need.destination_slot ?? open);
    return [{ labware, slot, slot_after: slot_after ?? slot }];
  });
}

const FIRST_SLOT = 1;

/** The slot of a need that names none: the only one, or any free one. */
export function openSlot(
  { instruments }: Pick<ChainParts, 'instruments'>,
  candidates: readonly number[],
): number {
  const hasChoice = candidates.some(
    (one) => instruments[one]!.slots > 1 && !instruments[one]!.slotless,
  );
  return hasChoice ? ANY_SLOT : FIRST_SLOT;
}

/** Returns the candidates that have a slot for each piece, where any slot will do. */
export function withRoom(
  { findings, instruments }: ChainParts,
  { task, path }: ReadTask,
  on: { readonly candidates: readonly number[]; readonly uses: readonly LabwareUse[] },
): readonly number[] {
  const { candidates, uses } = on;
  if (!uses.some(({ slot }) => slot === ANY_SLOT)) return candidates;
  const roomy = candidates.filter(
    (one) => instruments[one]!.slotless || instruments[one]!.slots >= uses.length,
  );
  if (roomy.length > 0) return roomy;
  const fault = `are ${uses.length} pieces; no instrument of type ${task.instrument.type} has so many slots`;
  findings.add(`${path}/labware_sources`, fault);
  return candidates;
}

/** Narrows the candidates to the instrument that already holds the task's stored labware. */
export function narrowedCandidates(
  { labwareIndex, locations }: ChainParts,
  { needs }: ReadTask,
  candidates: readonly number[],
): readonly number[] {
  for (const need of needs) {
    const labware = labwareIndex.get(need.labware_id);
    if (need.source_task !== undefined || labware === undefined) continue;
    const { instrument } = locations[labware]!;
    if (candidates.includes(instrument)) return [instrument];
  }
  return candidates;
}
