/** Reports of contacts of the arm, and the reply that lists them, without a twin. */

import { describe, expect, it } from 'vitest';
import type { ArmWorld, Contact } from '../../../bridge/arm-world.ts';
import { ContactWatch } from './contact-watch.ts';
import { contactsReply } from './contacts-reply.ts';

const TOUCH: Contact = {
  id: 1,
  at_s: 2,
  ended_s: null,
  link: 6,
  obstacle: 'post',
  place_m: [0.1, -0.25, 1],
  speed_m_s: 0.256,
  peak_force_n: 41.6,
  force_n: 7,
  detected: false,
};
const touch = (id: number, ended_s: number | null = null): Contact => ({ ...TOUCH, id, ended_s });

/** A watch of a world whose contacts the test gives. */
function watched(...before: Contact[]) {
  const contacts = { revision: before.length, list: () => entries };
  let entries: readonly Contact[] = before;
  const world = { contacts } as Partial<ArmWorld> as ArmWorld;
  const reports: [number, number | null][] = [];
  const texts: string[] = [];
  const watch = new ContactWatch(world, ({ id, ended_s }, text) => {
    reports.push([id, ended_s]);
    texts.push(text);
  });
  const become = (...now: Contact[]) => {
    entries = now;
    contacts.revision += 1;
  };
  /** The reports of the next tick. */
  const tick = () => {
    watch.onTick();
    return reports.splice(0);
  };
  return { watch, world, become, tick, texts };
}

describe('the reply about contacts', () => {
  it('names the body, the place and the residual force of each contact', () => {
    const bodies = [TOUCH, { ...TOUCH, link: 7 }, { ...TOUCH, link: 8 }, { ...TOUCH, link: 9 }];
    const { world } = watched(...bodies);
    const { contacts } = contactsReply(world);
    expect(contacts.map(({ body }) => body)).toEqual([
      expect.stringContaining('6'),
      'tool',
      'load',
      'gripper',
    ]);
    expect(contacts[0]).toMatchObject({
      ...{ id: 1, obstacle: 'post', peak_force_n: 41.6, residual_force_n: 7 },
      place: { x: 0.1, y: -0.25, z: 1 },
    });
  });

  it('gives the limits of the specification beside them, which are no promise', () => {
    const { force_limits, note } = contactsReply(watched().world);
    const chest = force_limits.find(({ region }) => region === 'chest');
    expect(chest).toMatchObject({ quasi_static_n: 140, transient_n: 280 });
    expect(force_limits.find(({ region }) => region === 'face')).toMatchObject({
      transient_n: null,
    });
    expect(note).toContain('for information only');
  });
});

describe('the watch of contacts', () => {
  it('reports the start and the end of each contact once', () => {
    const { become, tick } = watched();
    expect(tick()).toEqual([]);
    become(touch(1));
    expect(tick()).toEqual([[1, null]]);
    expect(tick()).toEqual([]);
    become(touch(1), touch(2));
    expect(tick()).toEqual([[2, null]]);
    become(touch(1, 3), touch(2));
    expect(tick()).toEqual([[1, 3]]);
    become(touch(1, 3), touch(2, 4), touch(3));
    expect(tick()).toEqual([
      [2, 4],
      [3, null],
    ]);
    become(touch(1, 3), touch(2, 4), touch(3, 5));
    expect(tick()).toEqual([[3, 5]]);
  });

  it('reports a contact that began and ended within a tick once', () => {
    const { become, tick } = watched();
    become(touch(1, 2.001));
    expect(tick()).toEqual([[1, 2.001]]);
    become(touch(1, 2.001), touch(2));
    expect(tick()).toEqual([[2, null]]);
  });

  it('looks only when a contact has started or ended', () => {
    const { tick } = watched(touch(1));
    expect(tick()).toEqual([]);
  });

  it('says in the log what touched what, where, how fast, and how hard in the end', () => {
    const { become, tick, texts } = watched();
    become({ ...TOUCH, link: 9 });
    tick();
    become({ ...TOUCH, link: 9, ended_s: 3 });
    tick();
    const met = 'Contact 1: gripper and “post” at (0.100, -0.250, 1.000) m, 0.26 m/s';
    expect(texts).toEqual([`${met}, started`, `${met}, ended, peak 42 N`]);
  });

  it('reports after a restore what is new since, and the end of what lasted then', () => {
    const { watch, become, tick } = watched();
    become(touch(1), touch(8));
    tick();
    become(touch(4, 1), touch(5), touch(3, 1));
    watch.onRestore();
    expect(tick()).toEqual([]);
    become(touch(3, 1), touch(4, 1), touch(5, 6), touch(6));
    expect(tick()).toEqual([
      [5, 6],
      [6, null],
    ]);
  });

  it('forgets with a restore the contacts that lasted before', () => {
    const { watch, become, tick } = watched();
    become(touch(1));
    tick();
    become(touch(1, 1), touch(2));
    watch.onRestore();
    become(touch(1, 1), touch(2, 3));
    expect(tick()).toEqual([[2, 3]]);
  });
});
