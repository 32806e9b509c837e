import { expect, it } from 'vitest';
import { MOTION_ERRORS } from '../../contract/motion-errors.ts';
import { motionErrorText } from './toolpath-text.ts';

it('counts joints from one', () => {
  expect(motionErrorText('j0_boundary_limit')).toBe('J1 beyond its limit');
  expect(motionErrorText('j5_angular_velocity_limit')).toBe('J6 too fast');
});

it('has a text without underscores for every code', () => {
  for (const code of MOTION_ERRORS) expect(motionErrorText(code)).toMatch(/^[A-Z][^_]+$/);
});
