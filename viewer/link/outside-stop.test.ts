import { expect, it } from 'vitest';
import { stoppedView } from './outside-stop.cases.ts';
import { doorStopText, outsideStopText } from './outside-stop.ts';

it('names the doors that hold the emergency stop', () => {
  expect(doorStopText(stoppedView('wired', 'front', 'back'))).toBe(
    'Doors “front” and “back” are open',
  );
  expect(outsideStopText(stoppedView('wired', 'front'))).toBe(
    'Door “front” is open: close it first',
  );
  expect(outsideStopText(stoppedView('wired'))).toContain('release it there');
  expect(outsideStopText(stoppedView('simulated'))).toBe('');
  expect(outsideStopText(stoppedView(null))).toBe('');
});
