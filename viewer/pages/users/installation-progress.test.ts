import { expect, test } from 'vitest';
import { installationProgress } from './installation-progress.ts';

test('computes the progress of an installation', () => {
  expect(installationProgress('1', 15)).toBe(0.5);
  expect(installationProgress('20', 15)).toBe(1);
  expect(installationProgress(null, 3)).toBe(0.1);
  expect([installationProgress('max', 3), installationProgress('stepped', 3)]).toEqual([
    null,
    null,
  ]);
});
