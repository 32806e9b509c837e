import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../contract/types.generated.ts';
import { eventText, signalText, snapshotEventTexts } from './event-text.ts';
import { mergeChanges } from './merge-changes.ts';
import { SNAPSHOT } from './snapshot.cases.ts';

const changed = (changes: Parameters<typeof mergeChanges>[1]) => mergeChanges(SNAPSHOT, changes);
const textsOf = (next: Snapshot) => snapshotEventTexts(SNAPSHOT, next).map(({ text }) => text);

describe('merging changes', () => {
  it('changes only the named values', () => {
    const next = changed({ 'global.outputs': { d2: true }, control: { loop_count: 4 } });
    expect(next['global.outputs']).toEqual({ ...SNAPSHOT['global.outputs'], d2: true });
    expect(next.control).toEqual({ ...SNAPSHOT.control, loop_count: 4 });
    expect(next['global.inputs']).toEqual(SNAPSHOT['global.inputs']);
  });

  it('replaces whole arrays and keeps the others', () => {
    const next = changed({ 'servos.telemetry.velocity': [1, 2, 3, 4, 5, 6] });
    expect(next['servos.telemetry.velocity']).toEqual([1, 2, 3, 4, 5, 6]);
    expect(next['servos.telemetry.position']).toBe(SNAPSHOT['servos.telemetry.position']);
  });

  it('does not modify the old snapshot', () => {
    const before = structuredClone(SNAPSHOT);
    changed({ control: { state: 'running' }, global: { estop: true } });
    expect(SNAPSHOT).toEqual(before);
  });
});

describe('event texts', () => {
  it('ignore telemetry', () => {
    expect(textsOf(changed({ 'servos.telemetry.position': [1, 0, 0, 0, 0, 0] }))).toEqual([]);
  });

  it('describe states, loops, outputs and the emergency stop', () => {
    expect(textsOf(changed({ control: { state: 'running' } }))).toEqual(['Running']);
    expect(textsOf(changed({ control: { loop_count: 1 } }))).toEqual(['Loop 1 finished']);
    expect(textsOf(changed({ 'global.outputs': { ee_d1: true } }))).toEqual(['Tool output 1 on']);
    expect(textsOf(changed({ global: { estop: true } }))).toEqual(['Emergency stop engaged']);
  });

  it('name the loaded toolpath', () => {
    const next = changed({ control: { toolpath_hash: 'b', toolpath_name: 'Vials' } });
    expect(textsOf(next)).toEqual(['Vials loaded']);
  });

  it('name the user who acquired the lock', () => {
    const lock = { owner: 'admin', status: 'locked' } as const;
    expect(eventText({ type: 'lock_status', lock })?.text).toBe('Lock acquired by an admin');
  });
});

it.each([
  ['outputs.ee_d0 true', 'Tool output 0 on'],
  ['inputs.d3 false', 'Base input 3 off'],
  ['inputs.ee_a1 4.2', 'Tool analog input 1 at 4.2'],
  ['estop true', 'estop true'],
])('says the recorded change %s in words', (change, words) => {
  expect(signalText(change)).toBe(words);
});
