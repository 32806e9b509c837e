/** What a person changes in the cell counts before the next command; inputs have one driver. */
import { describe, expect, it } from 'vitest';
import type { GoToBody } from '../../contract/types.generated.ts';
import { twinMatchers } from '../../testing/index.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { TRAYS } from './cells.cases.ts';

const { cell } = TRAYS;
const DOOR = { control_name: 'door' };
const GOAL: GoToBody = { mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0] };

describe.each(['fast', 'rapier'] as const)('on %s', (driver) => {
  it('no motion begins behind a door that was just opened', async () => {
    await withTwinClient({ driver, cell }, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.setCellControl(DOOR, { active: true });
      const { snapshot } = await arm.getSnapshot();
      expect(snapshot.control.state).toBe('disabled');
      expect(snapshot.global.estop).toBe(true);
      expect(snapshot['global.inputs'].d3).toBe(true);
      await expect(arm.goTo(GOAL)).rejects.toThrow('ERROR_WRONG_STATE');
      await twin.advance(1);
      expect(twinMatchers.toBeInState(twin, 'disabled').pass).toBe(true);
      await arm.setCellControl(DOOR, { active: false });
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('ready');
      await twin.advance(1);
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('ready');
    });
  });

  it('a motion that a door interrupts leaves an error once the arm stands', async () => {
    await withTwinClient({ driver, cell }, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.goTo(GOAL);
      await twin.advance(0.3);
      await arm.setCellControl(DOOR, { active: true });
      await arm.setCellControl(DOOR, { active: false });
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('disabled');
      expect(await twin.until('error', 2)).toBe(true);
    });
  });

  it('a removed cell releases its stop and leaves no value at its inputs', async () => {
    await withTwinClient({ driver, cell }, async ({ arm, twin }) => {
      await arm.setInputs({ values: { d0: true } });
      await arm.setCellControl(DOOR, { active: true });
      await arm.removeCell();
      const { snapshot } = await arm.getSnapshot();
      expect(snapshot.control.state).toBe('ready');
      expect(snapshot['global.inputs']).toMatchObject({ d0: true, d3: false });
      await twin.advance(1);
      expect((await arm.getSnapshot()).snapshot['global.inputs'].d3).toBe(false);
    });
  });
});

describe.each(['fast', 'rapier'] as const)('what stands in the arm on %s', (driver) => {
  /** Inside of the upright arm. */
  const inside = { x: 0, y: 0, z: 0.45 };
  const part = { object_name: 'part 1' };
  const overlaps = /part 1 overlaps the arm by \d+\.\d mm; move the arm away first/;

  it('is refused where a person puts it, and stays where it was', async () => {
    await withTwinClient({ driver, cell }, async ({ arm, twin }) => {
      const before = twin.cellObject('part 1')!.position;
      await expect(arm.moveCellObject(part, { position: inside })).rejects.toThrow(overlaps);
      await twin.advance(1);
      expect(twin.cellObject('part 1')!.position).toEqual(before);
      await arm.moveCellObject(part, { position: { ...before, x: before.x + 0.001 } });
    });
  });

  it('is refused as a new cell, and as a pose of a seed', async () => {
    const pose = [-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191];
    const low = [0.35, -0.2, 0.11] as const;
    const at = { x: low[0], y: low[1], z: low[2] };
    const around = {
      name: 'around',
      fixtures: [
        {
          name: 'post',
          position: { ...at, z: 0 },
          boxes: [{ size_m: { x: 0.1, y: 0.1, z: 0.11 } }],
        },
      ],
      objects: [
        {
          name: 'part 1',
          shape: { kind: 'box' as const, size_m: { x: 0.04, y: 0.04, z: 0.3 } },
          mass_kg: 0.1,
          position: at,
        },
      ],
    };
    await withTwinClient({ driver }, async ({ arm }) => {
      await arm.setCell(around);
      await expect(arm.seedTwin({ pose: pose as never })).rejects.toThrow(overlaps);
      await arm.removeCell();
      await arm.seedTwin({ pose: pose as never });
      await expect(arm.setCell(around)).rejects.toThrow(overlaps);
      expect((await arm.getCell()).cell).toBeNull();
      await expect(arm.seedTwin({ cell: around })).rejects.toThrow(overlaps);
    });
  });
});

it('says that an object cannot be misplaced while a gripper holds it', async () => {
  await withTwinClient({ driver: 'fast', cell }, async ({ arm, twin }) => {
    const { toolpath } = await arm.createToolpath({ name: 'p', toolpath: TRAYS.toolpath });
    await arm.takeLock();
    await arm.useToolpath({ toolpath_id: toolpath.id });
    await arm.home();
    await arm.runUntil({ state: 'ready', limit_s: 30 });
    await arm.run({ mode: 'automatic', loop: 1 });
    const { reached } = await arm.runUntilObject({
      object: 'part 1',
      held_by: 'gripper',
      limit_s: 30,
    });
    expect(reached).toBe(true);
    const fault = { kind: 'object', object: 'part 1', fault: 'misplaced', spread_mm: 5 } as const;
    await expect(arm.addFault(fault)).rejects.toThrow('is held by gripper');
    expect(twinMatchers.toHold(twin, 'gripper', 'part 1').pass).toBe(true);
  });
});

describe('one driver for each input', () => {
  const wires = [{ output: 'd0', input: 'd2' }] as const;

  it('refuses a wire to an input of the cell, and a cell with an input of a wire', async () => {
    await withTwinClient({ cell }, async ({ arm }) => {
      await expect(arm.setLoopback({ wires: [...wires] })).rejects.toThrow(
        'input d2 is already driven by /sensors/0/input of the cell',
      );
      expect(await arm.getLoopback()).toEqual({ wires: [] });
      await arm.removeCell();
      await arm.setLoopback({ wires: [...wires] });
      await expect(arm.setCell(cell)).rejects.toThrow('a wire of the loopback');
    });
  });

  it('refuses a seed whose wires end at inputs of the cell that is there', async () => {
    await withTwinClient({ cell }, async ({ arm }) => {
      await expect(arm.seedTwin({ loopback: [...wires] })).rejects.toThrow('d2');
    });
  });
});
