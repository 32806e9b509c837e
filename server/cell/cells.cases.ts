/**
 * The three cells of the fixtures over HTTP alone: every object where it should be, events in
 * order, and branches of the toolpaths that sensors and buttons decide. A host gives the client of
 * a twin: of one in this process, or of the built program in a process of its own.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import type { AddFaultBody, Cell, CellEvent, Toolpath } from '../../contract/types.generated.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { withBuiltProgram } from './built-program.cases.ts';

/** The simulated plants that can have a cell. */
export type Plant = 'fast' | 'rapier';

/** Runs `use` with an admin client of a twin with a stepped clock. */
export type Host = (plant: Plant, use: (arm: ArmClient) => Promise<void>) => Promise<void>;

export const IN_PROCESS: Host = (driver, use) => withTwinClient({ driver }, ({ arm }) => use(arm));

export const BUILT_PROGRAM: Host = (driver, use) =>
  withBuiltProgram(['--driver', driver, '--clock', 'stepped'], use);

function fixture<Type>(path: string): Type {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8'));
}

/** A cell of the fixtures with its toolpath. */
export interface CellFixture {
  readonly cell: Cell;
  readonly toolpath: Toolpath;
}

function pair(cell: string, toolpath = cell): CellFixture {
  return {
    cell: fixture<Cell>(`cells/${cell}.json`),
    toolpath: fixture<Toolpath>(`toolpaths/${toolpath}.json`),
  };
}

export const TRAYS = pair('trays', 'pick-and-place');
export const SORTER = pair('sorter');
export const ASSAY = pair('assay');

interface CellRun {
  readonly name: string;
  readonly fixture: CellFixture;
  readonly fault?: AddFaultBody;
  /** What a person does once the toolpath runs. */
  readonly act?: (arm: ArmClient) => Promise<unknown>;
  /** Where each object ends. */
  readonly places: Readonly<Record<string, string | null>>;
  /** Events in order: kind, and object or sensor. */
  readonly events: readonly string[];
  readonly limit_s: number;
}

const pressStart = (arm: ArmClient) =>
  arm.setCellControl({ control_name: 'start' }, { active: true });

function takenTo(name: string, from: string, to: string): string[] {
  return [`grasped ${name}`, from, to, `released ${name}`, `settled ${name}`];
}

/** The sorter's parts in the order of the grid, with what happens to each. */
const SORTED = ['red 1', 'blue 1', 'red 2', 'blue 2', 'red 3', 'blue 3'].flatMap((name) => {
  const gate = name.startsWith('red') ? 'red gate' : 'blue gate';
  return [`grasped ${name}`, `released ${name}`, `sensor ${gate}`, `passed ${name}`];
});

export const CELL_RUNS: readonly CellRun[] = [
  {
    name: 'trays',
    fixture: TRAYS,
    places: { 'part 1': 'B1', 'tube 1': 'A2' },
    events: ['grasped part 1', 'sensor tray B occupied', 'released part 1', 'settled part 1'],
    limit_s: 60,
  },
  {
    name: 'sorter',
    fixture: SORTER,
    places: {
      'red 1': 'red belt',
      'red 2': 'red belt',
      'red 3': 'red belt',
      'blue 1': 'blue belt',
      'blue 2': 'blue belt',
      'blue 3': 'blue belt',
    },
    // The belts stop before the last part reaches its gate's end.
    events: ['sensor order here', ...SORTED.slice(0, -1)],
    limit_s: 90,
  },
  {
    name: 'assay',
    fixture: ASSAY,
    act: pressStart,
    places: { 'plate 1': 'incubator nest', 'plate 2': 'hotel 2' },
    events: [
      'sensor hotel 1 full',
      ...takenTo('plate 1', 'sensor hotel 1 full', 'sensor reader loaded'),
      ...takenTo('plate 1', 'sensor reader loaded', 'sensor incubator loaded'),
    ],
    limit_s: 60,
  },
  {
    name: 'assay without the first plate',
    fixture: ASSAY,
    fault: { kind: 'object', object: 'plate 1', fault: 'missing' },
    act: pressStart,
    places: { 'plate 1': null, 'plate 2': 'incubator nest' },
    events: [
      'grasped plate 2',
      'sensor reader loaded',
      'released plate 2',
      'settled plate 2',
      ...takenTo('plate 2', 'sensor reader loaded', 'sensor incubator loaded'),
    ],
    limit_s: 60,
  },
];

function labelOf({ kind, object, by }: CellEvent): string {
  return `${kind} ${kind === 'sensor' ? by : object}`;
}

/** Whether the wanted labels occur in this order among those seen. */
function inOrder(seen: readonly string[], wanted: readonly string[]): string[] {
  let at = 0;
  return wanted.filter((label) => {
    const found = seen.indexOf(label, at);
    if (found < 0) return true;
    at = found + 1;
    return false;
  });
}

/** Runs the toolpath once with an HTTP client alone; checks places and events. */
export async function checkCellRun(host: Host, plant: Plant, run: CellRun): Promise<void> {
  const { cell, toolpath } = run.fixture;
  await host(plant, async (arm) => {
    await arm.setCell(cell);
    if (run.fault) await arm.addFault(run.fault);
    const { toolpath: saved } = await arm.createToolpath({ name: run.name, toolpath });
    await arm.takeLock();
    await arm.useToolpath({ toolpath_id: saved.id });
    await arm.home();
    expect((await arm.runUntil({ state: 'ready', limit_s: 60 })).reached).toBe(true);
    await arm.run({ mode: 'automatic', loop: 1 });
    await run.act?.(arm);
    expect((await arm.runUntil({ state: 'ready', limit_s: run.limit_s })).reached).toBe(true);
    const { events } = await arm.listCellEvents();
    const seen = events.map(labelOf);
    if (run.name === 'sorter') expect(inOrder(seen, run.events)).toEqual([]);
    else expect(seen).toEqual(run.events);
    for (const kind of ['missed', 'dropped', 'slipped', 'tipped']) {
      expect(seen.filter((label) => label.startsWith(kind))).toEqual([]);
    }
    const { state } = await arm.getCell();
    for (const [name, place] of Object.entries(run.places)) {
      expect([name, state?.objects.find((object) => object.name === name)?.at]).toEqual([
        name,
        place,
      ]);
    }
  });
}

/** Longer than the run of the assay (s). */
const ASSAY_S = 1200;
const STEP_S = 50;

/**
 * Runs the assay of the workflows in its cell: every carry is a grasp that holds, and the deck is
 * that of the cell before, in the middle and afterwards.
 */
export async function checkAssayWorkflow(host: Host, plant: Plant): Promise<void> {
  await host(plant, async (arm) => {
    await arm.setCell(fixture<Cell>('cells/assay-workflow.json'));
    const { workflow } = await arm.createWorkflow(fixture('workflows/assay.json'));
    const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
    const [workcell] = (await arm.listWorkcells()).workcells;
    const deckNow = async () => {
      const { deck } = await arm.getDeck({ workcell_id: workcell!.id });
      const places = deck.labware.map((one) => `${one.labware_id} in ${one.instrument_id}`);
      if (deck.gripper !== null) places.push(`${deck.gripper} in gripper`);
      return places.sort();
    };
    const inHotel = [1, 2, 3].map((plate) => `plate_${plate} in hotel`);
    expect(await deckNow()).toEqual(inHotel);
    await arm.runUntilObject({ object: 'plate_1', held_by: 'gripper', limit_s: 60 });
    expect(await deckNow()).toEqual(['plate_1 in gripper', ...inHotel.slice(1)]);
    await arm.runUntilObject({ object: 'plate_3', at: 'incubator 3', limit_s: 300 });
    expect(await deckNow()).toEqual([1, 2, 3].map((plate) => `plate_${plate} in incubator`));
    let shown = await arm.getRun({ run_id: run.id });
    for (let past_s = 0; shown.run.state !== 'stopped' && past_s < ASSAY_S; past_s += STEP_S) {
      await arm.advanceClock({ seconds: STEP_S });
      shown = await arm.getRun({ run_id: run.id });
    }
    expect(shown.run.message).toBe('completed');
    expect(await deckNow()).toEqual(inHotel);
    const { events } = await arm.listCellEvents();
    const kinds = [...new Set(events.map(({ kind }) => kind))];
    expect(kinds.sort()).toEqual(['grasped', 'released', 'settled']);
    const grasped = events.filter(({ kind }) => kind === 'grasped').map(({ object }) => object);
    expect(grasped.sort()).toEqual([1, 2, 3].flatMap((plate) => Array(5).fill(`plate_${plate}`)));
  });
}
