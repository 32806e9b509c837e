/**
 * Each fault of a cell leads to its documented outcome (docs/cell.md) on both plants, and an
 * assertion that fails names the true reason.
 */
import { expect } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import type { AddFaultBody, Cell, CellEvent } from '../../contract/types.generated.ts';
import { placeNames } from '../../physics/cell/cell-model.ts';
import { twinMatchers } from '../../testing/index.ts';
import type { Twin } from '../index.ts';
import { type Host, type Plant, SORTER, TRAYS } from './cells.cases.ts';

interface Case {
  readonly fault: AddFaultBody;
  /** When it is injected: seconds after the run began; default 0. */
  readonly after_s?: number;
  /** Which events of which object must follow, in order. */
  readonly events: readonly (readonly [CellEvent['kind'], string | null])[];
  /** The object that is not at its place, and the reason that the matcher must give. */
  readonly wanted: readonly [name: string, place: string];
  readonly reason: RegExp;
  /** How long the run is watched (s). */
  readonly for_s: number;
}

const TRAY_CASES: readonly Case[] = [
  {
    fault: { kind: 'gripper', gripper: 'gripper', fault: 'jammed' },
    events: [['missed', 'part 1']],
    wanted: ['part 1', 'B1'],
    reason: /not at B1, 400\.0 mm away; never grasped: it is jammed at .*: gripper is jammed$/,
    for_s: 12,
  },
  {
    fault: { kind: 'gripper', gripper: 'gripper', fault: 'jammed' },
    after_s: 5,
    events: [
      ['grasped', 'part 1'],
      ['jammed', 'part 1'],
    ],
    wanted: ['part 1', 'B1'],
    reason: /held by gripper, .*; gripper is jammed and does not open at/,
    for_s: 12,
  },
  {
    fault: { kind: 'gripper', gripper: 'gripper', fault: 'slips', after_s: 1.5 },
    events: [
      ['grasped', 'part 1'],
      ['slipped', 'part 1'],
      ['dropped', 'part 1'],
    ],
    wanted: ['part 1', 'B1'],
    reason: /part 1: slipped out of gripper; its grip failed 1\.5 s after the grasp at/,
    for_s: 12,
  },
  {
    fault: { kind: 'object', object: 'part 1', fault: 'missing' },
    events: [['missed', 'part 1']],
    wanted: ['part 1', 'B1'],
    reason: /missing.*; never grasped: part 1 is missing at .*: part 1 is missing$/,
    for_s: 12,
  },
  {
    fault: { kind: 'object', object: 'part 1', fault: 'misplaced', spread_mm: 36, seed: 0 },
    events: [
      ['settled', 'part 1'],
      ['missed', 'part 1'],
    ],
    wanted: ['part 1', 'B1'],
    reason: /jaws closed \d+ mm beside part 1 \(part 1 was misplaced by \d+ mm\) at/,
    for_s: 12,
  },
];

const SORTER_CASES: readonly Case[] = [
  {
    fault: { kind: 'gripper', gripper: 'cup', fault: 'leaks', after_s: 1.5 },
    events: [
      ['grasped', 'red 1'],
      ['dropped', 'red 1'],
    ],
    wanted: ['red 1', 'red belt'],
    reason:
      /off cup: [\d.]+ N needed .* vacuum holds [\d.]+ N; its vacuum leaks and holds \d\.\d N/,
    for_s: 14,
  },
  {
    fault: { kind: 'sensor', sensor: 'order here', fault: 'stuck' },
    events: [],
    wanted: ['red 1', 'red belt'],
    reason: /no gripper closed near it; injected faults: order here is stuck at false$/,
    for_s: 14,
  },
  {
    fault: { kind: 'conveyor', conveyor: 'infeed' },
    events: [],
    wanted: ['red 1', 'red belt'],
    reason: /no gripper closed near it; injected faults: infeed stopped$/,
    for_s: 14,
  },
];

/** Runs the toolpath once with a fault; returns the events of the grippers and objects. */
async function runWith(arm: ArmClient, { fault, after_s = 0, for_s }: Case) {
  if (after_s === 0) await arm.addFault(fault);
  await arm.home();
  await arm.runUntil({ state: 'ready', limit_s: 60 });
  await arm.run({ mode: 'automatic', loop: 1 });
  if (after_s > 0) {
    await arm.advanceClock({ seconds: after_s });
    await arm.addFault(fault);
  }
  await arm.advanceClock({ seconds: for_s - after_s });
  const { events } = await arm.listCellEvents();
  return events.filter(({ kind }) => kind !== 'sensor' && kind !== 'passed');
}

/** Where a nest of a fixture that stands upright is (m). */
function nestAt({ fixtures = [] }: Cell, nest: string) {
  for (const { position: base, nests = [] } of fixtures) {
    const found = nests.find(({ name }) => name === nest);
    if (!found) continue;
    const { x, y, z } = found.position;
    return { x: base.x + x, y: base.y + y, z: base.z + z };
  }
  return null;
}

/** What the API says of an object, for matchers. */
async function overHttp(
  arm: ArmClient,
  cell: Cell,
  object_name: string,
): Promise<Pick<Twin, 'cellObject'>> {
  const { object, events, faults } = await arm.getCellObject({ object_name });
  const { position: at } = object;
  const distanceFrom_m = (name: string) => {
    const nest = nestAt(cell, name);
    return nest && Math.hypot(at.x - nest.x, at.y - nest.y, at.z - nest.z);
  };
  const places = placeNames(cell);
  const grippers = (cell.grippers ?? []).map(({ name }) => name);
  const isOn = (place: string) => object.at === place;
  const known = { ...object, events, faults, places, grippers, distanceFrom_m, isOn };
  const carriedBy = null;
  return { cellObject: () => ({ ...known, carriedBy, goalProblems: () => [] }) };
}

/** The faults of both cells. */
export const FAULT_CASES = [
  { name: 'trays', ...TRAYS, cases: TRAY_CASES },
  { name: 'sorter', ...SORTER, cases: SORTER_CASES },
] as const;

/** Injects each fault into a twin of its own state, and checks events and the matcher's reason. */
export async function checkFaults(
  host: Host,
  plant: Plant,
  { cell, toolpath, cases }: (typeof FAULT_CASES)[number],
): Promise<void> {
  await host(plant, async (arm) => {
    const { toolpath: saved } = await arm.createToolpath({ name: 'path', toolpath });
    for (const one of cases) {
      await arm.resetTwin({ scopes: ['state', 'faults'] });
      await arm.setCell(cell);
      await arm.takeLock();
      await arm.useToolpath({ toolpath_id: saved.id });
      const about = JSON.stringify(one.fault);
      const [name] = one.wanted;
      const own = (await runWith(arm, one)).filter(({ object }) => object === name);
      const first = own.slice(0, Math.max(1, one.events.length));
      expect(
        first.map(({ kind, object }) => [kind, object]),
        about,
      ).toEqual(one.events);
      const twin = await overHttp(arm, cell, name);
      const { pass, message } = twinMatchers.toHaveObjectAt(twin, ...one.wanted);
      expect(pass, about).toBe(false);
      expect(message(), about).toMatch(one.reason);
    }
  });
}
