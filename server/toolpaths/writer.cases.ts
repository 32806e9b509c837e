/**
 * A process that does nothing but save, for tests that kill it: users, toolpaths, updates and
 * deletions in turn, each told on stdout once it has been acknowledged. Test code.
 */
import { People } from '../sessions/people.ts';
import { Database } from '../store/database.ts';
import { watchDisk } from '../store/disk-steps.cases.ts';
import { emptyRecords } from '../store/records.ts';
import { Library } from './library.ts';
import { smallToolpath } from './small-toolpath.cases.ts';

function tell(fact: object): void {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}

function sized(payload: number) {
  const toolpath = smallToolpath();
  toolpath.metadata.payload = payload;
  return toolpath;
}

/** A step of the disk to end at, and how many of its kind to let pass. */
const [folder = '', round = '0', fatal = '', passing = '0'] = process.argv.slice(2);
const database = await Database.open(folder, emptyRecords('kill', '4.9.0'));
await database.inspect();
const library = new Library(database);
const people = new People({ database, timestamp: () => '2020', onUnsaved: () => {} });
tell({ ready: true });
let left = Number(passing);
if (fatal !== '') {
  watchDisk((step) => {
    if (step === fatal && left-- === 0) process.kill(process.pid, 'SIGKILL');
  });
}

for (let step = 0; ; step++) {
  const payload = (step % 100) / 100;
  const made = await library.create(1, `${round}-${step}`, sized(payload));
  tell({ saved: made });
  if (step % 3 === 0) tell({ saved: await library.update(made.id, `u${step}`, sized(1)) });
  if (step % 5 === 0) {
    await library.remove(made.id);
    tell({ removed: made.id });
  }
  const { id, name } = await people.createToken(1, `${round}-${step}`);
  tell({ token: { id, name } });
}
