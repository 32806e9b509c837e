/** Places of the cell as calls and matchers take them: nests, and what they are on. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { twinMatchers } from '../../testing/index.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
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

it('a distance sensor takes a direction of any length', async () => {
  await withTwinClient({}, async ({ arm }) => {
    const part = { name: 'part', mass_kg: 0.1, position: { x: 0.5, y: 0.3, z: 0 } };
    const shape = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
    const range = { at_zero: 0, at_full_scale: 10, range_m: 1 } as const;
    const above = { position: { x: 0.5, y: 0.3, z: 0.6 } } as const;
    const sensor = { kind: 'distance', name: 'range', input: 'a0', ...range, ...above } as const;
    for (const z of [-1, -1e-162, -5e-324, -1e4]) {
      const sensors = [{ ...sensor, direction: { x: 0, y: 0, z } }];
      await arm.setCell({ name: 'c', objects: [{ ...part, shape }], sensors });
      await arm.advanceClock({ seconds: 0.1 });
      const [state] = (await arm.getCell()).state!.sensors;
      expect(state!.value).toBeCloseTo(5, 9);
    }
  });
});

it('the refusal of too many nests names who has them', async () => {
  await withTwinClient({}, async ({ arm }) => {
    const nests = Array.from({ length: limits.cell_nests }, (_, i) => ({
      ...{ name: `nest ${i}`, position: { x: 0, y: 0, z: 0.01 * i } },
    }));
    const shape = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
    const part = { name: 'rack', mass_kg: 0.1, shape, position: { x: 0.5, y: 0.3, z: 0 }, nests };
    const more = { ...part, name: 'other', position: { x: 0.5, y: -0.3, z: 0 } };
    const one = [{ name: 'one more', position: { x: 0, y: 0, z: 1 } }];
    await expect(
      arm.setCell({ name: 'c', objects: [{ ...more, nests: one }, part] }),
    ).rejects.toMatchObject({ details: [{ path: '/objects/1/nests' }] });
  });
});

it.each(['.', '..'])('no part has the name %s, which no address can have', async (name) => {
  await withTwinClient({}, async ({ arm }) => {
    const shape = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
    const part = { name, mass_kg: 0.1, shape, position: { x: 0.5, y: 0.3, z: 0 } };
    await expect(arm.setCell({ name: 'c', objects: [part] })).rejects.toMatchObject({
      details: [{ path: '/objects/0/name' }],
    });
  });
});

it('a stuck sensor takes no delay', async () => {
  await withTwinClient({ cell }, async ({ arm }) => {
    const sensor = cell.sensors![0]!.name;
    await expect(
      arm.addFault({ kind: 'sensor', sensor, fault: 'stuck', late_s: 1 }),
    ).rejects.toThrow(/late_s.*is for “late” only/);
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
