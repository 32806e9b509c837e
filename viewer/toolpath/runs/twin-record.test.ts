/** The runs of a twin as a page reads them: the twin's list, what is read of it, and its changes. */

import { describe, expect, it } from 'vitest';
import { failure, success } from '../../../contract/result.ts';
import type { ReplayRunReply, RobotRun } from '../../../contract/types.generated.ts';
import { ArmStore } from '../../link/arm-store.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { isRead, TwinRecord } from './twin-record.ts';

const NO_CHANGE = { text: 'nothing', body: {} };

function twinRun(id: number, given: Partial<RobotRun> = {}): RobotRun {
  const started_at = `2020-01-01T00:00:0${id}.000Z`;
  const run = { id, name: 'Sort', toolpath_hash: 'a', started_at, tick: 1000 * id, duration_s: 2 };
  const came = { outcome: 'finished', contacts: 0, signals: 4, replayable: true } as const;
  return { ...run, ...came, user_id: 1, faults: [], ...given };
}

/** A twin with runs, the newest first; null keeps none, undefined does not answer. */
class FakeTwin {
  runs: readonly RobotRun[] | null | undefined = [];
  outcome: ReplayRunReply['outcome'] = 'finished';
  driver: string | null = 'fast';
  readonly arm = new ArmStore();
  readonly record = new TwinRecord({
    arm: this.arm,
    calls: {
      identity: () => ({ driver: this.driver, clock: null, isInMemory: true, user_id: null }),
      call: async (action) => {
        if (this.runs === undefined) return failure({ kind: 'unreachable' });
        return success(await action(this.client as never));
      },
    },
  });
  private readonly client = {
    listRobotRuns: async () => ({ kept: this.runs !== null, runs: this.runs ?? [] }),
    replayRobotRun: async (): Promise<ReplayRunReply> => {
      const motion = { times_s: [0], position_rad: '', velocity_rad_s: '' };
      const recording = JSON.stringify({ kind: 'recording', name: '', motion, remarks: [] });
      const came = { outcome: this.outcome, duration_s: 2, signals: 4, findings: [] };
      return { ...came, toolpath: null, recording };
    },
  };

  async list(runs: FakeTwin['runs']) {
    this.runs = runs;
    await this.record.refresh();
    return this.listed();
  }

  /** The numbers in the list; those of what is read are marked. */
  listed() {
    return (
      this.record.listed.value?.map((run) => (isRead(run) ? `read ${run.id}` : run.id)) ?? null
    );
  }

  async open(run: RobotRun): Promise<KeptRun> {
    return (await this.record.open(run))!;
  }
}

describe('the record of a twin', () => {
  it('has a run once it is read, under its number of the twin', async () => {
    const twin = new FakeTwin();
    const [second, first] = [twinRun(2), twinRun(1)];
    expect(await twin.list([second, first])).toEqual([2, 1]);
    expect(await twin.open(first)).toMatchObject({ id: 1, name: 'Sort', isExact: true });
    expect(twin.listed()).toEqual([2, 'read 1']);
    expect(await twin.list([twinRun(3), second, first])).toEqual([3, 2, 'read 1']);
  });

  it('says who ran it, and with which faults', async () => {
    const twin = new FakeTwin();
    const fault = { kind: 'latency', min_s: 0, max_s: 1, seed: 7 } as never;
    const run = twinRun(1, { user_id: 3, faults: [fault] });
    await twin.list([run]);
    const { facts } = await twin.open(run);
    expect(facts).toContainEqual(['User', 'user 3']);
    expect(facts).toContainEqual(['Injected faults', 'latency, seed 7']);
  });

  it('reads again a run that was not over', async () => {
    const twin = new FakeTwin();
    const run = twinRun(1, { outcome: 'running' });
    twin.outcome = 'running';
    await twin.list([run]);
    await twin.open(run);
    expect(twin.listed()).toEqual([1]);
  });

  it('puts what would have come of a run above it, with a number of its own', async () => {
    const twin = new FakeTwin();
    const [second, first] = [twinRun(2), twinRun(1)];
    await twin.list([second, first]);
    const kept = await twin.open(first);
    const branches = [await twin.record.change(kept, 1, NO_CHANGE)];
    branches.unshift(await twin.record.change(kept, 1, NO_CHANGE));
    expect(branches.every((run) => run!.id < 0)).toBe(true);
    const shown = branches.map((run) => `read ${run!.id}`);
    expect(twin.listed()).toEqual([2, ...shown, 'read 1']);
    // Of a change itself nothing else can come.
    expect(twin.record.source(branches[0]!)).toBeUndefined();
    expect(await twin.record.change(branches[0]!, 1, NO_CHANGE)).toBeNull();
  });

  it('forgets what the twin has forgotten, also where numbers begin again', async () => {
    const twin = new FakeTwin();
    const run = twinRun(1);
    await twin.list([run]);
    await twin.record.change(await twin.open(run), 1, NO_CHANGE);
    expect(await twin.list([twinRun(1, { started_at: '2020-01-02T00:00:00.000Z' })])).toEqual([1]);
    expect(await twin.list([run])).toEqual([1]);
  });

  it('stays as it is while the twin does not answer, and is none of an arm without', async () => {
    const twin = new FakeTwin();
    expect(twin.listed()).toBeNull();
    await twin.list([twinRun(1)]);
    expect(await twin.list(undefined)).toEqual([1]);
    expect(await twin.list(null)).toBeNull();
    twin.driver = 'upstream';
    expect(await twin.list([twinRun(1)])).toBeNull();
  });

  it('finds the run that goes through a time', async () => {
    const twin = new FakeTwin();
    await twin.list([twinRun(2), twinRun(1)]);
    const idAt = (time_s: number) => twin.record.at(time_s)?.id;
    expect([3.9, 4, 6, 6.1, 8, 10].map(idAt)).toEqual([undefined, 1, 1, undefined, 2, 2]);
  });
});
