/**
 * A carry that is interrupted at one instant, with the ways to go on. Whatever it was doing, the
 * arm leaves a station through its approach pose: nothing falls over, the jaws touch no fixture,
 * and the work is done in the end. Test code.
 */
import { readFileSync } from 'node:fs';
import type { Cell } from '../../contract/types.generated.ts';
import type { TwinAndClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearDecks, twoMoves } from './assay.cases.ts';

const CELL = JSON.parse(
  readFileSync(new URL('../../fixtures/cells/assay-workflow.json', import.meta.url), 'utf8'),
) as Cell;
const MISHAPS = ['tipped', 'missed', 'dropped', 'slipped', 'jammed'];
const FINAL_PLACE = 'washer 1';
const LIMIT_S = 120;
/** Greatest force of a piece that is put down (N). */
const SOFT_N = 5;

/** How the work goes on after an interruption. */
export const WAYS_ON = ['emergency stop', 'continue', 'start as found', 'restore'] as const;
type WayOn = (typeof WAYS_ON)[number];

interface Ids {
  readonly workflow_id: number;
  readonly run_id: number;
}

/** Resets the errors of an arm that moved when the stop came; others have none. */
async function resetErrors({ arm }: TwinAndClient): Promise<void> {
  if ((await arm.getSnapshot()).snapshot.control.state === 'error') await arm.resetErrors();
}

/** Starts another run after the run was stopped; returns its id. */
async function another({ twin, arm }: TwinAndClient, ids: Ids, how: WayOn): Promise<number> {
  const { workflow_id, run_id } = ids;
  await arm.stopRun({ run_id });
  await twin.advance(2);
  if (how === 'restore') {
    await arm.keepState({ name: 'interrupted' });
    const { run } = await arm.startRun({ workflow_id }, { deck: 'as_found' });
    await twin.advance(3);
    await arm.stopRun({ run_id: run.id });
    await twin.advance(2);
    await arm.restoreState({ name: 'interrupted' });
  }
  const body = how === 'continue' ? { continue_run_id: run_id } : { deck: 'as_found' as const };
  return (await arm.startRun({ workflow_id }, body)).run.id;
}

async function goOn(stage: TwinAndClient, ids: Ids, how: WayOn): Promise<number> {
  const { twin, arm } = stage;
  if (how !== 'emergency stop') return another(stage, ids, how);
  await arm.setEmergencyStop({ engaged: true });
  await twin.advance(1);
  await arm.setEmergencyStop({ engaged: false });
  await twin.advance(0.2);
  await resetErrors(stage);
  await twin.advance(0.5);
  await arm.resumeRun({ run_id: ids.run_id });
  return ids.run_id;
}

/** Starts two moves of a plate in the cell of the assay, and advances to an instant. */
async function carryAt({ twin, arm }: TwinAndClient, at_s: number): Promise<Ids> {
  await arm.resetTwin({ scopes: ['state', 'faults'] });
  await clearDecks(arm);
  await arm.setCell(CELL);
  const { workflow } = await arm.createWorkflow(twoMoves());
  const { run } = await arm.startRun({ workflow_id: workflow.id });
  await twin.advance(at_s);
  return { workflow_id: workflow.id, run_id: run.id };
}

/** Waits for the end of a run; returns what is wrong with it and in the cell. */
async function faultsOf({ twin, arm }: TwinAndClient, run_id: number): Promise<string[]> {
  for (let i = 0; i < LIMIT_S; i++) {
    await twin.advance(1);
    if ((await arm.getRun({ run_id })).run.state !== 'started') break;
  }
  const { events } = await arm.listCellEvents();
  const faults = events.filter(({ kind }) => MISHAPS.includes(kind)).map(({ text }) => text);
  const { contacts } = await arm.listContacts();
  for (const { body, obstacle, peak_force_n } of contacts) {
    // A piece touches its fixture when it is lifted and put down.
    if (body === 'load' && peak_force_n < SOFT_N) continue;
    faults.push(`${body} touched ${obstacle} with ${peak_force_n.toFixed(1)} N`);
  }
  const { message } = (await arm.getRun({ run_id })).run;
  if (message !== 'completed') faults.push(`the run ends with “${message}”`);
  const { at } = (await arm.getCellObject({ object_name: 'plate_1' })).object;
  if (at !== FINAL_PLACE) faults.push(`plate_1 is at ${at}`);
  return faults;
}

/** Plays one interruption; returns what is wrong with it, empty if nothing. */
export async function interruptedCarry(
  stage: TwinAndClient,
  at_s: number,
  how: WayOn,
): Promise<string[]> {
  const ids = await carryAt(stage, at_s);
  const run_id = await goOn(stage, ids, how);
  const faults = await faultsOf(stage, run_id);
  return faults.map((text) => `${how} at ${at_s} s: ${text}`);
}

/** As an emergency stop at one instant, with an immediate pause of the run some time later. */
export async function pausedWithdrawal(
  stage: TwinAndClient,
  at_s: number,
  later_s: number,
): Promise<string[]> {
  const { twin, arm } = stage;
  const { run_id } = await carryAt(stage, at_s);
  await goOn(stage, { workflow_id: 0, run_id }, 'emergency stop');
  await twin.advance(later_s);
  await arm.pauseRun({ run_id }, { immediate: true });
  await twin.advance(2);
  const faults = (await arm.getRun({ run_id })).run.state === 'paused' ? [] : ['not paused'];
  const before = JSON.stringify(twin.snapshot()['servos.telemetry.position']);
  await twin.advance(1);
  if (JSON.stringify(twin.snapshot()['servos.telemetry.position']) !== before)
    faults.push('the arm moves');
  await arm.resumeRun({ run_id });
  return [...faults, ...(await faultsOf(stage, run_id))];
}
