/**
 * Checks a described cell: names, references, signals, masses, overlaps and support, each problem
 * with its JSON pointer and a sentence. The schema has checked types and ranges before.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Cell, CellShape, DistanceSensor } from '../../contract/types.generated.ts';
import { inputsOf } from './cell-inputs.ts';
import { GROUND, type StaticSolid, solidOf, startPoses, staticsOf } from './cell-model.ts';
import { MM_PER_M, millimetres } from './millimetres.ts';
import { nestsOf } from './nests.ts';
import { ARM_BASE, placeProblems } from './place-problems.ts';
import { SOLID_POSE } from './pose.ts';
import { footprintOf } from './solids/footprint.ts';
import type { Solid } from './solids/solids.ts';
import { supportBeneath } from './support.ts';

/** An object may hang this far above its support at the start (m). */
const GAP_M = 1e-3;

type Report = (path: string, problem: string) => void;

const COUNTS = [
  ['fixtures', 'cell_fixtures'],
  ['objects', 'cell_objects'],
  ['grippers', 'cell_grippers'],
  ['sensors', 'cell_sensors'],
  ['conveyors', 'cell_conveyors'],
  ['controls', 'cell_controls'],
] as const;

/** Checks the numbers of parts; true when the rest of the checks is bounded. */
function checkCounts(cell: Cell, report: Report): boolean {
  let fits = true;
  const check = (path: string, count: number, limit: keyof typeof limits) => {
    if (count <= limits[limit]) return;
    fits = false;
    report(path, `has ${count} entries, more than ${limits[limit]} (limit ${limit})`);
  };
  for (const [key, limit] of COUNTS) check(`/${key}`, cell[key]?.length ?? 0, limit);
  const { fixtures = [], objects = [] } = cell;
  const boxes = fixtures.reduce((sum, fixture) => sum + fixture.boxes.length, 0);
  check('/fixtures', boxes, 'cell_boxes');
  let nests = 0;
  for (const [key, owners] of [['fixtures', fixtures] as const, ['objects', objects] as const]) {
    owners.forEach((owner, i) => {
      const fit = nests <= limits.cell_nests;
      nests += owner.nests?.length ?? 0;
      if (fit) check(`/${key}/${i}/nests`, nests, 'cell_nests');
    });
  }
  return fits;
}

/** Every name with its path. */
function namesOf(cell: Cell): { readonly path: string; readonly name: string }[] {
  return COUNTS.flatMap(([key]) =>
    (cell[key] ?? []).flatMap((part, i) => {
      const path = `/${key}/${i}`;
      const nests = 'nests' in part ? (part.nests ?? []) : [];
      const own = nests.map(({ name }, n) => ({ path: `${path}/nests/${n}/name`, name }));
      return [{ path: `${path}/name`, name: part.name }, ...own];
    }),
  );
}

/** Characters that cannot be seen, or turn the text around. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

const codePoint = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

function checkNames(cell: Cell, report: Report): void {
  const seen = new Map<string, string>([[GROUND, 'the floor']]);
  for (const { path, name } of namesOf(cell)) {
    const hidden = HIDDEN.exec(name)?.[0].codePointAt(0);
    if (hidden !== undefined) {
      report(path, `has the control character ${codePoint(hidden)}; leave it out`);
    }
    if (name === '.' || name === '..') report(path, 'is no name: an address cannot end with it');
    const other = seen.get(name);
    if (other !== undefined) report(path, `“${name}” is already the name of ${other}`);
    else seen.set(name, path);
  }
}

/** The owner of each nest by name. */
type NestOwners = ReadonlyMap<string, string>;

function checkNest(cell: Cell, i: number, owners: NestOwners, report: Report): void {
  const objects = cell.objects!;
  const { nest, position, orientation, lid_of } = objects[i]!;
  const path = `/objects/${i}`;
  if (nest === undefined) {
    if (position || lid_of !== undefined) return;
    report(path, 'needs a position or a nest, or an object whose lid it is');
    return;
  }
  if (position || orientation) report(path, 'has a nest and a position; give only one of them');
  if (!owners.has(nest)) report(`${path}/nest`, `there is no nest “${nest}”`);
  const other = objects.findIndex((one, j) => j < i && one.nest === nest);
  if (other >= 0) report(`${path}/nest`, `“${nest}” already has ${objects[other]!.name}`);
}

/** The names from an object through nests and lids to what carries it; ends where one repeats. */
function carriers(cell: Cell, i: number, owners: NestOwners): string[] {
  const chain = [cell.objects![i]!.name];
  for (;;) {
    const object = cell.objects!.find(({ name }) => name === chain.at(-1));
    const { nest, position, lid_of } = object ?? {};
    const under = position === undefined ? lid_of : undefined;
    const next = nest === undefined ? under : owners.get(nest);
    if (next === undefined) return chain;
    const isRepeated = chain.includes(next);
    chain.push(next);
    if (isRepeated) return chain;
  }
}

function checkNests(cell: Cell, report: Report): void {
  const owners = new Map(nestsOf(cell).map(({ name, on }) => [name, on]));
  const objects = cell.objects ?? [];
  objects.forEach((_, i) => {
    checkNest(cell, i, owners, report);
  });
  objects.forEach(({ name }, i) => {
    const chain = carriers(cell, i, owners);
    if (chain.length > 1 && chain.at(-1) === name) {
      const { nest } = objects[i]!;
      const field = nest === undefined ? 'lid_of' : 'nest';
      report(`/objects/${i}/${field}`, `nests form a cycle: ${chain.join(' in ')}`);
    }
  });
}

/** A lid may be larger than its object by this much all around, as a rim is (m; own). */
const RIM_M = 5e-3;

const sizeText = (sides: readonly number[]) =>
  `${sides.map((side) => (side * MM_PER_M).toFixed(0)).join(' mm by ')} mm`;

/** The two sides of the top of a shape, the longer one first (m). */
function topSides(shape: CellShape): readonly [number, number] {
  const { half } = solidOf(shape);
  const [a, b] = [2 * half[0]!, 2 * half[1]!];
  return a > b ? [a, b] : [b, a];
}

/** Every lid must have an object that it fits on, and only a lid on its object can be sealed. */
function checkLids({ objects = [] }: Cell, report: Report): void {
  objects.forEach(({ name, shape, lid_of, sealed = false, nest, position }, i) => {
    const path = `/objects/${i}`;
    if (lid_of === undefined) {
      if (sealed) report(`${path}/sealed`, 'needs lid_of: only a lid can be sealed');
      return;
    }
    const owner = objects.findIndex((one) => one.name === lid_of);
    if (owner < 0 || owner === i) {
      report(`${path}/lid_of`, owner < 0 ? `there is no object “${lid_of}”` : 'is itself');
      return;
    }
    const starts = nest === undefined && position === undefined;
    if (sealed && !starts) {
      report(`${path}/sealed`, 'excludes nest and position: a sealed lid starts on its object');
    }
    const [lid, object] = [topSides(shape), topSides(objects[owner]!.shape)];
    if (lid.every((side, k) => side <= object[k]! + 2 * RIM_M)) return;
    const sizes = `${sizeText(lid)} on ${sizeText(object)}`;
    report(`${path}/shape`, `${name} is larger than ${lid_of}, whose lid it is: ${sizes}`);
  });
}

/** The farthest tip of a gripper (m); own limit, which a tip in millimetres exceeds. */
const TIP_MAX_M = 0.5;

function checkTips({ grippers = [] }: Cell, report: Report): void {
  for (const [i, { tip_m }] of grippers.entries()) {
    const { x, y, z } = tip_m;
    const far_m = Math.sqrt(x * x + y * y + z * z);
    if (far_m <= TIP_MAX_M) continue;
    const problem = `is ${far_m} m from the flange, more than ${TIP_MAX_M} m: state it in metres`;
    report(`/grippers/${i}/tip_m`, problem);
  }
}

/** Every object must be one that the arm can carry with its grippers. */
function checkMasses({ objects = [], grippers = [] }: Cell, report: Report): void {
  const own_kg = grippers.reduce((sum, { mass_kg = 0 }) => sum + mass_kg, 0);
  const limit = `${limits.payload_max_kg} kg that the arm carries (limit payload_max_kg)`;
  objects.forEach(({ name, mass_kg }, i) => {
    if (mass_kg + own_kg <= limits.payload_max_kg) return;
    const all = own_kg > 0 ? ` and the grippers ${own_kg} kg, together` : ',';
    report(`/objects/${i}/mass_kg`, `${name} has ${mass_kg} kg${all} more than the ${limit}`);
  });
}

function checkInputs(cell: Cell, taken: readonly string[], report: Report): void {
  const drivers = new Map(taken.map((input) => [input, 'a wire of the loopback']));
  for (const { path, input } of inputsOf(cell)) {
    const other = drivers.get(input);
    if (other !== undefined) report(path, `input ${input} is already driven by ${other}`);
    else drivers.set(input, path);
  }
}

type SignalRange = Pick<DistanceSensor, 'at_zero' | 'at_full_scale'>;

/** A signal must change with what it measures. */
function checkRange(path: string, range: SignalRange | undefined, report: Report): void {
  if (!range || range.at_zero !== range.at_full_scale) return;
  report(`${path}/at_full_scale`, 'must differ from at_zero, or the signal never changes');
}

function checkSensors(cell: Cell, report: Report): void {
  const { sensors = [], grippers = [], fixtures = [], conveyors = [] } = cell;
  conveyors.forEach(({ encoder }, i) => {
    checkRange(`/conveyors/${i}/encoder`, encoder, report);
  });
  const weighed = new Set([...grippers, ...fixtures].map(({ name }) => name));
  sensors.forEach((sensor, i) => {
    const path = `/sensors/${i}`;
    if ('at_zero' in sensor) checkRange(path, sensor, report);
    if (sensor.kind === 'weight' && !weighed.has(sensor.of)) {
      report(`${path}/of`, `there is no gripper or fixture “${sensor.of}”`);
    } else if (sensor.kind === 'distance') {
      const { x, y, z } = sensor.direction;
      if (x === 0 && y === 0 && z === 0) report(`${path}/direction`, 'must not be all zeros');
    } else if (sensor.kind === 'beam') {
      const { from, to } = sensor;
      const isPoint = from.x === to.x && from.y === to.y && from.z === to.z;
      if (isPoint) report(`${path}/to`, 'must differ from the start of the beam');
    }
  });
}

/** The solids of a cell where they start. */
interface Placed {
  readonly bodies: readonly (Solid & { readonly name: string })[];
  readonly poses: Float64Array;
  readonly statics: readonly StaticSolid[];
}

/** Overlaps of objects with each other and with fixtures, and objects without support. */
function checkPlaces(cell: Cell, report: Report): void {
  const objects = cell.objects ?? [];
  const bodies = objects.map(({ shape, name }) => ({ ...solidOf(shape), name }));
  const poses = startPoses(cell, nestsOf(cell));
  const statics = staticsOf(cell);
  const posed = (i: number) => ({ solid: bodies[i]!, pose: poses, at: SOLID_POSE * i });
  let isStanding = true;
  bodies.forEach(({ name }, i) => {
    const others = [
      ...ARM_BASE,
      ...statics.map((solid) => ({ solid, pose: solid.pose, at: 0, name: solid.name })),
      ...bodies.slice(0, i).map((body, j) => ({ ...posed(j), name: body.name })),
    ];
    const problems = placeProblems({ body: { ...posed(i), name }, others });
    for (const problem of problems) report(`/objects/${i}`, problem);
    isStanding &&= problems.length === 0;
    if (problems.length > 0) return;
    const { low } = footprintOf(bodies[i]!, poses, SOLID_POSE * i);
    const support = supportBeneath({ model: { statics, bodies }, poses, isSolid: () => true }, i);
    const gap = low - (support?.height_m ?? 0);
    const under = support?.name ?? GROUND;
    if (gap > GAP_M) {
      const text = `${name} has no support: it hangs ${millimetres(gap)} above ${under}`;
      report(`/objects/${i}`, text);
      isStanding = false;
    } else if (support?.isStable === false) {
      report(`/objects/${i}`, `${name} would fall off ${under}: its centre is not above it`);
      isStanding = false;
    }
  });
  if (isStanding) checkStacks(cell, { bodies, poses, statics }, report);
}

/**
 * Stacks that would fall over although each object stands on the one beneath: the common centre of
 * an object and of what is above it must be above what carries it. What lies across several presses
 * on each above it, and counts for none.
 */
function checkStacks({ objects = [] }: Cell, { bodies, poses, statics }: Placed, report: Report) {
  const world = { model: { statics, bodies }, poses, isSolid: () => true };
  const under = bodies.map((_, i) => supportBeneath(world, i));
  bodies.forEach(({ name }, i) => {
    const stack = [i];
    for (const k of stack) {
      under.forEach((support, j) => {
        const isOn = support?.body === k && support.spans.length === 0;
        if (isOn && !stack.includes(j)) stack.push(j);
      });
    }
    if (stack.length < 2) return;
    const mass_kg = stack.reduce((sum, j) => sum + objects[j]!.mass_kg, 0);
    const [x, y] = [0, 1].map(
      (k) =>
        stack.reduce((sum, j) => sum + objects[j]!.mass_kg * poses[SOLID_POSE * j + k]!, 0) /
        mass_kg,
    );
    if (supportBeneath(world, i, [x!, y!])?.isStable !== false) return;
    const names = stack.slice(1).map((j) => bodies[j]!.name);
    const text = `${name} would fall off ${under[i]?.name ?? GROUND} with ${names.join(', ')} on it`;
    report(`/objects/${i}`, `${text}: their common centre is not above it`);
  });
}

/** The problems of a cell; `taken` are inputs that something else drives. */
export function checkCell(cell: Cell, taken: readonly string[] = []): readonly Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, problem) => {
    if (problems.length < limits.reported_problems) problems.push({ path, problem });
  };
  if (!checkCounts(cell, report)) return problems;
  checkNames(cell, report);
  checkNests(cell, report);
  checkLids(cell, report);
  checkMasses(cell, report);
  checkTips(cell, report);
  checkInputs(cell, taken, report);
  checkSensors(cell, report);
  if (problems.length === 0) checkPlaces(cell, report);
  return problems;
}
