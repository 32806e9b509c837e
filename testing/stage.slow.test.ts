/** The long form: a user's test file two hundred times in random order, with nothing left over. */
import { expect, it } from 'vitest';
import { tellInAnyOrder } from './stories.cases.ts';

it('a test file bears two hundred rounds', async () => {
  await expect(tellInAnyOrder(200)).resolves.toBeUndefined();
}, 900_000);
