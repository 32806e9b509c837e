/**
 * Snapshot files with another value at one place, as made by hand: the twin refuses them or goes on
 * from them, and serves calls in both cases. Test code.
 */

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import type { StateFile } from '../../../contract/types.generated.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import { smallToolpath } from '../http/api-fixture.cases.ts';
import { type TwinAndClient, withTwinClient } from './twin-client.cases.ts';

type Content = Record<string, unknown>;

/** The file of a state whose content was edited by hand, with the SHA-256 that it then has. */
export function edited(file: StateFile, edit: (content: Content) => unknown): StateFile {
  const content = JSON.parse(file.data) as Content;
  const data = JSON.stringify(edit(content) ?? content);
  return { ...file, data, sha256: createHash('sha256').update(data).digest('hex') };
}

/** Places of all values in plain data, as keys from the root. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [at];
  return [at, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...at, key]))];
}

/** Puts a value at a place; undefined removes what is there. */
export function put(content: Content, place: readonly string[], value: unknown): void {
  const parent = place.slice(0, -1).reduce((part, key) => part[key] as Content, content);
  const key = place.at(-1) ?? '';
  if (value === undefined) delete parent[key];
  else parent[key] = value;
}

const VALUES = [undefined, 0, -1, 1e308, '', 'x', {}, [], null, true];

/** What is going on in the twin whose state is edited. */
const SITUATIONS: Readonly<Record<string, (arm: ArmClient) => Promise<unknown>>> = {
  rest: async () => {},
  motion: async () => {},
  pause: (arm) => arm.pause(),
  'emergency stop': (arm) => arm.setEmergencyStop({ engaged: true }),
};

async function prepare({ arm, twin }: TwinAndClient, situation: string): Promise<StateFile> {
  await arm.createToolpath({ name: 'one', toolpath: smallToolpath() });
  await arm.addFault({ kind: 'sensor_noise', position_rad: 1e-4 });
  await arm.takeLock();
  if (situation !== 'rest') {
    await arm.useToolpath({ toolpath_id: 1 });
    await arm.home();
    await arm.runUntil({ state: 'ready', limit_s: 60 });
    await arm.run({ mode: 'automatic', loop: 2 });
    await twin.advance(0.3);
  }
  // A pause is answered once the arm stands.
  const changing = SITUATIONS[situation]!(arm);
  await arm.keepState({ name: 'a' });
  const file = await arm.exportState({ name: 'a' });
  await twin.advance(1);
  await changing;
  return file;
}

/** What clients do with a twin in any state; refusals are answers, other failures are not. */
async function use({ arm, twin }: TwinAndClient): Promise<void> {
  await twin.advance(0.1);
  const calls: (() => Promise<unknown>)[] = [
    () => arm.getSnapshot(),
    () => arm.getStatus(),
    () => arm.listToolpaths(),
    () => arm.listContacts(),
    () => arm.listFaults(),
    () => arm.checkUpdates(),
    () => arm.takeLock(),
    () => arm.createToolpath({ name: 'more', toolpath: smallToolpath() }),
    () => arm.setEmergencyStop({ engaged: true }),
    () => twin.advance(1),
    () => arm.setEmergencyStop({ engaged: false }),
    () => arm.resetErrors(),
    () => arm.goTo({ mode: 'automatic', joints: [0.1, 0, 0, 0, 0, 0] }),
    () => twin.advance(1),
    () => arm.keepState({ name: 'c' }),
    () => arm.exportState({ name: 'c' }),
  ];
  for (const call of calls) {
    await call().catch((error: { readonly status?: number }) => {
      if (error.status === undefined || error.status >= 500) throw error;
    });
  }
}

async function tryHostile(client: TwinAndClient, file: StateFile): Promise<void> {
  const { arm } = client;
  try {
    await arm.importState({ ...file, name: 'b' });
    await arm.restoreState({ name: 'b' });
  } catch (error) {
    expect(error).toMatchObject({ status: 400 });
    return;
  }
  await use(client);
  await arm.restoreState({ name: 'a' });
}

/** Tries `count` edits of each situation, drawn from a seed. */
export function hostileSnapshotCases(count: number, seed = 20): void {
  it.each(Object.keys(SITUATIONS))(
    `a twin outlives a file with any value at any place, made during: %s; seed ${seed}`,
    async (situation) => {
      await withTwinClient({}, async (client) => {
        const file = await prepare(client, situation);
        const places = placesIn(JSON.parse(file.data)).filter((place) => place.length > 0);
        const all = places.flatMap((place) => VALUES.map((value) => ({ place, value })));
        const random = createPrng(seed);
        const drawn = Array.from({ length: count }, () => {
          return all[Math.floor(random() * all.length)]!;
        });
        const failed: string[] = [];
        for (const { place, value } of drawn) {
          const hostile = edited(file, (content) => put(content, place, value));
          const text = `${place.join('.')} = ${JSON.stringify(value)}`;
          await tryHostile(client, hostile).catch((error: unknown) => {
            failed.push(`${text}: ${error}`);
          });
        }
        expect(failed).toEqual([]);
      });
    },
  );
}
