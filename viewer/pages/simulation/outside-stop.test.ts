/** A stop from outside the page: what an open door says, and which controls it leaves alone. */

import { expect, it } from 'vitest';
import { createArmStore } from '../../link/arm-store.ts';
import { doorStopText, outsideStopText } from '../../link/outside-stop.ts';
import { EMPTY_SIM, STATUS } from '../../link/snapshot.cases.ts';
import { isActive, SITUATIONS } from './presets-panel.ts';

function stopped(source: 'simulated' | 'wired' | null, ...open: readonly string[]) {
  const controls = open.map((name) => ({ name, active: true }));
  const cell = {
    description: { name: 'trays', controls: open.map((name) => ({ kind: 'door' as const, name })) },
    state: { objects: [], grippers: [], sensors: [], conveyors: [], controls },
    events: [],
  };
  const sim = { ...EMPTY_SIM, cell, status: { ...STATUS, emergency_stop: source } };
  return { ...createArmStore().view(), sim };
}

it('names the doors that hold the emergency stop', () => {
  expect(doorStopText(stopped('wired', 'front', 'back'))).toBe('Doors “front” and “back” are open');
  expect(outsideStopText(stopped('wired', 'front'))).toBe('Door “front” is open: close it first');
  expect(outsideStopText(stopped('wired'))).toContain('release it there');
  expect(outsideStopText(stopped('simulated'))).toBe('');
  expect(outsideStopText(stopped(null))).toBe('');
});

it('shows the situation of an emergency stop as active only where it can end it', () => {
  const situation = SITUATIONS.find(({ stop }) => stop)!;
  expect(isActive(situation, stopped('simulated'))).toBe(true);
  expect(isActive(situation, stopped('wired', 'front'))).toBe(false);
});
