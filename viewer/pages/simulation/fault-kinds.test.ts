import { expect, it } from 'vitest';
import { schemaOf } from '../../../contract/schemas.ts';
import { FAULT_KINDS, faultText } from './fault-kinds.ts';

it('formats a fault as its kind and fields, with joints counted from 1', () => {
  const driver = { kind: 'driver', joint: 2, fault: 'following_error' } as const;
  expect(faultText({ id: 1, acted: 0, fault: driver })).toBe('Driver, J3, following error');
  const stuck = { kind: 'stuck_input', input: 'ee_d0' } as const;
  expect(faultText({ id: 3, acted: 0, fault: stuck })).toBe('Stuck input, Tool i0');
  const slow = { kind: 'slow_planner', delay_s: 0.5 } as const;
  expect(faultText({ id: 2, acted: 0, fault: slow })).toBe('Slow planner, delay 0.5 s');
});

it('knows every kind of the contract, each with its description', () => {
  expect(FAULT_KINDS.size).toBe(schemaOf('AddFaultBody').oneOf!.length);
  expect([...FAULT_KINDS.keys()]).toContain('sensor_noise');
  for (const { description } of FAULT_KINDS.values()) expect(description).toMatch(/\.$/);
});
