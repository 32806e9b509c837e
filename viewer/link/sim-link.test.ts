import { describe, expect, it } from 'vitest';
import type { SimView } from './arm-store.ts';
import { afterEvent, knownObstacles } from './sim-link.ts';

const clock = {
  ...{ tick: 0, now_s: 0, date: '', pace: 1, paused: false, real_time_factor: 1 },
};
const view: SimView = { clock, lockLeft_s: null, touches: [], obstacles: [], log: [] };

describe('an event of the twin', () => {
  it('brings the clock', () => {
    const next = { ...clock, tick: 250 };
    expect(afterEvent(view, { type: 'clock', clock: next }).clock).toEqual(next);
  });

  it('brings the time that the lock has left, and none while nobody holds it', () => {
    const holder = { user_id: 1, role: 'admin' } as const;
    expect(afterEvent(view, { type: 'lock', holder, left_s: 42 }).lockLeft_s).toBe(42);
    expect(afterEvent(view, { type: 'lock', holder: null, left_s: 0 }).lockLeft_s).toBeNull();
  });

  it('brings what touches, in place of what touched', () => {
    const touches = [{ link: 4, obstacle: 'crate', force_n: 2 }];
    const touching = afterEvent(view, { type: 'touching', touches });
    expect(touching.touches).toEqual(touches);
    expect(afterEvent(touching, { type: 'touching', touches: [] }).touches).toEqual([]);
  });

  it('adds to the log, newest first, and forgets the oldest beyond 200', () => {
    let now = view;
    for (let tick = 0; tick < 300; tick++) {
      now = afterEvent(now, { type: 'log', level: 'info', text: 'x', tick });
    }
    expect(now.log.length).toBe(200);
    expect(now.log[0]!.tick).toBe(299);
  });
});

it('keeps the obstacles it knew while nothing has changed', () => {
  const known = [
    {
      ...{ id: 1, name: 'crate', stiffness_n_per_m: 1000 },
      position: { x: 0, y: 0, z: 0 },
      half: { x: 1, y: 1, z: 1 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
    },
  ];
  expect(knownObstacles(known, structuredClone(known))).toBe(known);
  expect(knownObstacles(known, [])).toEqual([]);
});
