/** Places of the cell as calls and matchers take them: nests, and what they are on. */
import { describe, expect, it } from 'vitest';
import { twinMatchers } from '../../testing/index.ts';
import { withTwinClient } from '../simulation/twin-client.cases.ts';
import { TRAYS } from './cells.cases.ts';

const { cell } = TRAYS;

describe('where an object is', () => {
  const name = 'part 1';

  it('is the nest and also what the nest is on, but never the object itself', async () => {
    await withTwinClient({ cell }, async ({ arm, twin }) => {
      const at = (place: string) => arm.runUntilObject({ object: name, at: place, limit_s: 0 });
      expect((await at('A1')).reached).toBe(true);
      expect((await at('tray A')).reached).toBe(true);
      expect((await at('tray B')).reached).toBe(false);
      await expect(at(name)).rejects.toThrow('is the object itself');
      expect(twinMatchers.toHaveObjectAt(twin, name, 'tray A').pass).toBe(true);
      expect(twinMatchers.toHaveObjectAt(twin, name, 'table').pass).toBe(false);
    });
  });
});
