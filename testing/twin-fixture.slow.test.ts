/** Two hundred rounds of the fixture scenarios in random order, with no open handles left. */
import { expect, it } from 'vitest';
import { runInRandomOrder } from './scenarios.cases.ts';

it('runs a test file two hundred times', async () => {
  await expect(runInRandomOrder(200)).resolves.toBeUndefined();
}, 900_000);
