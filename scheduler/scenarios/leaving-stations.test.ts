/**
 * The arm leaves a station through its approach pose, whatever has interrupted its carry.
 * @module-tag ci
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../contract/client.ts';
import type { WorkcellBody } from '../../contract/types.generated.ts';
import { createTwin } from '../../server/index.ts';
import type { TwinAndClient } from '../../server/service/simulation/twin-client.cases.ts';
import { type NamedStation, stationAt, stationsOf } from '../workcell/stations.ts';
import { assayDefinition } from './assay.cases.ts';
import { interruptedCarry, pausedWithdrawal, WAYS_ON } from './leaving-stations.cases.ts';

/** The jaws close, the plate is lowered, the jaws open, and the arm leaves the plate. */
const INSTANTS_S = [3.7, 6.1, 6.34, 6.8];
/** Two of them for each way to go on; the slow tests have the others. */
const QUICK_S: Readonly<Record<(typeof WAYS_ON)[number], readonly number[]>> = {
  'emergency stop': [3.7, 6.34],
  continue: [6.1, 6.8],
  'start as found': [3.7, 6.8],
  restore: [6.1, 6.34],
};
const CASES = WAYS_ON.flatMap((how) =>
  INSTANTS_S.map((at_s) => ({ how, at_s, isQuick: QUICK_S[how].includes(at_s) })),
);

describe('a carry that is interrupted in a station', () => {
  let stage: TwinAndClient;
  beforeAll(async () => {
    const twin = await createTwin({ webhooks: 'off' });
    stage = { twin, arm: connect({ baseUrl: twin.url, token: twin.token }) };
  });
  afterAll(() => stage.twin.close());

  for (const { how, at_s, isQuick } of CASES) {
    const options = { timeout: 60_000, tags: isQuick ? [] : ['slow'] };
    it(`goes on after: ${how} at ${at_s} s`, options, async () => {
      expect(await interruptedCarry(stage, at_s, how)).toEqual([]);
    });
  }

  it('can be paused on its way out', async () => {
    for (const later_s of [0.1, 0.6])
      expect(await pausedWithdrawal(stage, 6.8, later_s)).toEqual([]);
  }, 60_000);
});

describe('the station in which an arm stands', () => {
  const stations = stationsOf((assayDefinition()['workcell'] as WorkcellBody).instruments);
  const [first] = stations as [NamedStation, ...NamedStation[]];
  const name = (joints: readonly number[]) => stationAt(stations, joints)?.name ?? null;
  const blend = (share: number, turn_rad = 0) =>
    first.approach.map((at, i) => at + share * (first.grip[i]! - at) + (i === 0 ? turn_rad : 0));

  it('is found from the joint angles: at the grip, below it, beside it and on the way', () => {
    expect(stations).toHaveLength(9);
    for (const one of stations) expect(name(one.grip)).toBe(one.name);
    for (const share of [0.1, 0.5, 1.1]) expect(name(blend(share))).toBe('hotel slot 1');
    expect(name(blend(1, 0.05))).toBe('hotel slot 1');
  });

  it('is none at an approach pose, behind it, far beside it and for a flange turned away', () => {
    for (const one of stations) expect(name(one.approach)).toBeNull();
    expect(name(blend(-0.2))).toBeNull();
    expect(name(blend(1, 0.2))).toBeNull();
    expect(name(blend(1).map((at, i) => (i === 5 ? at + 1.5 : at)))).toBeNull();
  });

  it('is read from transport instruments only, and not from broken poses', () => {
    const broken = { stations: { hotel: { 1: { approach: [0], grip: null } }, none: null } };
    expect(stationsOf([{ id: 'a', type: 'transport', config: broken }])).toEqual([]);
    expect(stationsOf([{ id: 'a', type: 'reader' }])).toEqual([]);
  });
});
