/**
 * The protections, one row each: where it stands, what the source is without it, and what must then
 * fail: a check of e2e/hard by its name, or a test beside the code by its path.
 */

/**
 * @typedef {{ name: string, check: string, path: string, find: string, put: string }} Protection
 *   `find` stands exactly once in the file at `path`, and is replaced by `put`
 */

/** @type {readonly Protection[]} */
export const PROTECTIONS = [
  {
    name: 'one Host header',
    check: 'framing',
    path: 'server/http/server.ts',
    find: "if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {",
    put: 'if (hosts < 0) {',
  },
  {
    name: 'no second answer',
    check: 'framing',
    path: 'server/http/server.ts',
    find: ' || isAnsweredEarly(socket)',
    put: '',
  },
  {
    name: 'a refusal for what is no JSON',
    check: 'malformed-json',
    path: 'server/http/body.ts',
    find: "const why = error instanceof Error ? error.message : 'not JSON';",
    put: "const why = ''; throw error;",
  },
  {
    name: 'a cap on nesting',
    check: 'hostile-json',
    path: 'contract/body-guard.ts',
    find: 'if (depth > limits.nesting_levels) {',
    put: 'if (depth < 0) {',
  },
  {
    name: 'no keys that reach into prototypes',
    check: 'hostile-json',
    path: 'contract/body-guard.ts',
    find: 'if (FORBIDDEN_KEYS.includes(key)) {',
    put: "if (key === '' && depth < 0) {",
  },
  {
    name: 'a cap on the cells of a grid',
    check: 'toolpath-bombs',
    path: 'physics/toolpath/action-rules.ts',
    find: 'problems.length === 0 && cells > limits.grid_cells',
    put: 'cells < 0',
  },
  {
    name: 'one holder of the lock',
    check: 'lock-race',
    path: 'server/robot/lock.ts',
    find:
      "if (holds(memory, caller)) return refuse('lock_held_by_you');\n" +
      "  if (memory.lock) return refuse('lock_held_by_other');",
    put: '',
  },
  {
    name: 'a time-out for headers',
    check: 'slow-headers',
    path: 'server/http/server.ts',
    find: 'headersTimeout: limits.headers_s * 1000,',
    put: 'headersTimeout: 0,',
  },
  {
    name: 'a time-out for bodies',
    check: 'slow-bodies',
    path: 'server/http/body.ts',
    find: 'wall.afterUnreferenced(limit_s * 1000,',
    put: 'wall.afterUnreferenced(1e9,',
  },
  {
    name: 'an end for leftover bodies',
    check: 'slow-strangers',
    path: 'server/http/application.ts',
    find: 'app.use(endLeftoverBodies(options.rooms.wall));',
    put: '',
  },
  {
    name: 'an end for silent connections',
    check: 'slow-readers',
    path: 'server/http/server.ts',
    find: 'endSilentConnections(server);',
    put: '',
  },
  {
    name: 'bounds on what waits for a stream client',
    check: 'deaf-streams',
    path: 'contract/limits.ts',
    find: 'stream_soft_bytes: 128 * 1024,\n  stream_hard_bytes: 1024 * 1024,',
    put: 'stream_soft_bytes: 2 ** 40,\n  stream_hard_bytes: 2 ** 40,',
  },
  {
    name: 'a cap on stream messages',
    check: 'large-message',
    path: 'server/stream/upgrade.ts',
    find: 'maxPayload: limits.stream_message_bytes,',
    put: 'maxPayload: 2 ** 26,',
  },
  {
    name: 'tokens only as hashes at rest',
    check: 'secrets',
    path: 'server/sessions/people.ts',
    find: 'draft.tokens.push({ id, user_id, name, secret_sha256',
    put: 'draft.tokens.push({ id, user_id, name: name + secret, secret_sha256',
  },
  {
    name: 'routes instead of paths in the log',
    check: 'secrets',
    path: 'server/http/request-log.ts',
    find: 'route: routeName(method,',
    put: 'route: request.url + routeName(method,',
  },
  {
    name: 'shutting_down before the end',
    check: 'going-down',
    path: 'server/app.ts',
    find: "core.loop.apply({ kind: 'shut_down' });",
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
    path: 'server/last-resort.ts',
    find: "process.on('uncaughtException', crash);",
    put: '',
  },
  {
    name: 'a report of uncaught rejections',
    check: 'crash-report',
    path: 'server/last-resort.ts',
    find: "process.on('unhandledRejection', crash);",
    put: "process.on('unhandledRejection', () => {});",
  },
  {
    name: 'a clock that no date moves',
    check: 'date-jumps',
    path: 'server/clock/wall-clock.ts',
    find: 'now_ms: () => performance.now(),',
    put: 'now_ms: () => Date.now(),',
  },
  {
    name: 'no inline code on the pages',
    check: 'page-policy',
    path: 'server/http/application.ts',
    find: "'script-src': [\"'self'\"],",
    put: "'script-src': [\"'self'\", \"'unsafe-inline'\"],",
  },
  {
    name: 'work through a password that is not there',
    check: 'log-in-timing',
    path: 'server/sessions/secrets.ts',
    find: 'const [salt, key] = (stored',
    put: 'if (stored === null) return false;\n  const [salt, key] = (stored',
  },
  {
    name: 'few calls at a time to one receiver',
    check: 'hostile-hooks',
    path: 'contract/limits.ts',
    find: 'hook_in_flight_per_host: 4,',
    put: 'hook_in_flight_per_host: 1e9,',
  },
  {
    name: 'addresses that are never called',
    check: 'server/webhooks/addresses.test.ts',
    path: 'server/webhooks/addresses.ts',
    find: 'if (isIn(NEVER, ip)) return',
    put: "if (ip === '') return",
  },
  {
    name: 'an end for replies that never end',
    check: 'hostile-hooks',
    path: 'contract/limits.ts',
    find: 'hook_reply_bytes: 64 * 1024,',
    put: 'hook_reply_bytes: 2 ** 40,',
  },
  {
    name: 'writing beside, never over',
    check: 'server/store/disk-order.test.ts',
    path: 'server/store/durable-file.ts',
    find: 'const beside =',
    put: 'const beside = path; void',
  },
  {
    name: 'a sync before the rename',
    check: 'server/store/disk-order.test.ts',
    path: 'server/store/durable-file.ts',
    find: 'await file.sync();',
    put: '',
  },
  {
    name: 'a sync of the folder before anybody is told',
    check: 'server/store/disk-order.test.ts',
    path: 'server/store/durable-file.ts',
    find: 'await rename(beside, path);\n    await syncFolder(dirname(path));',
    put: 'await rename(beside, path);',
  },
  {
    name: 'acknowledgment only of what is saved',
    check: 'server/toolpaths/killing.test.ts',
    path: 'server/store/database.ts',
    find: 'await this.low.write();',
    put: 'void this.low.write();',
  },
  {
    name: 'memory as before when a save fails',
    check: 'server/store/io-error.test.ts',
    path: 'server/store/database.ts',
    find: 'await this.low.write();\n      this.saved = draft;',
    put: 'this.saved = draft;\n      await this.low.write();',
  },
  {
    name: 'calls for admins alone',
    check: 'server/http/matrix.test.ts',
    path: 'server/http/mount.ts',
    find: "if (this.row.role === 'admin' && identity.caller.role !== 'admin') {",
    put: "if (identity.caller.role === ('none' as string)) {",
  },
  {
    name: "others' toolpaths do not exist",
    check: 'server/http/matrix.test.ts',
    path: 'server/toolpaths/library.ts',
    find: 'return row && row.owner_id === owner_id ? head(row) : null;',
    put: 'return row ? head(row) : null;',
  },
];
