/**
 * Malformed requests, invalid JSON and hostile toolpaths, sent as bytes, and their effect on the
 * control loop.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { IS_TIMED, outcomeOf, type RobustnessCheck } from './check.ts';
import { dial, isValidRejection, quantile } from './raw-connection.ts';
import { type TwinProcess, timedCall, withTwinProcess } from './twin-process.ts';

const FLAGS = ['--driver', 'fast', '--log-level', 'silent'];
const LIMIT_MS = 9000;
/** A client of the documented dialect, and one whose dialect ignores unknown fields. */
const AGENTS = ['checks', 'Automata EvaSDK/4.0.0 (Python)'];
const RUN = '/api/v1/controls/run';

/** Requests with ambiguous or broken framing, as for request smuggling. */
const FRAMING: readonly string[] = [
  'GET /api/versions HTTP/1.1\r\n\r\n',
  'GET /api/versions HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length : 2\r\n\r\n{}',
  'GET /x HTTP/1.1\r\nHost: a\r\n folded: 1\r\n\r\n',
  'GET /x HTTP/1.1\r\nHost: a\r\nA: b\u0000c\r\n\r\n',
  'GET /x HTTP/9.9\r\nHost: a\r\n\r\n',
  'GET\u0000/x HTTP/1.1\r\nHost: a\r\n\r\n',
  `GET /x HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
  `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET /x HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(10_000)}\r\n`,
  'GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET // HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
  'BREW /pot HTCPCP/1.0\r\n\r\n',
  '\r\n\r\n\r\n\u0000\u0000\u0000',
];

/** Invalid JSON: a valid text cut at each character, with each one deleted, and with insertions. */
function brokenTexts(): string[] {
  const good = '{"mode":5,"loop":-1.5e+1,"a":[true,null,"\\u0041\\n"]}';
  const texts = ['', '[', '\u0000', '{"a":1}}', '"\\ud800', '[1,]', '{"a":NaN}', "{'a':1}"];
  for (let at = 1; at < good.length; at++) {
    texts.push(good.slice(0, at), good.slice(0, at) + good.slice(at + 1));
  }
  const bad = ['\ufffe', '/**/', '0x1', ',,', '::', '+1', '.5', '1.', '{]', '[}'];
  for (let at = 0; at < good.length; at += 3) {
    for (const piece of bad) texts.push(good.slice(0, at) + piece + good.slice(at));
  }
  return texts;
}

/** Valid JSON with an attack: deep nesting, huge and hostile keys. */
function hostileTexts(): string[] {
  const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const beside = (value: string) => `{"mode":"teach","loop":1,"beside":${value}}`;
  return [
    ...[64, 30_000].map((levels) => beside(nest(levels))),
    ...['__proto__', 'constructor', 'prototype'].map((key) => beside(`{"${key}":1}`)),
    ...[65, 1000, 5000, 30_000].map(nest),
    '['.repeat(60_000),
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    `{"${'k'.repeat(60_000)}":1}`,
    `{${Array.from({ length: 4000 }, () => '"a":1').join(',')}}`,
    ...['__proto__', 'constructor', 'prototype'].map((key) => `{"loop":{"${key}":{"x":1}}}`),
    `{"loop":1e${'9'.repeat(1000)}}`,
    `{"loop":${'9'.repeat(60_000)}}`,
  ];
}

async function unrejectedBodies(program: TwinProcess, texts: readonly string[]) {
  const session = await program.arm.session();
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
  const wrong: string[] = [];
  for (const agent of AGENTS) {
    for (const body of texts) {
      const given = { method: 'POST', headers: { ...headers, 'User-Agent': agent }, body };
      const reply = await fetch(program.url + RUN, given);
      const got = (await reply.json().catch(() => null)) as { error?: { error_code?: number } };
      const proper = reply.status === 400 && got?.error?.error_code === 8;
      if (!proper) wrong.push(`${reply.status} for ${body.slice(0, 20)}`);
    }
  }
  return wrong;
}

const LATENESS_MS = 4;
/** After this time the metric contains no ticks of the start-up (ms). */
const WINDOW_MS = 8500;

function bodyCheck(id: string, fault: string, texts: () => string[]): RobustnessCheck {
  return {
    id,
    fault,
    goal: '400 with code 8 for each, and the process keeps running',
    in: 'npm test',
    run: () =>
      withTwinProcess(FLAGS, async (program) => {
        const all = texts();
        const wrong = await unrejectedBodies(program, all);
        return outcomeOf(
          `${all.length} bodies in 2 dialects, ${wrong.length} not rejected correctly`,
          {
            [`rejected: ${wrong.slice(0, 3).join('; ')}`]: wrong.length === 0,
            alive: (await fetch(`${program.url}/readyz`)).ok,
          },
        );
      }),
  };
}

const framing: RobustnessCheck = {
  id: 'framing',
  fault: 'framing attacks over raw sockets',
  goal:
    '4xx in the error format or a closed connection, never a second reply; ' +
    `tick lateness p99 at most ${LATENESS_MS} ms`,
  in: 'npm test',
  run: () =>
    withTwinProcess(FLAGS, async (program) => {
      if (IS_TIMED) await wait(WINDOW_MS);
      const replies = await Promise.all(
        FRAMING.map((text) => dial(program.port, text).end(LIMIT_MS)),
      );
      const wrong = replies.filter((one) => !isValidRejection(one));
      const late_ms = 1000 * (await program.metric('armtwin_tick_lateness_p99_seconds'));
      return outcomeOf(
        `${FRAMING.length} attacks, ${wrong.length} not rejected; ` +
          `tick lateness p99 ${late_ms.toFixed(1)} ms`,
        {
          [`rejected: ${wrong.map((one) => one.slice(0, 60)).join(' | ')}`]: wrong.length === 0,
          alive: (await fetch(`${program.url}/readyz`)).ok,
          ...(IS_TIMED && { 'lateness p99 <= 4 ms': late_ms <= LATENESS_MS }),
        },
      );
    }),
};

/** Toolpaths that expand excessively: nested grids, and routines that call each other twice. */
async function bombs(): Promise<Record<string, object>> {
  const path = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
  const good = JSON.parse(await readFile(path, 'utf8'));
  const home = good.timeline[0];
  const square = { type: 'grid', w0: 1, wx: 3, wy: 0 };
  const grid = (side: number, timeline: object[]) => ({
    ...square,
    cols: side,
    rows: side,
    timeline,
  });
  const move = { type: 'grid-waypoint', z_offset: 0.01 };
  const call = (index: number) => ({ type: 'call-routine', routine: `r${index}` });
  const routines = Array.from({ length: 40 }, (_, index) => ({
    name: `r${index}`,
    timeline: [call(index + 1), call(index + 1)],
  }));
  routines.push({ name: 'r40', timeline: [good.timeline[1]] });
  const nested = grid(100, [move, grid(100, [move, grid(100, [move])])]);
  return {
    'grids in grids': { ...good, timeline: [home, nested] },
    'a grid of 10,100 cells': { ...good, timeline: [home, { ...grid(101, [move]), rows: 100 }] },
    'a grid of 1e12 cells': { ...good, timeline: [home, grid(1_000_000, [move])] },
    'routines that double 40 times': { ...good, timeline: [home, call(0)], routines },
  };
}

/** The first call includes JIT compilation, so the median measures the cost of an attack. */
const BOMB_TRIES = 5;

const bombCheck: RobustnessCheck = {
  id: 'toolpath-bombs',
  fault: 'toolpaths that expand excessively: grids in grids, routines that double',
  goal: 'each rejected in less than 200 ms',
  in: 'npm test',
  run: () =>
    withTwinProcess(FLAGS, async (program) => {
      const session = await program.arm.session();
      const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
      const slowest = { name: '', ms: 0 };
      let first_ms = 0;
      const passed: string[] = [];
      for (const [name, toolpath] of Object.entries(await bombs())) {
        const body = JSON.stringify({ toolpath });
        const times_ms = [];
        for (let tries = 0; tries < BOMB_TRIES; tries++) {
          const url = `${program.url}/api/v1/toolpath/calc`;
          const given = { method: 'PUT', headers, body };
          const { status, text, duration_ms } = await timedCall(url, given);
          times_ms.push(duration_ms);
          const refused = status === 400 && /at most/.test(text);
          if (!refused) passed.push(`${name}: ${text.slice(0, 60)}`);
        }
        const ms = quantile(times_ms, 0.5);
        first_ms = Math.max(first_ms, times_ms[0] ?? 0);
        if (ms > slowest.ms) Object.assign(slowest, { name, ms });
      }
      return outcomeOf(
        `slowest ${slowest.name}, median ${slowest.ms.toFixed(0)} ms, first call of all ` +
          `${first_ms.toFixed(0)} ms`,
        {
          [`rejected: ${passed.join('; ').slice(0, 200)}`]: passed.length === 0,
          '< 200 ms': slowest.ms < 200,
        },
      );
    }),
};

const locks: RobustnessCheck = {
  id: 'lock-race',
  fault: '50 simultaneous lock requests',
  goal: 'exactly one succeeds, 49 are rejected with code 3',
  in: 'npm test',
  run: () =>
    withTwinProcess(FLAGS, async (program) => {
      const headers = { Authorization: `Bearer ${await program.arm.session()}` };
      const url = `${program.url}/api/v1/controls/lock`;
      const take = async () => {
        const reply = await fetch(url, { method: 'POST', headers });
        const { error } = (await reply.json().catch(() => ({}))) as { error?: { error_code: 3 } };
        return reply.ok ? 'taken' : `${reply.status}/${error?.error_code}`;
      };
      const got = await Promise.all(Array.from({ length: 50 }, take));
      const taken = got.filter((one) => one === 'taken').length;
      const refused = got.filter((one) => one === '403/3').length;
      return outcomeOf(`${taken} taken, ${refused} rejected`, {
        'exactly one': taken === 1 && refused === 49,
      });
    }),
};

export const malformedRequestChecks: readonly RobustnessCheck[] = [
  framing,
  bodyCheck('malformed-json', 'malformed JSON', brokenTexts),
  bodyCheck('hostile-json', 'deep nesting, huge, duplicate and hostile keys', hostileTexts),
  bombCheck,
  locks,
];
