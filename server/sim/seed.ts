/**
 * Seeds: how a twin shall stand, in one document. People and toolpaths are made or changed first;
 * then pose, signals, state and date change together, between two ticks. Planting the same seed
 * again changes nothing. Every refusal names its place in the document.
 */

import type { SeedBody, SeedToolpath, SeedUser } from '../../contract/types.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import type { Rooms } from '../http/rooms.ts';
import type { LoadedToolpath } from '../robot/commands.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import { RESTORED, restoreTwin, takeTwin } from './restoring.ts';
import { plantState } from './seed-state.ts';
import type { Simulation } from './simulation.ts';
import { takePeople } from './twin-image.ts';

function misplaced(path: string, problem: string): Refusal {
  return refuse('invalid_arguments', [{ path, problem }]);
}

/** What can be said of a seed before anything is changed. */
function seedRefusal({ toolpaths = [], pose }: SeedBody): Refusal | null {
  const problems = toolpaths.flatMap(({ toolpath }, i) =>
    checkToolpath(toolpath).map(({ path, problem }) => ({
      path: `/toolpaths/${i}/toolpath${path}`,
      problem,
    })),
  );
  pose?.forEach((angle, joint) => {
    const [low, high] = [JOINT_MIN_RAD[joint]!, JOINT_MAX_RAD[joint]!];
    if (angle >= low && angle <= high) return;
    problems.push({ path: `/pose/${joint}`, problem: `must lie between ${low} and ${high} rad` });
  });
  return problems.length > 0 ? refuse('invalid_arguments', problems) : null;
}

async function plantUser({ people }: Rooms, seed: SeedUser): Promise<Refusal | null> {
  const { email, password, role, tokens = [] } = seed;
  const known = people.list().find((user) => user.email.toLowerCase() === email.toLowerCase());
  const user = known ?? (await people.create(email, password ?? null));
  if ('refused' in user) return user;
  const changed = await people.update(user.id, {
    ...(known && password !== undefined ? { password } : {}),
    ...(role !== undefined ? { role } : {}),
  });
  if ('refused' in changed) return changed;
  for (const { name, token } of tokens) {
    if (!people.tokenOf(token)) await people.createToken(user.id, name, token);
  }
  return null;
}

/** The user of an e-mail; without one the first admin. */
function ownerOf({ people }: Rooms, email: string | undefined): number | null {
  const fits = (user: { readonly email: string; readonly role: string }) =>
    email === undefined ? user.role === 'admin' : user.email.toLowerCase() === email.toLowerCase();
  return people.list().find(fits)?.id ?? null;
}

async function plantToolpath(rooms: Rooms, seed: SeedToolpath): Promise<boolean> {
  const { library } = rooms;
  const owner = ownerOf(rooms, seed.owner);
  if (owner === null) return false;
  const known = library.list(owner).find(({ name }) => name === seed.name);
  if (!known) await library.create(owner, seed.name, seed.toolpath);
  else if (known.hash !== hashToolpath(seed.toolpath)) {
    await library.update(known.id, seed.name, seed.toolpath);
  }
  return true;
}

/** Builds the selected toolpath, so that it can be run at once. */
async function selected(
  { database, library, planner }: Rooms,
  name: string,
): Promise<LoadedToolpath | Refusal> {
  const row = database.records.toolpaths.find((entry) => entry.name === name);
  if (!row) return misplaced('/selected', `names no saved toolpath: there is no “${name}”`);
  const toolpath = await library.open(row.id);
  const built = await planner.program(toolpath);
  if (built.kind !== 'built') return misplaced('/selected', `cannot be built: ${built.error}`);
  return { name, hash: row.hash, program: built.program, metadata: toolpath.metadata };
}

/** Brings the twin to how the seed says; answers why not, and then it stands as before. */
export async function plantSeed(simulation: Simulation, seed: SeedBody): Promise<Refusal | null> {
  const refusal = simulation.worldRefusal ?? seedRefusal(seed);
  if (refusal) return refusal;
  const image = await takeTwin(simulation);
  const people = takePeople(simulation.parts.rooms.database.records);
  const asBefore = { image, people, scopes: new Set(RESTORED), keeper: null };
  try {
    const refused = await plant(simulation, seed);
    if (refused) await restoreTwin(simulation, asBefore);
    return refused;
  } catch (error) {
    await restoreTwin(simulation, asBefore);
    throw error;
  }
}

async function plantPeople(rooms: Rooms, seed: SeedBody): Promise<Refusal | null> {
  for (const user of seed.users ?? []) {
    const refused = await plantUser(rooms, user);
    if (refused) return refused;
  }
  for (const [i, toolpath] of (seed.toolpaths ?? []).entries()) {
    if (await plantToolpath(rooms, toolpath)) continue;
    return misplaced(`/toolpaths/${i}/owner`, `names no user: there is no ${toolpath.owner}`);
  }
  return null;
}

async function plant(simulation: Simulation, seed: SeedBody): Promise<Refusal | null> {
  const { rooms } = simulation.parts;
  const refused = await plantPeople(rooms, seed);
  if (refused) return refused;
  const { name } = seed;
  if (name !== undefined && name !== rooms.database.records.name) {
    await rooms.database.change((draft) => {
      draft.name = name;
    });
  }
  const loaded = seed.selected === undefined ? null : await selected(rooms, seed.selected);
  if (loaded && 'refused' in loaded) return loaded;
  return plantState(simulation, seed, loaded);
}
