/**
 * `npm run check worst-hours`: a twin in memory with 512 MiB, under the worst that each single plain
 * user can do: at full speed until the shares refuse more, and on for `--seconds` (20). It must be
 * alive afterwards within its memory, serve another user, and its refusals must say which share is
 * used up and what frees some. Names choose some attacks.
 *
 * The memory of a container is set without one: V8 gets the heap that Node.js chooses in a container
 * of this size, the program is told the size, and the resident memory is watched.
 */
import { parseArgs } from 'node:util';
import { ERROR_ROWS } from '../../contract/errors.ts';
import { shares } from '../../contract/shares.ts';
import { killTwinProcesses, type TwinProcess } from '../robustness/twin-process.ts';
import { ATTACKS, closeReceivers, isBeyondShare } from './attacks.ts';
import { countsOf, isOk, openScene, type Reply, sleep } from './scene.ts';
import { beginTaking } from './takers.ts';

const MEMORY_MIB = 512;
/** What Node.js leaves to the heap of such a container: half. */
const HEAP_MIB = MEMORY_MIB / 2;
const LOOK_MS = 200;

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '20' } },
  allowPositionals: true,
});
process.env['NODE_OPTIONS'] = `--max-old-space-size=${HEAP_MIB}`;
process.env['MEMORY_MIB'] = String(MEMORY_MIB);

/** Follows the resident memory of a process; its largest value so far (MiB). */
function watchMemory(twin: TwinProcess) {
  let most_mib = 0;
  const look = async () => {
    most_mib = Math.max(most_mib, await twin.memory_mb().catch(() => 0));
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return { most_mib: () => most_mib, stop: () => clearInterval(timer) };
}

/** The details of a refusal of a share; null for other replies, such as too many log-ins. */
function shareDetails(reply: Reply): string | null {
  if (!isBeyondShare(reply)) return null;
  const { title, details } = JSON.parse(reply.text).error;
  const { share_used_up, storage_used_up } = ERROR_ROWS;
  return title === share_used_up.title || title === storage_used_up.title ? String(details) : null;
}

/** What does not say how much is used of what, and what frees some. */
function vagueOf(details: readonly string[]): string[] {
  const remedies = Object.values(shares).map(({ remedy }) => remedy);
  const helps = (text: string) =>
    /your share/i.test(text) && remedies.some((remedy) => text.includes(remedy));
  return details.filter((text) => !helps(text));
}

let failed = 0;
const names = positionals.length > 0 ? positionals : Object.keys(ATTACKS);
for (const name of names) {
  const attack = ATTACKS[name];
  if (!attack) throw new Error(`There is no attack ${name}`);
  const flags = ['--log-level', 'silent', ...(attack.flags ?? [])];
  const scene = await openScene(flags, './preloads/small-machine.mjs');
  const memory = watchMemory(scene.twin);
  const takers = await beginTaking(scene, [name]);
  await sleep(1000 * Number(values.seconds));
  const after = await attack.call(scene, 0);
  const metrics = fetch(`${scene.twin.url}/metrics`).then((reply) => reply.text());
  const shown = await metrics.catch(() => '');
  const bytes = shown.match(/^armtwin_share_used\{[^}]*stored_in_memory[^}]*\} \d+/gm) ?? [];
  const taken = await takers.stop();
  memory.stop();
  const details = new Set(taken.flatMap((reply) => shareDetails(reply) ?? []));
  const isStorageUsedUp = taken.some(({ status }) => status === 507);
  const problems = [
    ...(scene.twin.child.exitCode === null && scene.twin.child.signalCode === null ? [] : ['dead']),
    ...(isOk(after) ? [] : [`another is answered ${after.status}`]),
    ...(memory.most_mib() <= MEMORY_MIB ? [] : ['more memory than there is']),
    ...(bytes.length > 0 || !isStorageUsedUp ? [] : ['/metrics has no bytes by owner']),
    ...vagueOf([...details]).map((text) => `a refusal that does not help: ${text}`),
  ];
  if (problems.length > 0) failed += 1;
  const [first = 'none'] = details;
  const memory_text = `at most ${memory.most_mib().toFixed(0)} MiB`;
  console.log(`| ${name} | ${countsOf(taken)} | ${memory_text} | ${first} |`);
  for (const problem of problems) console.log(`  NOT: ${problem}`);
  scene.twin.signal('SIGKILL');
}
await closeReceivers();
killTwinProcesses();
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
