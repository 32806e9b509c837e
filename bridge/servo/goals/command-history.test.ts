/**
 * Commands between samples get durations by the clock of the servos; a silence restarts the
 * history.
 */

import { beforeEach, describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import { JointUnits } from '../calibration/joint-units.ts';
import type { CommandInterval } from '../joint-bus.ts';
import { CommandHistory } from './command-history.ts';

const UNITS = EMULATED_CALIBRATION.joints.map((joint) => new JointUnits(joint));
const goal = (angle: number) => new Float64Array(6).fill(angle);

describe('the command history', () => {
  let reported: (readonly CommandInterval[])[];
  let history: CommandHistory;
  const latest = () => reported.at(-1)!.map((one) => [one.goal_rad[0]!, one.duration_ms]);

  beforeEach(() => {
    reported = [];
    history = new CommandHistory(UNITS, (intervals) => reported.push(intervals));
    history.addCommand(goal(0), 0);
    history.addSample(5000);
  });

  it('has no intervals at the first sample', () => {
    expect(reported).toEqual([[]]);
  });

  it('spans a goal from its sample to the next, in servo time', () => {
    history.addCommand(goal(0.1), 8);
    history.addSample(5060);
    expect(latest()).toEqual([[0, 60]]);
    history.addCommand(goal(0.2), 70);
    history.addSample(5061);
    expect(latest()).toEqual([[expect.closeTo(0.1, 3), 1]]);
  });

  it('divides the time between goals of unanswered requests', () => {
    history.addCommand(goal(0.1), 10);
    history.addCommand(goal(0.2), 40);
    history.addSample(5020);
    expect(latest()).toEqual([
      [0, 5],
      [expect.closeTo(0.1, 3), 15],
    ]);
  });

  it('rounds goals to servo steps', () => {
    history.addCommand(goal(0.1), 8);
    history.addSample(5008);
    history.addCommand(goal(0), 16);
    history.addSample(5016);
    const [angle] = latest()[0]!;
    expect(UNITS[0]!.toAngle(UNITS[0]!.toTicks(0.1))).toBe(angle);
    expect(angle).not.toBe(0.1);
  });

  it.each([
    ['the servos restarted', () => history.addSample(12)],
    ['the silence was long', () => history.addSample(6001)],
    [
      'it is reset',
      () => {
        history.reset();
        history.addCommand(goal(0), 8);
        history.addSample(5008);
      },
    ],
  ])('restarts when %s', (_, happens) => {
    history.addCommand(goal(0.1), 8);
    happens();
    expect(reported.at(-1)).toEqual([]);
  });

  it('is bounded while no servo replies', () => {
    for (let i = 0; i < 1000; i++) history.addCommand(goal(0.1), 8 * i);
    history.addSample(5200);
    expect(reported.at(-1)).toEqual([]);
  });
});
