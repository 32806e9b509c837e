/**
 * The table of protections: the place of each, the source without it, and the check that must then
 * fail: a robustness check by name or a unit test by path.
 */

/**
 * @typedef {{ name: string, check: string, path: string, find: string, put: string }} Protection
 *   `find` occurs exactly once in the file at `path` and is replaced by `put`
 */

import { SIMULATION_PROTECTIONS } from './simulation-rows.mjs';
import { STORE_PROTECTIONS } from './store-rows.mjs';
import { THREAD_PROTECTIONS } from './thread-rows.mjs';
import { TWIN_PROTECTIONS } from './twin-rows.mjs';

/** @type {readonly Protection[]} */
export const PROTECTIONS = [
  ...THREAD_PROTECTIONS,
  ...TWIN_PROTECTIONS,
  {
    name: 'one Host header',
    check: 'framing',
    path: 'server/http/server.ts',
    find: "if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {",
    put: 'if (hosts < 0) {',
  },
  {
    name: 'one reply per request',
    check: 'server/http/framing.test.ts',
    path: 'server/http/server.ts',
    find: ' || isAnsweredEarly(socket)',
    put: '',
  },
  {
    name: 'refusal of invalid JSON',
    check: 'malformed-json',
    path: 'server/documents/document-tasks.ts',
    find: "const reason = error instanceof Error ? error.message : 'not JSON';",
    put: "const reason = ''; throw error;",
  },
  {
    name: 'a limit of nesting',
    check: 'hostile-json',
    path: 'contract/schemas.ts',
    find: 'if (visit.depth > limits.nesting_levels) {',
    put: 'if (visit.depth < 0) {',
  },
  {
    name: 'refusal of prototype keys',
    check: 'hostile-json',
    path: 'contract/schemas.ts',
    find: 'if (FORBIDDEN_KEYS.includes(key)) {',
    put: "if (key === '' && depth < 0) {",
  },
  {
    name: 'a limit of grid cells',
    check: 'toolpath-bombs',
    path: 'physics/toolpath/action-rules.ts',
    find: 'problems.length === 0 && cells > limits.grid_cells',
    put: 'cells < 0',
  },
  {
    name: 'one holder of the lock',
    check: 'lock-race',
    path: 'server/robot/robot-context.ts',
    find:
      "if (holdsLock(memory, caller)) return refuse('lock_held_by_you');\n" +
      "  if (memory.lock) return refuse('lock_held_by_other');",
    put: '',
  },
  {
    name: 'a timeout of headers',
    check: 'slow-headers',
    path: 'server/http/server.ts',
    find: 'headersTimeout: limits.headers_s * 1000,',
    put: 'headersTimeout: 0,',
  },
  {
    name: 'a timeout of bodies',
    check: 'slow-bodies',
    path: 'server/http/request-parts.ts',
    find: 'wall.afterUnreferenced(limit_s * 1000,',
    put: 'wall.afterUnreferenced(1e9,',
  },
  {
    name: 'a timeout of unread bodies',
    check: 'slow-strangers',
    path: 'server/http/pipeline.ts',
    find: 'closeUnreadBodies(services.wall),',
    put: '',
  },
  {
    name: 'a timeout of idle connections',
    check: 'slow-readers',
    path: 'server/http/server.ts',
    find: 'closeIdleConnections(server, wall);',
    put: '',
  },
  {
    name: 'limits of the send buffer of a stream client',
    check: 'deaf-streams',
    path: 'contract/limits.ts',
    find:
      'stream_soft_bytes: 128 * 1024,\n' +
      '  /** Unsent bytes of a subscriber above which its stream is closed (own). */\n' +
      '  stream_hard_bytes: 1024 * 1024,',
    put: 'stream_soft_bytes: 2 ** 40,\n  stream_hard_bytes: 2 ** 40,',
  },
  {
    name: 'disconnection of stream clients without pongs',
    check: 'server/stream/subscriber.test.ts',
    path: 'server/stream/hub.ts',
    find: 'if (this.missedPings >= limits.stream_missed_pings) this.socket.terminate();',
    put: 'if (this.missedPings < 0) this.socket.terminate();',
  },
  {
    name: 'no stream for pages of other origins',
    check: 'server/stream/upgrade.test.ts',
    path: 'server/stream/upgrade.ts',
    find: 'if (!options.originAllowed(request)) {',
    put: "if (path === '') {",
  },
  {
    name: 'no calls of pages of other origins',
    check: 'server/http/origins.test.ts',
    path: 'server/http/pipeline.ts',
    find: 'if (foreign) return sendRefusal(response, foreign);',
    put: "if (foreign && request.url === '') return sendRefusal(response, foreign);",
  },
  {
    name: 'a limit of connections',
    check: 'server/http/framing.test.ts',
    path: 'server/http/server.ts',
    find: 'if (!makeRoom(connections, own)) {',
    put: 'if (own === null) {',
  },
  {
    name: 'a limit of stream messages',
    check: 'large-message',
    path: 'server/stream/upgrade.ts',
    find: 'maxPayload: limits.stream_message_bytes,',
    put: 'maxPayload: 2 ** 26,',
  },
  {
    name: 'tokens only as hashes at rest',
    check: 'secrets',
    path: 'server/sessions/users.ts',
    find: 'const row = { id, user_id, name, secret_sha256',
    put: 'const row = { id, user_id, name: name + secret, secret_sha256',
  },
  {
    name: 'routes instead of paths in the log',
    check: 'secrets',
    path: 'server/http/request-parts.ts',
    find: 'route: requestContextOf(response).route ??',
    put: 'route: request.url ??',
  },
  {
    name: 'shutting_down before the exit',
    check: 'going-down',
    path: 'server/app/app.ts',
    find: "loop.apply({ kind: 'shut_down' });",
    put: '',
  },
  {
    name: 'streams end with the server',
    check: 'going-down',
    path: 'server/http/server.ts',
    find: 'for (const socket of open) socket.destroy();',
    put: 'server.closeAllConnections();',
  },
  {
    name: 'a report of uncaught errors',
    check: 'crash-report',
    path: 'server/cli/output.ts',
    find: "process.on('uncaughtException', crash);",
    put: '',
  },
  {
    name: 'a report of uncaught rejections',
    check: 'crash-report',
    path: 'server/cli/output.ts',
    find: "process.on('unhandledRejection', crash);",
    put: "process.on('unhandledRejection', () => {});",
  },
  {
    name: 'a monotonic clock',
    check: 'date-jumps',
    path: 'server/clock/clock.ts',
    find: 'now_ms: monotonic_ms,',
    put: 'now_ms: () => Date.now(),',
  },
  {
    name: 'no inline scripts',
    check: 'page-policy',
    path: 'server/http/reply.ts',
    find: "'script-src': [\"'self'\"],",
    put: "'script-src': [\"'self'\", \"'unsafe-inline'\"],",
  },
  {
    name: 'password hashing for unknown users',
    check: 'log-in-timing',
    path: 'server/sessions/users.ts',
    find: 'const [salt, key] = (stored',
    put: 'if (stored === null) return false;\n  const [salt, key] = (stored',
  },
  {
    name: 'a limit of concurrent calls to one receiver',
    check: 'hostile-hooks',
    path: 'contract/limits.ts',
    find: 'hook_in_flight_per_host: 4,',
    put: 'hook_in_flight_per_host: 1e9,',
  },
  {
    name: 'refusal of private webhook addresses',
    check: 'server/webhooks/addresses.test.ts',
    path: 'server/webhooks/addresses.ts',
    find: 'if (isIn(ALWAYS_DENIED, ip)) return',
    put: "if (ip === '') return",
  },
  {
    name: 'a size limit of webhook replies',
    check: 'hostile-hooks',
    path: 'contract/limits.ts',
    find: 'hook_reply_bytes: 64 * 1024,',
    put: 'hook_reply_bytes: 2 ** 40,',
  },
  ...STORE_PROTECTIONS,
  ...SIMULATION_PROTECTIONS,
  {
    name: 'a thread of their own for large bodies',
    check: 'server/documents/document-reader.test.ts',
    path: 'server/documents/document-tasks.ts',
    find: 'return length <= limits.inline_document_bytes || !this.options.keepsTime();',
    put: 'return length >= 0;',
  },
  {
    name: 'an acknowledgement of a revocation after changes in progress',
    check: 'server/sessions/revocation.test.ts',
    path: 'server/http/handlers/users.ts',
    find: '  await services.database.store.settled();',
    put: '',
  },
  {
    name: 'a check of the session within the transaction',
    check: 'server/webhooks/signing.test.ts',
    path: 'server/webhooks/webhooks.ts',
    find: 'const refusal = await this.documents.save(user_id, { row: renewed }, guard);',
    put: 'const refusal = await this.documents.save(user_id, { row: renewed });',
  },
  {
    name: 'a check within the transaction that the owner exists',
    check: 'server/sessions/revocation.test.ts',
    path: 'server/toolpaths/toolpath-library.ts',
    find: "if (!draft.get(users, owner_id)) return refuse('not_authenticated');",
    put: '',
  },
  {
    name: 'the idempotency key in the transaction of its object',
    check: 'server/http/idempotency.test.ts',
    path: 'server/http/idempotency.ts',
    find: 'draft.put(this.table, keyed.id, { row, body: JSON.stringify(outcome) });',
    put: '',
  },
  {
    name: 'one call at a time with an idempotency key',
    check: 'server/http/idempotency.test.ts',
    path: 'server/http/idempotency.ts',
    find: '(before ?? Promise.resolve()).then(',
    put: 'Promise.resolve().then(',
  },
  {
    name: 'no generated secrets in logs',
    check: 'server/sessions/audit.test.ts',
    path: 'server/cli/output.ts',
    find: 'if (isTerminal) return [...begun, ...adminLines(credentials)];',
    put: 'return [...begun, ...adminLines(credentials)];',
  },
  {
    name: 'admin-only calls',
    check: 'server/http/matrix.test.ts',
    path: 'server/http/pipeline.ts',
    find: "if (this.row.role === 'admin' && identity.caller.role !== 'admin') {",
    put: "if (identity.caller.role === ('none' as string)) {",
  },
  {
    name: 'hidden toolpaths of other users',
    check: 'server/http/matrix.test.ts',
    path: 'server/toolpaths/toolpath-library.ts',
    find: 'return row && row.owner_id === owner_id ? head(row) : null;',
    put: 'return row ? head(row) : null;',
  },
];
