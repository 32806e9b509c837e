/** The one list of the runs that this browser and the twin keep. */

import { expect, it } from 'vitest';
import type { RobotRun } from '../../../contract/types.generated.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { listRuns } from './twin-runs.ts';

const hash = 'a';
const twinRun = (id: number) =>
  ({
    id,
    tick: 1000 * id,
    toolpath_hash: hash,
    started_at: `twin ${id}`,
  }) as Partial<RobotRun> as RobotRun;
const keptRun = (id: number, twin_id: number | null, started_at = `browser ${id}`) =>
  ({
    id,
    started_at,
    ...(twin_id !== null && { twin: { tick: 1000 * twin_id, hash } }),
  }) as Partial<KeptRun> as KeptRun;

/** Names of the rows: of a kept one its number here, of another that of the twin. */
function namesOf(kept: readonly KeptRun[], twin: readonly RobotRun[]): string[] {
  return listRuns(kept, twin).map((row) =>
    'kept' in row ? `here ${row.kept.id}, ${row.kept.started_at}` : `twin ${row.twin.id}`,
  );
}

it('lists each run once, newest first, with the time of the twin', () => {
  const kept = [keptRun(2, 3), keptRun(1, 1)];
  expect(namesOf(kept, [4, 3, 2, 1].map(twinRun))).toEqual([
    'twin 4',
    'here 2, twin 3',
    'twin 2',
    'here 1, twin 1',
  ]);
});

it('takes the outcome of a run that is over from the twin', () => {
  const kept = { ...keptRun(1, 1), outcome: 'finished' } as const;
  const outcomeOf = (outcome: RobotRun['outcome']) => {
    const [row] = listRuns([kept], [{ ...twinRun(1), outcome }]);
    return row && 'kept' in row ? row.kept.outcome : null;
  };
  expect(outcomeOf('cancelled')).toBe('cancelled');
  expect(outcomeOf('running')).toBe('finished');
});

it('keeps the place of a run that was read from the twin later', () => {
  const kept = [keptRun(3, 1), keptRun(2, 3), keptRun(1, 2)];
  expect(namesOf(kept, [3, 2, 1].map(twinRun))).toEqual([
    'here 2, twin 3',
    'here 1, twin 2',
    'here 3, twin 1',
  ]);
});

it('puts what only the browser keeps above the run before it', () => {
  const lost = keptRun(3, null);
  const older = keptRun(1, null);
  expect(namesOf([keptRun(4, 2), lost, keptRun(2, 1), older], [2, 1].map(twinRun))).toEqual([
    'here 4, twin 2',
    'here 3, browser 3',
    'here 2, twin 1',
    'here 1, browser 1',
  ]);
  expect(namesOf([lost, older], [])).toEqual(['here 3, browser 3', 'here 1, browser 1']);
});

it('puts a change of a run above that run', () => {
  const first = keptRun(1, 1);
  const change = keptRun(3, null, first.started_at);
  expect(namesOf([change, keptRun(2, 2), first], [2, 1].map(twinRun))).toEqual([
    'here 2, twin 2',
    'here 3, browser 1',
    'here 1, twin 1',
  ]);
});
