/**
 * `npm run test:clients`: others' clients in their default settings against the built program.
 * Names select clients; `--write` writes their results into docs/clients.md; `--slow` also
 * runs the tests of the SDK that take 38 minutes; `--arm NAME` gives the twins another arm.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { limits } from '../../contract/limits.ts';
import { ARM_OF_RUN, FLAGS } from './arm-of-run.ts';
import { SDK_CLIENTS } from './sdk.ts';
import { SDK_RELEASES } from './sdk-releases.ts';
import { CLIENTS, installPackages, type ZooClient } from './zoo.ts';

interface Row {
  readonly client: ZooClient;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly text: string;
}

const ALL = [...SDK_RELEASES, ...SDK_CLIENTS, ...CLIENTS];
const PAGE = 'docs/clients.md';

async function attempt(client: ZooClient): Promise<Row> {
  const missing = client.missing();
  if (missing !== null) return { client, outcome: 'skipped', text: `missing: ${missing}` };
  try {
    return { client, outcome: 'passed', text: await client.run() };
  } catch (error) {
    return { client, outcome: 'failed', text: String(error) };
  }
}

function page(rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|').slice(0, 300);
  const known = readFileSync(PAGE, 'utf8').split('\n');
  const lines = ALL.flatMap((client) => {
    const row = rows.find((one) => one.client === client);
    const before = known.find((line) => line.startsWith(`| ${client.id} `));
    // What was found where the client is installed stays, where it is not.
    if (before && row?.outcome !== 'passed' && row?.outcome !== 'failed') return before;
    if (!row) return [];
    return `| ${client.id} | ${client.proves} | ${row.outcome} | ${cell(row.text)} |`;
  });
  return `# Clients

Third-party clients in their default settings, each run against its own twin. In a session a client logs in, takes the lock, moves,
releases the lock and logs out.

| client | what it does | result | version or figure |
| ------ | ------------ | ------ | ----------------- |
${lines.join('\n')}

What these clients need of the service, each with a test:

- An offer of HTTP/2 over clear text (Java, \`curl --http2\`) is ignored.
- For the SDK and Go's client, calls without a content type are read as JSON, and motion calls
  are answered with 200
  ([D1](decisions/0001-dialects-and-http.md)). A content type of a call without a
  body is ignored (D2).
- The stream takes the session as subprotocol or as \`Authorization: Bearer\` (D37). It answers the
  handshake after ${1000 * limits.stream_handshake_s} ms, because the SDK misses an earlier answer.
- The SDK renews the lock every 3 s of its own time during teach motions. At \`--clock 10\` or \`max\` the
  lock lasts its 5 s in wall time too (D13). Sessions last 30 minutes of twin time; the SDK logs in again.
- The SDK finds the arm by \`--discover\`; it connects to port 80 of the announced \`.local\` name.

SDKs before 3.0.0 are for robots of another version. The Go driver is part of a platform that is not built here: its rows send what its
releases send.

\`npm run test:clients -- --write\` makes this page. It skips a client that is not installed and names the missing package.
\`ARMTWIN_SDK\` names the folder of the SDK's sources, \`ARMTWIN_SDK_GIT\` a clone with the tags of its releases.

## Scripts of others

Public scripts for this arm, unedited, each by \`armtwin run --as ADDRESS -- python3 SCRIPT\` with the address that it has typed in, or
with \`--type\` for what it asks; run by hand on 2026-11-29.

| scripts                                    | count | what hinders them                                                    |
| ------------------------------------------ | ----- | -------------------------------------------------------------------- |
| run to their end, or as long as they would | 18    |                                                                    |
| leave address or token open                | 9     | they would have to be edited for an arm too                          |
| need a camera                              | 17    | they open it before or after they move the arm                       |
| need ROS and packages of their own         | 10    | messages that only their workspace builds                            |
| for robots of version 2                    | 5     | the SDK before 2.0.0 reads a snapshot of another form                |
| stream by \`websockets\` before 15           | 2     | it heeds no proxy, and the address is typed in |
| need other programs                        | 6     | an Opentrons robot, a vision server, a web service, 3D viewers       |
| end by an error of their own               | 2     | a call that Python does not have, an empty list of their settings    |

Whether a typed-in address reaches the twin is up to the library that calls it: it must heed the proxy variables of its environment.
Python's \`requests\`, \`httpx\` and \`websocket-client\`, curl and Go do. Python's \`websockets\` before 15, by which the SDK before 5.0.0
streams, and \`aiohttp\` without \`trust_env\` do not, nor does Node's \`fetch\`: they call the real address, so give them \`{host}\`.
`;
}

const names = FLAGS.filter((flag) => !flag.startsWith('--'));
const unknown = names.filter((name) => !ALL.some(({ id }) => id.includes(name)));
if (unknown.length > 0) {
  console.error(
    `Unknown client ${unknown.join(', ')}; choose from ${ALL.map(({ id }) => id).join(', ')}`,
  );
  process.exit(2);
}
if (FLAGS.includes('--write') && ARM_OF_RUN !== null) {
  console.error(`${PAGE} is about the default arm: leave --write or --arm away`);
  process.exit(2);
}
await installPackages();
const rows: Row[] = [];
for (const client of ALL) {
  if (names.length > 0 && !names.some((name) => client.id.includes(name))) continue;
  const row = await attempt(client);
  console.log(`${row.outcome.padEnd(8)}${client.id}: ${row.text}`);
  rows.push(row);
}
const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
if (FLAGS.includes('--write')) {
  writeFileSync(PAGE, page(rows));
  execFileSync(process.execPath, [
    'node_modules/@biomejs/biome/bin/biome',
    'format',
    '--write',
    PAGE,
  ]);
}
process.exit(count('failed') === 0 ? 0 : 1);
