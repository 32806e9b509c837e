/** What the twin says of a loaded toolpath that meets the cell: log, stream and cell. */
import { describe, expect, it } from 'vitest';
import type { Cell, CellPathCheck, Toolpath } from '../../contract/types.generated.ts';
import { plainToolpath } from '../../physics/toolpath/generator.cases.ts';
import type { LoadedToolpath } from '../robot/loaded-toolpath.ts';
import {
  openSimulationStream,
  pollUntilDefined,
  type TwinAndClient,
  withTwinClient,
} from '../service/simulation/twin-client.cases.ts';
import { LoadedCheck } from './loaded-check.ts';

const TO_THE_SIDE = [1.2, -1.2, -0.4, 0, 0, 0];

/** Down to the left of the wall, and over to its right: the way leads through it. */
function acrossTheWall(): Toolpath {
  const { metadata, ...rest } = plainToolpath();
  const [left, right] = [TO_THE_SIDE, [-1.2, ...TO_THE_SIDE.slice(1)]];
  const waypoints = [left, right].map((joints, id) => ({ joints, label_id: id + 1 }));
  const at = (waypoint_id: number) =>
    ({ type: 'trajectory', trajectory: 'joint_space', waypoint_id }) as const;
  return {
    ...rest,
    metadata: { ...metadata, next_label_id: 3 },
    waypoints: waypoints as Toolpath['waypoints'],
    timeline: [{ type: 'home', waypoint_id: 0 }, at(1)],
  };
}

/** A wall in front of the arm, or far from it. */
function wallAt(x: number): Cell {
  const size_m = { x: 0.05, y: 0.05, z: 0.6 };
  return {
    name: 'workshop',
    fixtures: [{ name: 'wall', position: { x, y: 0, z: 0 }, boxes: [{ size_m }] }],
  };
}

const IN_THE_WAY = wallAt(0.45);
const FAR = wallAt(0.95);

async function load({ arm }: TwinAndClient, toolpath = acrossTheWall()): Promise<void> {
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'across', toolpath });
}

async function checkOf({ arm }: TwinAndClient): Promise<CellPathCheck> {
  const { check } = await arm.getCellCheck();
  return check!;
}

describe('loads that come faster than they are checked', () => {
  const cell = { model: { description: {} }, states: { memory: new Float64Array() } } as never;
  const loadedAs = (name: string) =>
    ({ name, metadata: {} }) as Partial<LoadedToolpath> as LoadedToolpath;

  /** A check whose planner answers when it is told to; what it was asked, and what was published. */
  function stage() {
    const asked: string[] = [];
    const published: (string | null)[] = [];
    const answers: (() => void)[] = [];
    const memory: { loaded: LoadedToolpath | null } = { loaded: null };
    const watch = new LoadedCheck({
      memory: () => memory,
      world: { cell },
      planner: {
        checkInCell({ loaded }) {
          asked.push(loaded.name);
          const outcome = { parts: 0, unknown: [], findings: [] };
          return new Promise((resolve) => answers.push(() => resolve(outcome)));
        },
      },
      report: () => {},
      publish: (check) => published.push(check?.toolpath ?? null),
    });
    const load = (name: string) => {
      memory.loaded = loadedAs(name);
      watch.onTick();
    };
    const answer = async () => {
      answers.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { asked, published, load, answer, watch };
  }

  it('take one place to plan, and only the last one is checked and told', async () => {
    const { asked, published, load, answer, watch } = stage();
    for (const name of ['a', 'b', 'c', 'd']) load(name);
    expect(asked).toEqual(['a']);
    await answer();
    expect([asked, published]).toEqual([['a', 'd'], []]);
    const made = watch.made();
    await answer();
    expect(published).toEqual(['d']);
    expect(await made).toMatchObject({ toolpath: 'd', problem: null });
    load('e');
    expect(asked).toEqual(['a', 'd', 'e']);
  });
});

describe('a loaded toolpath', () => {
  it('that leads through a fixture is a finding of the twin, not of the arm', async () => {
    await withTwinClient({ cell: IN_THE_WAY }, async (client) => {
      const { seen, close } = await openSimulationStream(client);
      expect(await load(client)).toBeUndefined();
      const check = await checkOf(client);
      expect(check).toMatchObject({ toolpath: 'across', problem: null });
      expect(check.checked_against).toContain('the cell of 1 body');
      expect(check.findings[0]).toMatchObject({ path: '/timeline/1', cell: [] });
      expect(check.findings[0]!.problem).toContain('the fixture "wall"');
      await pollUntilDefined(() => seen.find((event) => event.type === 'cell_check'));
      const line = seen.find((event) => event.type === 'log' && event.level === 'warning');
      expect(line).toMatchObject({ text: expect.stringContaining('“across”, /timeline/1: ') });
      close();
    });
  });

  it('that meets nothing says what was looked at', async () => {
    await withTwinClient({ cell: FAR }, async (client) => {
      await load(client);
      expect(await checkOf(client)).toMatchObject({ findings: [], problem: null });
    });
  });

  it('is looked at anew when the cell is replaced, and forgotten without one', async () => {
    await withTwinClient({ cell: FAR }, async (client) => {
      const { arm } = client;
      await load(client);
      expect((await checkOf(client)).findings).toEqual([]);
      await arm.setCell(IN_THE_WAY);
      expect((await checkOf(client)).findings).not.toEqual([]);
      await arm.removeCell();
      expect((await arm.getCellCheck()).check).toBeNull();
    });
  });

  it('is looked at with the objects where they are now', async () => {
    const size_m = { x: 0.1, y: 0.1, z: 0.6 };
    const crate = { name: 'crate', mass_kg: 1, shape: { kind: 'box', size_m } } as const;
    const position = { x: 0.45, y: 0, z: 0 };
    const cell: Cell = { name: 'store', objects: [{ ...crate, position }] };
    await withTwinClient({ cell }, async (client) => {
      await client.arm.moveCellObject(
        { object_name: 'crate' },
        { position: { x: 0.95, y: 0, z: 0 } },
      );
      await load(client);
      expect((await checkOf(client)).findings).toEqual([]);
    });
  });
});
