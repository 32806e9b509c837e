/** The cell on the live connection, seen by the protocol's own client. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pollUntilDefined, withTwinClient } from '../simulation/twin-client.cases.ts';
import { type Json, Studio } from './studio.cases.ts';

it('shows the cell, and its objects as they move', async () => {
  await withTwinClient({ foxglove: 0 }, async ({ twin, arm }) => {
    const studio = await new Studio(`${twin.foxgloveUrl}?token=${twin.token}`).open();
    studio.subscribe('/cell');
    const entities = () =>
      (studio.of('/cell').at(-1)?.['entities'] ?? []) as Record<string, Json[]>[];
    await pollUntilDefined(() => studio.of('/cell').at(-1));
    expect(entities()).toEqual([]);
    await arm.setCell(JSON.parse(readFileSync('fixtures/cells/trays.json', 'utf8')));
    await twin.advance(0.1);
    await pollUntilDefined(() => entities()[0]);
    expect(entities().map(({ id }) => id)).toEqual([
      'table 0',
      'tray A 1',
      'tray B 2',
      'part 1',
      'tube 1',
    ]);
    expect(entities()[4]!['cylinders']).toMatchObject([{ size: { x: 0.016, z: 0.06 } }]);
    await arm.moveCellObject({ object_name: 'part 1' }, { nest: 'B1' });
    // The part settles first.
    await twin.advance(1);
    const place = () => entities()[3]!['cubes']![0]!['pose'] as { position: { y: number } };
    await pollUntilDefined(() => Math.abs(place().position.y - 0.2) < 1e-3 || undefined);
    expect(entities()[3]!['metadata']).toContainEqual({ key: 'status', value: 'resting' });
    await arm.removeCell();
    await twin.advance(0.1);
    await pollUntilDefined(() => entities().length === 0 || undefined);
    studio.close();
  });
});
