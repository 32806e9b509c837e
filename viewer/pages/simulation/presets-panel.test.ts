import { expect, it } from 'vitest';
import { stoppedView } from '../../link/outside-stop.cases.ts';
import { isActive, SITUATIONS } from './presets-panel.ts';

it('shows the situation of an emergency stop as active only where it can end it', () => {
  const situation = SITUATIONS.find(({ stop }) => stop)!;
  expect(isActive(situation, stoppedView('simulated'))).toBe(true);
  expect(isActive(situation, stoppedView('wired', 'front'))).toBe(false);
});
