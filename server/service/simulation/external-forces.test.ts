/** Forces on the flange: what acts on the arm, and until when. */

import { describe, expect, it } from 'vitest';
import { Timers } from '../../clock/timers.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { WorldAction } from '../../robot/world-actions.ts';
import { ExternalForces } from './external-forces.ts';

/** Forces on an arm at tick 250; `runTo` lets time pass and gives the pushes of it. */
function forcesOn() {
  const timers = new Timers();
  const pushes: (readonly number[])[] = [];
  const time = {
    tick: 250,
    now_s: 1,
    applyWorldAction(action: WorldAction) {
      if (action.kind === 'push') pushes.push([time.tick, ...action.force_n]);
      return true;
    },
  };
  const forces = new ExternalForces(time as Partial<ControlLoop> as ControlLoop, timers);
  const runTo = (tick: number) => {
    for (; time.tick < tick; time.tick++) timers.fire(time.tick);
    time.now_s = time.tick / 250;
    return pushes.splice(0);
  };
  return { forces, runTo };
}

describe('a force on the flange', () => {
  it('ends after its duration, once', () => {
    const { forces, runTo } = forcesOn();
    forces.apply([1, 2, 3], 0.4);
    expect(forces.endTick).toBe(350);
    expect(runTo(350)).toEqual([[250, 1, 2, 3]]);
    expect(runTo(360)).toEqual([[350, 0, 0, 0]]);
    expect(forces.endTick).toBe(null);
    expect(runTo(1000)).toEqual([]);
  });

  it('acts on and on without a duration', () => {
    const { forces, runTo } = forcesOn();
    forces.apply([1, 0, 0], null);
    expect(forces.endTick).toBe(null);
    expect(runTo(10_000)).toEqual([[250, 1, 0, 0]]);
  });

  it('replaces the one before, with its end', () => {
    const { forces, runTo } = forcesOn();
    forces.apply([1, 0, 0], 0.4);
    forces.apply([0, 1, 0], 0.8);
    expect(runTo(440).map(([tick]) => tick)).toEqual([250, 250]);
    forces.apply([0, 0, 1], null);
    expect(runTo(2000)).toEqual([[440, 0, 0, 1]]);
  });

  it('of a restored world ends at the given tick', () => {
    const { forces, runTo } = forcesOn();
    forces.apply([1, 0, 0], 0.4);
    forces.endAt(null);
    expect(runTo(400)).toHaveLength(1);
    forces.endAt(500);
    expect(forces.endTick).toBe(500);
    expect(runTo(600)).toEqual([[500, 0, 0, 0]]);
  });
});
