/** Product version and supported Node versions. */
import { expect, it } from 'vitest';
import { nodeTooOld, productVersion } from './product-info.ts';

it('reads the version from package.json', () => {
  expect(productVersion()).toMatch(/^\d+\.\d+\.\d+/);
});

it.each(['18.20.8', '20.9.0', '20.18.3', '8.0.0'])('rejects Node %s with a message', (version) => {
  expect(nodeTooOld(version)).toBe(
    `armtwin needs Node 20.19.0 or later, not ${version}; install a newer one: https://nodejs.org/en/download`,
  );
});

it.each(['20.19.0', '20.20.2', '22.1.0', '100.0.0'])('runs on Node %s', (version) => {
  expect(nodeTooOld(version)).toBeNull();
});
