/**
 * A process that saves users, toolpaths, updates and deletions in turn, for tests that kill it.
 * Reports each acknowledged change on stdout. Test code.
 */
import { systemClock } from '../clock/wall-clock.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import { toolpathText } from '../documents/toolpath-text.ts';
import { PasswordChecks } from '../service/sessions/password-checks.ts';
import { Users } from '../service/sessions/users.ts';
import { Database } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import { observeDisk } from '../store/simulated-disk.cases.ts';
import { smallToolpath } from './small-toolpath.cases.ts';
import { ToolpathLibrary } from './toolpath-library.ts';

function report(acknowledgment: object): void {
  process.stdout.write(`${JSON.stringify(acknowledgment)}\n`);
}

function sized(payload: number) {
  const toolpath = smallToolpath();
  toolpath.metadata.payload = payload;
  return toolpathText(toolpath);
}

/** Disk step at which the process ends, and the number of such steps before it. */
const [folder = '', round = '0', fatal = '', passing = '0'] = process.argv.slice(2);
let left = Number.POSITIVE_INFINITY;
if (fatal !== '') {
  observeDisk((step) => {
    if (step === fatal && left-- === 0) process.kill(process.pid, 'SIGKILL');
  });
}
const store = await openStore(folder);
const database = await Database.open(store, { name: 'kill', software_version: '4.9.0' });
const library = new ToolpathLibrary(
  database,
  new DocumentReader({ wall: systemClock, keepsTime: () => false }),
  () => '2020',
);
const people = new Users({
  database,
  passwords: new PasswordChecks(systemClock),
  timestamp: () => '2020',
  onUnsaved: () => {},
});
if (people.list().length === 0) await people.create('writer@example.org', null);
report({ ready: true });
left = Number(passing);

for (let step = 0; ; step++) {
  const payload = (step % 100) / 100;
  const made = await library.create({
    owner_id: 1,
    name: `${round}-${step}`,
    toolpath: sized(payload),
  });
  if ('refused' in made) throw new Error('refused without a guard');
  report({ saved: made });
  if (step % 3 === 0)
    report({ saved: await library.update({ id: made.id, name: `u${step}`, toolpath: sized(1) }) });
  if (step % 5 === 0) {
    await library.remove(made.id);
    report({ removed: made.id });
  }
  const token = await people.createToken(1, `${round}-${step}`);
  // A user has at most 100 tokens.
  if (!('refused' in token)) report({ token: { id: token.id, name: token.name } });
}
