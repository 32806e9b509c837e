/** The page on reliability as text: a row for each fault, with what was measured. */

/**
 * @typedef {{ id: string, fault: string, goal: string, holds: boolean, figure: string }} Checked
 * @typedef {{ name: string, check: string, noticed: boolean, figure: string }} Removed
 * @typedef {{ checks: Checked[], protections: Removed[], exists: (path: string) => boolean }} Parts
 */

/** Faults that are proven by tests beside the code, in every `npm test`. */
const BESIDE = [
  ['kill −9 while toolpaths are saved', 'server/toolpaths/killing.test.ts'],
  ['200 of them', 'server/toolpaths/killing.slow.test.ts'],
  ['kill −9 at exactly each step of a write', 'server/toolpaths/killing.cases.ts'],
  ['order of write, fsync, rename and fsync of the folder', 'server/store/disk-order.test.ts'],
  ['a full disk', 'server/store/database.test.ts'],
  ['I/O errors at each step of a write', 'server/store/io-error.test.ts'],
  ['errors of the disk under a call', 'server/http/storage.test.ts'],
  ['roles and owners: every route by every person', 'server/http/matrix.test.ts'],
  ['the order of refusals', 'server/http/refusal-order.test.ts'],
  ['bodies that no honest client sends', 'server/http/malformed.test.ts'],
  ['connections that neither go on nor go away', 'server/http/patience.test.ts'],
  ['more connections than there may be, and broken framing', 'server/http/framing.test.ts'],
  ['handshakes of strangers, and frames that RFC 6455 forbids', 'server/stream/upgrade.test.ts'],
  ['stream clients that lag or give no sign of life', 'server/stream/subscriber.test.ts'],
  ['ends of sessions, and of their streams', 'server/sessions/lifetimes.test.ts'],
  ['secrets: their length, and how they are kept', 'server/sessions/secrets.test.ts'],
  ['an arm elsewhere that answers nonsense', 'server/upstream/hostile-arm.test.ts'],
  ['equal digests at every pace', 'server/pace.test.ts'],
  ['addresses of others behind a hook', 'server/webhooks/addresses.test.ts'],
  ['receivers that fail, redirect or never end', 'server/webhooks/delivery.test.ts'],
  ['kill −9 before a notification was acknowledged', 'server/webhooks/crash.slow.test.ts'],
  ['100,000 notifications for a dead receiver', 'server/webhooks/backlog.slow.test.ts'],
  ['hostile names and a stale token on the page', 'e2e/hostile.spec.ts'],
];

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replace(/[\s\p{Cc}]+/gu, ' ');

/** @param {Checked} check */
function checkRow({ id, fault, goal, holds, figure }) {
  const measured = `${holds ? '' : '**not reached**: '}${cell(figure)}`;
  return `| \`${id}\` | ${cell(fault)} | ${cell(goal)} | ${measured} |`;
}

/** The check's own words, without its name and time. @param {Removed} removed */
function removedRow({ name, check, noticed, figure }) {
  const words = figure.replace(/^\S+ +\S+ \([\d.]+ s\): /, '');
  return `| ${cell(name)} | \`${check}\` | ${noticed ? 'yes' : '**no**'} | ${cell(words)} |`;
}

/** @param {Parts} parts */
export function pageOf({ checks, protections, exists }) {
  const lost = BESIDE.filter(([, path]) => !exists(String(path)));
  if (lost.length > 0) throw new Error(`these tests are gone: ${lost.join('; ')}`);
  const held = checks.filter(({ holds }) => holds).length;
  const noticed = protections.filter((one) => one.noticed).length;
  return `# Hard to break

<!-- Written by tools/reliability.mjs from docs/figures; edit those tools, not this page. -->

What happens to the twin when its clients, its network, its disk and its clock misbehave. Everything
here is measured on the built program, over the wire, by checks that need no other tool.
${held} of ${checks.length} goals are reached.

## Faults, load and attacks

\`npm run test:hard\` runs all of it, \`npm run test:hard -- framing soak\` some; the quick ones are
part of \`npm test\`.

| check | what goes wrong | goal | measured |
| --- | --- | --- | --- |
${checks.map(checkRow).join('\n')}

## Proven beside the code

| what goes wrong | test |
| --- | --- |
${BESIDE.map(([fault, path]) => `| ${fault} | [${path}](../${path}) |`).join('\n')}

## Checks that can fail

\`npm run test:protections\` takes the protections out of a copy of the sources, one at a time; the
check must then fail. ${noticed} of ${protections.length} do.

| without | check | fails | what it then says |
| --- | --- | --- | --- |
${protections.map(removedRow).join('\n')}

## Figures of a running twin

\`/livez\` says that the process answers, \`/readyz\` that a call would be taken up now, or 503 with
the reasons. \`/metrics\` is for Prometheus:

| figure | what it is |
| --- | --- |
| \`armtwin_tick_lateness_p99_ms\`, \`_p50_ms\` | how late ticks come, over the last 8 s |
| \`armtwin_ticks\`, \`armtwin_real_time_factor\` | how far time is, and its pace |
| \`armtwin_stream_clients\`, \`armtwin_stream_buffered_bytes\` | listeners, and what waits |
| \`armtwin_planning_queue\`, \`armtwin_plans_done\` | plans that wait, plans made |
| \`armtwin_http_duration_seconds\` | calls by route and status |
| \`armtwin_webhooks\` | notifications that wait, arrived, or were given up |
| \`armtwin_bus_events\` | what the servo bus sent, missed and threw away |
| \`armtwin_connections\`, \`armtwin_robot_state\` | open connections, the robot's state |
| \`armtwin_resident_memory_bytes\`, \`armtwin_heap_used_bytes\` | memory |

Every reply carries \`X-Request-Id\` (the client's own where it sent a usable one); the log names it
at level \`debug\`. An error that nobody catches ends the process with code 1, one line on stderr,
\`{"crash": …}\`, that names the last command. SIGTERM ends it with code 0 within 5 s.
`;
}
