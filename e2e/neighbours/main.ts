/**
 * `npm run check neighbours`: one plain user takes all of what users share and goes on. Beside it
 * another makes the same kind of call, the holder of the lock loads toolpaths and moves the arm, and
 * an admin logs in by password. Prints a row for each attack; exits with 1 where a bystander is
 * served less than nine times in ten, or more than three times as slowly as without a load.
 *
 * Names choose some; `together` lets one user do all of it at once. `--untimed` judges no times, for a machine
 * with other load. ARMTWIN_MAIN names another built program to compare with.
 */
import { killTwinProcesses } from '../robustness/twin-process.ts';
import { ATTACKS, closeReceivers } from './attacks.ts';
import { type Beside, besideAll, latenessText, problemsOf, textOf } from './beside.ts';
import { countsOf, openScene } from './scene.ts';

const TOGETHER = 'together';
/**
 * What goes on at the same time there: all that one user can do over and over. First what makes
 * something before it goes on, last what leaves the user no turn or connection to begin another.
 */
const AT_ONCE = [
  ...['bytes', 'pending deliveries', 'live runs', 'hanging receivers'],
  ...['log-ins', 'bodies', 'planning', 'connections'],
];
const flags = process.argv.slice(2);
const isTimed = !flags.includes('--untimed');
const names = flags.filter((flag) => !flag.startsWith('--'));
const unknown = names.filter((name) => name !== TOGETHER && !Object.hasOwn(ATTACKS, name));
if (unknown.length > 0) {
  const known = [...Object.keys(ATTACKS), TOGETHER].join(', ');
  console.error(`Unknown ${unknown.join(', ')}; choose from ${known}`);
  process.exit(2);
}

function print(name: string, found: Beside, problems: readonly string[]): void {
  const row = [
    name,
    countsOf(found.taken),
    Object.entries(found.bystander)
      .map(([attack, calls]) => `${ATTACKS[attack]!.what}: ${textOf(calls)}`)
      .join('; '),
    textOf(found.holder),
    textOf(found.admin),
    latenessText(found),
  ];
  console.log(`| ${row.join(' | ')} |`);
  for (const problem of problems) console.log(`  NOT: ${problem}`);
}

const chosen = names.length > 0 ? names : [...Object.keys(ATTACKS), TOGETHER];
let failed = 0;
console.log(
  '| one user | answered | another | loads and motions | log-ins of an admin | ticks late |',
);
for (const name of chosen) {
  const together = name === TOGETHER ? AT_ONCE : [name];
  const attacks = together.map((one) => [one, ATTACKS[one]!] as const);
  // A program from before does not know all flags.
  const isOld = process.env['ARMTWIN_MAIN'] !== undefined;
  const options = isOld ? [] : attacks.flatMap(([, attack]) => attack.flags ?? []);
  const scene = await openScene(['--log-level', 'silent', ...options]);
  const found = await besideAll(scene, attacks).catch((error: unknown) => {
    console.log(`| ${name} | broke off: ${String(error).slice(0, 300)} |`);
    return null;
  });
  const problems = found ? problemsOf(found, isTimed) : ['broke off'];
  if (found) print(name, found, problems);
  if (problems.length > 0) failed += 1;
  scene.twin.signal('SIGKILL');
}
await closeReceivers();
killTwinProcesses();
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
