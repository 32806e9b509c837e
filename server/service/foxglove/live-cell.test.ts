/** The cell on the live connection, seen by the protocol's own client. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pollUntilDefined, withTwinClient } from '../simulation/twin-client.cases.ts';
import { type Json, Studio } from './studio.cases.ts';

const TRAYS = JSON.parse(readFileSync('fixtures/cells/trays.json', 'utf8'));

type Entity = Record<string, Json[]> & { readonly id: string };

type Scene = Json & {
  readonly deletions: readonly { readonly type: number; readonly id: string }[];
  readonly entities: readonly Entity[];
};

/** The entities as Foxglove shows them: each message deletes and replaces. */
function shown(messages: readonly Json[]): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>();
  for (const message of messages) {
    const { deletions, entities: given } = message as Scene;
    for (const { type, id } of deletions) {
      if (type === 1) entities.clear();
      else expect(entities.delete(id), id).toBe(true);
    }
    for (const entity of given) entities.set(entity.id, entity);
  }
  return entities;
}

const IDS = ['table 0', 'tray A 1', 'tray B 2', 'part 1', 'tube 1'];

it('shows the cell, and its objects as they move', async () => {
  await withTwinClient({ foxglove: 0 }, async ({ twin, arm }) => {
    const open = () => new Studio(`${twin.foxgloveUrl}?token=${twin.token}`).open();
    const studio = await open();
    studio.subscribe('/cell');
    const scene = () => shown(studio.of('/cell'));
    await pollUntilDefined(() => studio.of('/cell').at(-1));
    expect(scene().size).toBe(0);
    await arm.setCell(TRAYS);
    await twin.advance(0.1);
    await pollUntilDefined(() => scene().get('tube 1'));
    expect([...scene().keys()]).toEqual(IDS);
    expect(scene().get('tube 1')!['cylinders']).toMatchObject([{ size: { x: 0.016, z: 0.06 } }]);

    const before = studio.of('/cell').length;
    await arm.moveCellObject({ object_name: 'part 1' }, { nest: 'B1' });
    // The part settles first.
    await twin.advance(1);
    const part = () => scene().get('part 1')!;
    const place = () => part()['cubes']![0]!['pose'] as { position: { y: number } };
    const status = () => part()['metadata']!.find(({ key }) => key === 'status')?.['value'];
    const isThere = () => Math.abs(place().position.y - 0.2) < 1e-3 && status() === 'resting';
    await pollUntilDefined(() => isThere() || undefined);
    const change = studio.of('/cell')[before] as Scene;
    expect([change.deletions, change.entities.map(({ id }) => id)]).toEqual([[], ['part 1']]);
    // A panel that opens later has the last message only: a whole one follows.
    const last = () => shown(studio.of('/cell').slice(-1));
    await pollUntilDefined(() => last().size === IDS.length || undefined);

    const other = await open();
    other.subscribe('/cell');
    await pollUntilDefined(() => other.of('/cell').at(-1));
    expect([...shown(other.of('/cell')).keys()]).toEqual(IDS);
    other.close();

    await arm.addFault({ kind: 'object', object: 'tube 1', fault: 'missing' });
    await twin.advance(0.1);
    await pollUntilDefined(() => !scene().has('tube 1') || undefined);
    expect([...scene().keys()]).toEqual(IDS.slice(0, -1));
    const deletions = studio.of('/cell').flatMap((each) => (each as Scene).deletions);
    expect(deletions).toContainEqual(expect.objectContaining({ type: 0, id: 'tube 1' }));

    await arm.removeCell();
    await twin.advance(0.1);
    await pollUntilDefined(() => scene().size === 0 || undefined);
    studio.close();
  });
});
