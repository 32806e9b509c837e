import { expect, it } from 'vitest';
import { MOTION_ERRORS } from '../../contract/motion-errors.ts';
import { codeWords } from './finding-words.ts';

it('counts joints from one, as people do', () => {
  expect(codeWords('j0_boundary_limit')).toBe('J1 beyond its limit');
  expect(codeWords('j5_angular_velocity_limit')).toBe('J6 too fast');
});

it('has words without underscores for every code', () => {
  for (const code of MOTION_ERRORS) expect(codeWords(code)).toMatch(/^[A-Z][^_]+$/);
});
