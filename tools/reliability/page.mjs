/** Formats docs/reliability.md: a row per fault with its measurement. */

/**
 * @typedef {{ id: string, fault: string, goal: string, holds: boolean, figure: string }} Checked
 * @typedef {{ name: string, check: string, noticed: boolean, figure: string }} Removed
 * @typedef {{
 *   name: string, most: number, by?: string, seen?: string, calls?: number, failed?: number,
 *   worst_ms?: number, instead?: string
 * }} Limit
 * @typedef {{
 *   call: string, bytes: number, cost_ms: number, calls: number, statuses: string,
 *   held_p99_ms: number, held_most_ms: number
 * }} Isolation
 * @typedef {{
 *   name: string, files: number, measured: number, mutants: number, noticed: number,
 *   accepted: number, sentences: number, static: number, near: number,
 * }} MutatedFolder a folder of server/ with the score of its measured files
 * @typedef {{ date: string, folders: MutatedFolder[] }} Mutations
 * @typedef {{
 *   checks: Checked[], protections: Removed[], limits: Limit[], isolation: Isolation[],
 *   mutations: Mutations, exists: (path: string) => boolean
 * }} Parts
 */

/** Faults that unit tests cover. */
const UNIT_TESTS = [
  ['kill −9 while toolpaths are saved', 'server/toolpaths/kill-writer.test.ts'],
  ['kill −9 200 times while toolpaths are saved', 'server/toolpaths/kill-writer.slow.test.ts'],
  ['kill −9 at each step of a write', 'server/toolpaths/kill-writer.cases.ts'],
  ['power losses, I/O errors and other writers, from seeds', 'server/store/power-loss.test.ts'],
  ['damage of stored data', 'server/store/store.test.ts'],
  ['10,000 random damages', 'server/store/damage.slow.test.ts'],
  [
    'the service on a simulated disk, clock and network, 10,000 seeds',
    'server/service-simulation.slow.test.ts',
  ],
  ['a second writer on the folder', 'server/store/folder-lock.test.ts'],
  ['data folders of version 0.1', 'server/store/former-format.test.ts'],
  ['disk errors during a call', 'server/http/storage.test.ts'],
  ['roles and owners: every route by every user', 'server/http/matrix.test.ts'],
  ['calls that are repeated with an idempotency key', 'server/http/idempotency.test.ts'],
  [
    'kill −9, SIGSTOP, full disks and second instances, and the lock, 500 lives',
    'server/http/service-history.slow.test.ts',
  ],
  ['the order of refusals', 'server/http/refusal-order.test.ts'],
  ['malformed bodies', 'server/http/malformed.test.ts'],
  ['idle connections and slow bodies', 'server/http/idle-timeouts.test.ts'],
  ['too many connections and broken framing', 'server/http/framing.test.ts'],
  ['invalid handshakes and frames that RFC 6455 forbids', 'server/stream/upgrade.test.ts'],
  ['stream clients that lag or do not answer pings', 'server/stream/subscriber.test.ts'],
  ['ends of sessions, and of their streams', 'server/sessions/lifetimes.test.ts'],
  [
    'revocations against slow bodies, streams, plans and writes',
    'server/sessions/revocation.test.ts',
  ],
  ['the same, 300 random rounds', 'server/sessions/revocation.slow.test.ts'],
  ['log-ins and changes of users are recorded', 'server/sessions/audit.test.ts'],
  ['large bodies, on a thread of their own', 'server/documents/document-reader.test.ts'],
  ['secrets: length and storage', 'server/sessions/secrets.test.ts'],
  ['an upstream arm with invalid replies', 'server/upstream/hostile-arm.test.ts'],
  ['equal digests at every pace', 'server/pace.test.ts'],
  ['private addresses as webhook targets', 'server/webhooks/addresses.test.ts'],
  ['receivers that fail, redirect or never finish', 'server/webhooks/delivery.test.ts'],
  ['kill −9 before a delivery is acknowledged', 'server/webhooks/crash.slow.test.ts'],
  ['100,000 deliveries to a dead receiver', 'server/webhooks/backlog.slow.test.ts'],
  ['the notice of the page on a full disk', 'e2e/users.spec.ts'],
  ['hostile names and a stale token on the page', 'e2e/hostile.spec.ts'],
];

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replace(/[\s\p{Cc}]+/gu, ' ');

/** @param {Checked} check */
function checkRow({ id, fault, goal, holds, figure }) {
  const measured = `${holds ? '' : '**not reached**: '}${cell(figure)}`;
  return `| \`${id}\` | ${cell(fault)} | ${cell(goal)} | ${measured} |`;
}

/** The output of the check without its name and time. @param {Removed} removed */
function removedRow({ name, check, noticed, figure }) {
  const words = figure.replace(/^\S+ +\S+ \([\d.]+ s\): /, '');
  return `| ${cell(name)} | \`${check}\` | ${noticed ? 'yes' : '**no**'} | ${cell(words)} |`;
}

const METRICS = `| metric | meaning |
| --- | --- |
| \`armtwin_tick_lateness_p99_seconds\`, \`_p50_seconds\` | lateness of ticks over the last 8 s |
| \`armtwin_ticks_total\`, \`armtwin_real_time_factor\` | ticks, twin seconds per wall second |
| \`armtwin_stream_clients\`, \`armtwin_stream_buffered_bytes\` | clients, most buffered bytes |
| \`armtwin_planning_queue\`, \`armtwin_plans_total\` | waiting and completed plans |
| \`armtwin_http_duration_seconds\` | duration of calls by route and status |
| \`armtwin_audit_events_total\`, \`armtwin_password_checks\` | log-ins and changes; checks |
| \`armtwin_document_queue\` | large bodies that wait to be read |
| \`armtwin_webhooks\` | pending, delivered and dead webhook deliveries |
| \`armtwin_storage_damages\`, \`armtwin_storage_read_only\` | damages found; 1 if read-only |
| \`armtwin_bus_events_total\` | sent, missed and discarded packets of the servo bus |
| \`armtwin_log_lines_lost_total\` | lines of the log that were not read or that a disk refused |
| \`armtwin_connections\`, \`armtwin_robot_state\` | open connections, state of the robot |
| \`armtwin_build_info\`, \`process_start_time_seconds\` | version, driver, dialect; start |
| \`process_resident_memory_bytes\`, \`nodejs_heap_size_used_bytes\` | memory |`;

/** @param {Limit} limit */
function limitRow({ name, most, by, seen, calls = 0, failed = 0, worst_ms = 0 }) {
  const other = `${calls - failed} of ${calls} served, slowest ${worst_ms.toFixed(0)} ms`;
  return `| \`${name}\` | ${most} | ${cell(by ?? '')} | ${cell(seen ?? '')} | ${other} |`;
}

/** @param {Limit} limit */
function uncheckedRow({ name, instead = '' }) {
  const words = instead.replace(/\S+\.ts$/, (path) => `[${path}](../${path})`);
  return `| \`${name}\` | ${cell(words)} |`;
}

/** @param {Isolation} row */
function isolationRow({ call, bytes, cost_ms, calls, statuses, ...row }) {
  const size = bytes === 0 ? '' : `${Math.ceil(bytes / 1024)} kB`;
  const held = `${row.held_p99_ms.toFixed(1)} | ${row.held_most_ms.toFixed(1)}`;
  const read = bytes === 0 ? '' : cost_ms.toFixed(0);
  return `| ${call} | ${size} | ${read} | ${calls}: ${cell(statuses)} | ${held} |`;
}

/** @param {Pick<Parts, 'limits' | 'isolation'>} parts */
function measuredTables({ limits, isolation }) {
  const checked = limits.filter(({ instead }) => instead === undefined);
  const others = limits.filter(({ instead }) => instead !== undefined);
  return `## Limits at N + 1 in parallel

Each limit of [limits](reference/limits.md) that a client can reach, with N + 1 in parallel by the
least privileged caller, and a bystander that calls every 20 ms
(\`server/http/limits.slow.test.ts\`, real time, on a busy machine). A limit without a row here or
below does not compile.

| limit | N | caller | seen | bystander |
| --- | --- | --- | --- | --- |
${checked.map(limitRow).join('\n')}

| limit | why it is not in the table above |
| --- | --- |
${others.map(uncheckedRow).join('\n')}

## The tick beside the worst bodies

\`npm run bench tick-isolation\`: the body of each call that costs most to read, and the costliest
one that is accepted, found by search; four at a time without a pause. "Held" is how long work
occupied the thread of the control loop at a time, in processor time (ms): a tick is late by as
much, and by what other programs of the machine take. With \`GET /livez\` in place of a body it was
${isolation[0]?.held_p99_ms.toFixed(1) ?? '–'} at p99.

| call | body | one read (ms) | calls | held p99 | held most |
| --- | --- | --- | --- | --- | --- |
${isolation.slice(1).map(isolationRow).join('\n')}

`;
}

/** @param {Pick<MutatedFolder, 'mutants' | 'noticed' | 'accepted'>} counts */
function shareOf({ mutants, noticed, accepted }) {
  const all = mutants + accepted;
  const share = all === 0 ? '–' : ((100 * noticed) / all).toFixed(1);
  return { all, share };
}

/**
 * The score in one sentence, and what it covers.
 * @param {Mutations} mutations
 */
export function mutationFigure({ folders }) {
  const sum = (/** @type {'files' | 'measured' | 'mutants' | 'noticed' | 'accepted'} */ key) =>
    folders.reduce((total, folder) => total + folder[key], 0);
  const counts = { mutants: sum('mutants'), noticed: sum('noticed'), accepted: sum('accepted') };
  const { all, share } = shareOf(counts);
  const { noticed, accepted } = counts;
  const open = counts.mutants - noticed;
  const rest = open === 0 ? `the other ${accepted}` : `${accepted}, none for ${open}`;
  const reasons = accepted === 0 ? '' : `, a reason for ${rest}`;
  const files = `${sum('measured')} of ${sum('files')} files`;
  return `${noticed} of ${all} mutants (${share} %)${reasons}, in ${files}`;
}

/** @param {MutatedFolder} folder */
function mutationRow({ name, files, measured, sentences, static: atLoad, ...counts }) {
  const { all, share } = shareOf(counts);
  const { noticed, accepted } = counts;
  const others = `${accepted} | ${sentences} | ${atLoad}`;
  const score = measured === 0 ? ' |  |  |  | ' : `${noticed} of ${all} | ${share} % | ${others}`;
  return `| \`server/${name}\` | ${measured} of ${files} | ${score} |`;
}

/** @param {Mutations} mutations */
function mutationSection(mutations) {
  return `## Mutation testing

\`npm run check mutations\` changes one expression of the server at a time (StrykerJS, its default
mutators); a unit test or a conformance rule must then fail or run out of time, or an error that no
test caught ends the tests.
On ${mutations.date} tests notice ${mutationFigure(mutations)}.
A file counts when it was measured with its present text; \`--report\` lists the others, and each
mutant that no test notices and that has no reason. Most files met the quick tests of their folder
alone. The reasons say why nothing that can be observed changes
(\`tools/mutations/accepted.json\`).

Two kinds of mutants do not count, and the table has them: "sentences" are texts of several words
for people, and "at load" are values that are computed once when a module loads (each would need a
new process and all tests), or that only the set-up of a test file runs.

| folder | files | noticed | score | with a reason | sentences | at load |
| --- | --- | --- | --- | --- | --- | --- |
${mutations.folders.map(mutationRow).join('\n')}

`;
}

/** @param {Parts} parts */
export function pageOf({ checks, protections, limits, isolation, mutations, exists }) {
  const lost = UNIT_TESTS.filter(([, path]) => !exists(String(path)));
  if (lost.length > 0)
    throw new Error(`tools/reliability/page.mjs refers to missing tests: ${lost.join('; ')}`);
  const held = checks.filter(({ holds }) => holds).length;
  const noticed = protections.filter((one) => one.noticed).length;
  return `# Reliability

<!-- Generated by npm run generate reliability from docs/figures; do not edit. -->

The behaviour of the twin under faults of clients, network, disk and clock. All figures are
measured on the built program over HTTP and TCP.
${held} of ${checks.length} goals are reached.

## Faults, load and attacks

\`npm run check robustness\` runs all checks,
\`npm run check robustness -- framing soak\` two.
The quick ones are part of \`npm test\`, more of them of \`npm test -- --all\`.

| check | fault | goal | measured |
| --- | --- | --- | --- |
${checks.map(checkRow).join('\n')}

## Covered by unit tests

| fault | test |
| --- | --- |
${UNIT_TESTS.map(([fault, path]) => `| ${fault} | [${path}](../${path}) |`).join('\n')}

${measuredTables({ limits, isolation })}## Verification of the checks

\`npm run check protections\` removes one protection at a time from a copy of the sources; the
check must then fail. ${noticed} of ${protections.length} fail.

| removed protection | check | fails | output |
| --- | --- | --- | --- |
${protections.map(removedRow).join('\n')}

${mutationSection(mutations)}## Monitoring

\`/livez\` reports that the process responds, \`/readyz\` that the arm is ready for commands, or 503
with the reasons. \`/metrics\` is for Prometheus:

${METRICS}

[operating.md](operating.md) has a dashboard and alert rules for them.

Every reply has \`X-Request-Id\` (the client's own if it is valid); the log has it at
level \`debug\`. An uncaught error ends the process with code 1 and one line on stderr,
\`{"crash": …}\`, with the last command. SIGTERM ends it with code 0, or with 1 after 2.8 s.
`;
}
