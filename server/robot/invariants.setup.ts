/** Fails each test whose twin violates a statement of the invariant monitor. Test code. */
import { afterEach, expect } from 'vitest';
import { takeViolations } from './invariant-violations.ts';

afterEach(() => {
  expect(takeViolations(), 'violated statements about state and motion').toEqual([]);
});
