/** Places of the cell as calls and matchers take them: nests, and what they are on. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
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

it('an object has at least a mass', async () => {
  await withTwinClient({}, async ({ arm }) => {
    const [part] = cell.objects!;
    const wrong = { ...cell, objects: [{ ...part!, mass_kg: limits.cell_mass_min_kg / 2 }] };
    await expect(arm.setCell(wrong)).rejects.toThrow(/objects\/0\/mass_kg/);
    await arm.setCell({ ...cell, objects: [{ ...part!, mass_kg: limits.cell_mass_min_kg }] });
  });
});

it('a fixture in which the arm stands is refused', async () => {
  await withTwinClient({}, async ({ arm }) => {
    const boxes = [{ size_m: { x: 0.2, y: 0.2, z: 1 } }];
    const fixtures = [{ name: 'pillar', position: { x: 0, y: 0, z: 0.2 }, boxes }];
    await expect(arm.setCell({ name: 'c', fixtures })).rejects.toThrow(
      /fixtures\/0.*pillar overlaps the arm by .* mm; move the arm away first/,
    );
  });
});

it('a stuck sensor takes no delay', async () => {
  await withTwinClient({ cell }, async ({ arm }) => {
    const sensor = cell.sensors![0]!.name;
    await expect(
      arm.addFault({ kind: 'sensor', sensor, fault: 'stuck', late_s: 1 }),
    ).rejects.toThrow(/late_s.*delays a fault “late”/);
  });
});

it('a matcher takes no option that it does not know', async () => {
  await withTwinClient({ cell }, async ({ twin }) => {
    const options = { within: 1 } as object;
    expect(() => twinMatchers.toHaveObjectAt(twin, 'part 1', 'A1', options)).toThrow(
      'toHaveObjectAt has no option “within”; it takes within_mm',
    );
  });
});
