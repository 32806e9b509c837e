/** What servos were told is laid out over their own time, and silence begins anew. */
import { beforeEach, describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from './calibration.ts';
import { GoalTrace, type Stretch } from './goal-trace.ts';
import { JointUnits } from './joint-units.ts';

const UNITS = EMULATED_CALIBRATION.joints.map((joint) => new JointUnits(joint));
const goal = (angle: number) => new Float64Array(6).fill(angle);

describe('the trace of goals', () => {
  let told: (readonly Stretch[])[];
  let trace: GoalTrace;
  const stretches = () => told.at(-1)!.map((one) => [one.goal_rad[0]!, one.duration_ms]);

  beforeEach(() => {
    told = [];
    trace = new GoalTrace(UNITS, (some) => told.push(some));
    trace.send(goal(0), 0);
    trace.take(5000);
  });

  it('begins with a sample that nothing was told before', () => {
    expect(told).toEqual([[]]);
  });

  it('holds a goal from the sample asked with it to the next, in the time of the servos', () => {
    trace.send(goal(0.1), 8);
    trace.take(5060);
    expect(stretches()).toEqual([[0, 60]]);
    trace.send(goal(0.2), 70);
    trace.take(5061);
    expect(stretches()).toEqual([[expect.closeTo(0.1, 3), 1]]);
  });

  it('gives goals whose question was not answered their share of the time', () => {
    trace.send(goal(0.1), 10);
    trace.send(goal(0.2), 40);
    trace.take(5020);
    expect(stretches()).toEqual([
      [0, 5],
      [expect.closeTo(0.1, 3), 15],
    ]);
  });

  it('has goals as the steps of the servos have them', () => {
    trace.send(goal(0.1), 8);
    trace.take(5008);
    trace.send(goal(0), 16);
    trace.take(5016);
    const [angle] = stretches()[0]!;
    expect(UNITS[0]!.toAngle(UNITS[0]!.toTicks(0.1))).toBe(angle);
    expect(angle).not.toBe(0.1);
  });

  it.each([
    ['the servos started anew', () => trace.take(12)],
    ['nothing was heard for long', () => trace.take(6001)],
    [
      'it is told to',
      () => {
        trace.begin();
        trace.send(goal(0), 8);
        trace.take(5008);
      },
    ],
  ])('begins anew when %s', (_, happens) => {
    trace.send(goal(0.1), 8);
    happens();
    expect(told.at(-1)).toEqual([]);
  });

  it('keeps no more goals than it needs while nobody answers', () => {
    for (let i = 0; i < 1000; i++) trace.send(goal(0.1), 8 * i);
    trace.take(5200);
    expect(told.at(-1)).toEqual([]);
  });
});
