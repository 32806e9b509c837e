/**
 * The protections, one row each: where it stands, what the source is without it, and which check of
 * e2e/hard must then fail.
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
];
