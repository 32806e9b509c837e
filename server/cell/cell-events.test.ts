/**
 * What the events of a cell say, and where they are.
 * @module-tag ci
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Cell, PresenceSensor } from '../../contract/types.generated.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';

const TRAYS = JSON.parse(
  readFileSync(new URL('../../fixtures/cells/trays.json', import.meta.url), 'utf8'),
) as Cell;

describe('over HTTP', () => {
  it('an event of a sensor says what it detects, and where the sensor is', async () => {
    await withTwinClient({ driver: 'fast', cell: TRAYS }, async ({ arm }) => {
      const sensorEvents = async (nest: string) => {
        await arm.moveCellObject({ object_name: 'part 1' }, { nest });
        await arm.advanceClock({ seconds: 1 });
        const { events } = await arm.listCellEvents();
        return events.filter(({ kind }) => kind === 'sensor');
      };
      const [detects] = await sensorEvents('B1');
      expect(detects).toMatchObject({ text: 'tray B occupied detects part 1', object: 'part 1' });
      const [, free] = await sensorEvents('A1');
      const [{ position } = { position: null }] = (TRAYS.sensors ?? []) as PresenceSensor[];
      expect(free).toMatchObject({ text: 'tray B occupied is free', object: null, position });
    });
  });

  it('an event of a gripper without an object is where the gripper is', async () => {
    const { objects: _objects, ...cell } = TRAYS;
    await withTwinClient({ driver: 'fast', cell }, async ({ arm }) => {
      const [jaws] = TRAYS.grippers!;
      await arm.advanceClock({ seconds: 0.1 });
      await arm.takeLock();
      await arm.changeGlobals({ changes: [{ key: `outputs.${jaws!.output}`, value: true }] });
      await arm.advanceClock({ seconds: 1 });
      const { events } = await arm.listCellEvents();
      const missed = events.find(({ kind }) => kind === 'missed');
      const { fk } = await arm.forwardKinematics({
        joints: [0, 0, 0, 0, 0, 0],
        tcp_config: {
          ...{ offsets: jaws!.tip_m, rotations: { x: 0, y: 0, z: 0 }, radius: 0.01 },
        },
      });
      if (fk.result !== 'success') throw new Error(fk.error);
      const { x, y, z } = missed!.position;
      expect(Math.hypot(x - fk.position.x, y - fk.position.y, z - fk.position.z)).toBeLessThan(
        1e-3,
      );
    });
  });
});

it.each(['fast', 'rapier'] as const)(
  'an event after a reset of the state alone has the time of the twin: %s',
  async (driver) => {
    await withTwinClient({ driver, cell: TRAYS }, async ({ arm, twin }) => {
      await twin.advance(10);
      const [jaws] = TRAYS.grippers!;
      const close = { changes: [{ key: `outputs.${jaws!.output}`, value: true }] };
      const missedAt = async () => {
        await arm.takeLock();
        await arm.changeGlobals(close);
        await twin.advance(1);
        const { events } = await arm.listCellEvents();
        return events.map(({ kind, at_s, tick }) => [kind, at_s, tick]);
      };
      await arm.resetTwin({ scopes: ['state'] });
      expect(await missedAt()).toEqual([['missed', 10.2, 2550]]);
      await arm.keepState({ name: 'kept' });
      await arm.resetTwin({ scopes: ['state', 'clock'] });
      expect(await missedAt()).toEqual([['missed', 0.2, 50]]);
      await arm.restoreState({ name: 'kept' });
      await arm.setCell(TRAYS);
      await twin.advance(1);
      expect((await arm.listCellEvents()).events[0]).toMatchObject({ kind: 'missed', at_s: 11.2 });
    });
  },
);
