import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calibrationNames, distributeRules, faultsIn, pairedCalibration } from './servo-rules.mjs';

/** @param {string} id @param {number} [armTime_s] */
const rule = (id, armTime_s) => ({
  id,
  statement: 'S',
  ...(armTime_s === undefined ? {} : { needs: { armTime_s } }),
});

describe('faultsIn', () => {
  it('finds the messages after state changes to error', () => {
    const lines = ['ready → error (fault)', 'J4 (servo 4) does not answer', 'error → ready'];
    const log = lines.map((msg) => JSON.stringify({ level: 30, msg })).join('\n');
    expect(faultsIn(log)).toEqual([lines[1]]);
  });
});

describe('distributeRules', () => {
  it('balances the load and keeps the order of the catalogue', () => {
    const rules = [rule('a'), rule('b', 10), rule('c', 8), rule('d'), rule('e', 12)];
    const loads = distributeRules(rules, 2).map((load) => load.map(({ id }) => id));
    expect(loads).toEqual([
      ['a', 'd', 'e'],
      ['b', 'c'],
    ]);
  });

  it('includes all rules and ignores the duration of skipped ones', () => {
    const rules = [rule('long', 36_000), rule('a'), rule('b'), rule('c')];
    const loads = distributeRules(rules, 2).map((load) => load.map(({ id }) => id));
    expect(loads).toEqual([['long', 'a', 'c'], ['b']]);
  });
});

describe('pairedCalibration', () => {
  it.each(calibrationNames())('gives %s two servos a joint', (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'armtwin-paired-'));
    const { file, family } = pairedCalibration(name, folder);
    const { joints, ...calibration } = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(folder, { recursive: true });
    const ids = joints.map((/** @type {{ ids: number[] }} */ joint) => joint.ids);
    expect(ids).toEqual([[1], [2, 12], [3, 13], [4], [5], [6]]);
    expect(calibration.family).toBe(family);
  });
});
