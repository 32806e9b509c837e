import { expect, it } from 'vitest';
import { faultText } from './faults-panel.ts';

it('formats a fault as its kind and fields, with joints counted from 1', () => {
  const driver = { kind: 'driver', joint: 2, fault: 'following_error' } as const;
  expect(faultText({ id: 1, acted: 0, fault: driver })).toBe('Driver, J3, following error');
  const stuck = { kind: 'stuck_input', input: 'ee_d0' } as const;
  expect(faultText({ id: 3, acted: 0, fault: stuck })).toBe('Stuck input, Tool i0');
  const slow = { kind: 'slow_planner', delay_s: 0.5 } as const;
  expect(faultText({ id: 2, acted: 0, fault: slow })).toBe('Slow planner, delay 0.5 s');
});
