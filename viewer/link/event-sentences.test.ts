import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../contract/types.ts';
import { eventSentence, snapshotSentences } from './event-sentences.ts';
import { SNAPSHOT } from './snapshot.cases.ts';
import { mergeChanges } from './snapshot-merge.ts';

const changed = (changes: Parameters<typeof mergeChanges>[1]) => mergeChanges(SNAPSHOT, changes);
const said = (next: Snapshot) => snapshotSentences(SNAPSHOT, next).map(({ text }) => text);

describe('merging changes', () => {
  it('changes the named values alone', () => {
    const next = changed({ 'global.outputs': { d2: true }, control: { loop_count: 4 } });
    expect(next['global.outputs']).toEqual({ ...SNAPSHOT['global.outputs'], d2: true });
    expect(next.control).toEqual({ ...SNAPSHOT.control, loop_count: 4 });
    expect(next['global.inputs']).toEqual(SNAPSHOT['global.inputs']);
  });

  it('replaces arrays whole and keeps the ones not named', () => {
    const next = changed({ 'servos.telemetry.velocity': [1, 2, 3, 4, 5, 6] });
    expect(next['servos.telemetry.velocity']).toEqual([1, 2, 3, 4, 5, 6]);
    expect(next['servos.telemetry.position']).toBe(SNAPSHOT['servos.telemetry.position']);
  });

  it('leaves the old snapshot as it was', () => {
    const before = structuredClone(SNAPSHOT);
    changed({ control: { state: 'running' }, global: { estop: true } });
    expect(SNAPSHOT).toEqual(before);
  });
});

describe('sentences', () => {
  it('are silent about telemetry', () => {
    expect(said(changed({ 'servos.telemetry.position': [1, 0, 0, 0, 0, 0] }))).toEqual([]);
  });

  it('tell states, loops, outputs and the emergency stop', () => {
    expect(said(changed({ control: { state: 'running' } }))).toEqual(['Running']);
    expect(said(changed({ control: { loop_count: 1 } }))).toEqual(['Loop 1 finished']);
    expect(said(changed({ 'global.outputs': { ee_d1: true } }))).toEqual(['Tool output 1 on']);
    expect(said(changed({ global: { estop: true } }))).toEqual(['Emergency stop pressed']);
  });

  it('tell a loaded toolpath by its name', () => {
    const next = changed({ control: { toolpath_hash: 'b', toolpath_name: 'Vials' } });
    expect(said(next)).toEqual(['Vials loaded']);
  });

  it('say who took the lock', () => {
    const lock = { owner: 'admin', status: 'locked' } as const;
    expect(eventSentence({ type: 'lock_status', lock })?.text).toBe('Lock taken by an admin');
  });
});
