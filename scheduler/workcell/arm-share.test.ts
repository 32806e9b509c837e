import { beforeEach, describe, expect, it } from 'vitest';
import { ArmShare, type SharedArm } from './arm-share.ts';
import type { LabwareTransporter } from './labware-transporter.ts';

let log: string[];
let arm: SharedArm;
let transporter: LabwareTransporter & { isBusy: boolean; isReady: boolean; isAtRest: boolean };

beforeEach(() => {
  log = [];
  const did = (name: string) => () => void log.push(name);
  transporter = {
    isBusy: false,
    isReady: true,
    isAtRest: false,
    start: () => {
      log.push('start');
      return null;
    },
    update: did('update'),
    pause: did('pause'),
    prepareResume: async ({ isHolding }) => `prepared ${isHolding}`,
    resume: () => 'resumed',
    cancel: did('cancel'),
    losePower: did('losePower'),
    detach: did('detach'),
  };
  arm = { transporter, owner: null };
});

describe('the share of an arm', () => {
  const labware = { id: 'a', instrument_id: 'b', slot: 1, from: { instrument_id: 'c', slot: 1 } };
  const ORDER = { toolpath: null, time_s: 1, isHolding: false, labware };
  const ignore = () => {};
  const OBSERVER = { onPicked: ignore, onPlaced: ignore, onDone: ignore, onFailed: ignore };
  let own: ArmShare;
  let other: ArmShare;

  beforeEach(() => {
    own = new ArmShare(arm);
    other = new ArmShare(arm);
  });

  it('starts a move unless the arm moves for another', () => {
    transporter.isBusy = true;
    expect(own.start(ORDER, OBSERVER)).toBe('the arm moves labware of another run');
    expect([log, arm.owner]).toEqual([[], null]);
    transporter.isBusy = false;
    expect(own.start(ORDER, OBSERVER)).toBeNull();
    expect([log, arm.owner]).toEqual([['start'], own]);
    transporter.isBusy = true;
    expect(other.start(ORDER, OBSERVER)).not.toBeNull();
    expect(own.start(ORDER, OBSERVER)).toBeNull();
    expect([log.length, arm.owner]).toEqual([2, own]);
  });

  it('is busy, ready and at rest as its own moves are', () => {
    const states = ({ isBusy, isReady, isAtRest }: ArmShare) => [isBusy, isReady, isAtRest];
    expect(states(own)).toEqual([false, true, true]);
    arm.owner = own;
    expect([states(own), states(other)]).toEqual([
      [false, true, false],
      [false, true, true],
    ]);
    transporter.isBusy = true;
    expect([states(own), states(other)]).toEqual([
      [true, true, false],
      [false, false, true],
    ]);
    Object.assign(transporter, { isBusy: false, isReady: false, isAtRest: true });
    expect([states(own), states(other)]).toEqual([
      [false, false, true],
      [false, false, true],
    ]);
  });

  it.each(['update', 'pause', 'cancel', 'losePower'] as const)(
    'passes on %s of its owner',
    (call) => {
      own[call]();
      expect(log).toEqual([]);
      arm.owner = own;
      other[call]();
      expect(log).toEqual([]);
      own[call]();
      expect(log).toEqual([call]);
    },
  );

  it('is detached by any', () => {
    own.detach();
    expect(log).toEqual(['detach']);
  });

  it('resumes its own moves, and prepares for it unless the arm moves for another', async () => {
    expect([own.resume(), await own.prepareResume({ isHolding: true })]).toEqual([
      null,
      'prepared true',
    ]);
    arm.owner = other;
    transporter.isBusy = true;
    const rest = { isHolding: false };
    expect([own.resume(), await own.prepareResume(rest)]).toEqual([null, null]);
    expect([other.resume(), await other.prepareResume(rest)]).toEqual([
      'resumed',
      'prepared false',
    ]);
  });
});
