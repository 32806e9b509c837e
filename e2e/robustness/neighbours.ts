/**
 * Noisy neighbours over HTTP: one plain user takes all of a shared capacity and goes on, another makes
 * the same kind of call, the lock holder loads a toolpath, and an admin logs in by password. Prints a
 * row for each; exits with 1 where a bystander is served less than nine times in ten.
 *
 * `npm run check neighbours`; ARMTWIN_MAIN names another built program to compare with.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { killTwinProcesses, startTwinProcess, TOKEN, type TwinProcess } from './twin-process.ts';

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

interface Caller {
  readonly session: string;
  readonly agent: Agent;
}

const PASSWORD = 'long enough for anyone';
const TOOLPATH = JSON.parse(readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8'));
const SERVED = 0.9;

function send(
  twin: TwinProcess,
  as: Caller | null,
  call: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const [method, path] = call.split(' ');
  const text = body === undefined ? undefined : JSON.stringify(body);
  const began_ms = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, reply = '') =>
      resolve({ status, text: reply, ms: performance.now() - began_ms });
    const sent = request(
      {
        ...{ host: '127.0.0.1', port: twin.port, method, path },
        agent: as?.agent ?? false,
        headers: {
          ...(as && { Authorization: `Bearer ${as.session}` }),
          ...(text !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': String(Buffer.byteLength(text)),
          }),
          ...headers,
        },
      },
      (response) => {
        let reply = '';
        response.on('data', (chunk) => {
          reply += chunk;
        });
        response.on('end', () => end(response.statusCode ?? 0, reply));
        response.on('error', () => end(0));
      },
    );
    sent.on('error', () => end(0));
    sent.end(text);
  });
}

async function callerOf(twin: TwinProcess, token: string, sockets = 512): Promise<Caller> {
  const reply = await send(twin, null, 'POST /api/v1/auth', { body: { token } });
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  return { session: JSON.parse(reply.text).token, agent };
}

interface Scene {
  readonly twin: TwinProcess;
  readonly admin: Caller;
  readonly attacker: Caller;
  readonly bystander: Caller;
}

/** A twin with an attacker and a bystander, whose password is known. */
async function opened(flags: readonly string[] = []): Promise<Scene> {
  const twin = await startTwinProcess(['--data', ':memory:', ...flags]);
  const admin = await callerOf(twin, TOKEN);
  const user = async (email: string) => {
    const made = await send(twin, admin, 'POST /api/v1/users', {
      body: { email, password: PASSWORD },
    });
    const { id } = JSON.parse(made.text).user;
    const path = `POST /api/v1/users/${id}/tokens`;
    const { token } = JSON.parse((await send(twin, admin, path, { body: { name: 'it' } })).text);
    return callerOf(twin, token.token ?? token);
  };
  return { twin, admin, attacker: await user('eve@x.org'), bystander: await user('bob@x.org') };
}

const ok = ({ status }: Reply) => status >= 200 && status < 300;
const share = (replies: readonly Reply[]) => replies.filter(ok).length / replies.length;
const slowest = (replies: readonly Reply[]) => Math.max(...replies.map(({ ms }) => ms));
const counts = (replies: readonly Reply[]) => {
  const found = new Map<number, number>();
  for (const { status } of replies) found.set(status, (found.get(status) ?? 0) + 1);
  return [...found].map(([status, count]) => `${count} × ${status || 'closed'}`).join(', ');
};

interface Row {
  readonly attack: string;
  readonly bystander: string;
  readonly served: number;
}

async function inTurn(count: number, call: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let i = 0; i < count; i++) replies.push(await call());
  return replies;
}

/** A toolpath of the fixture that is unlike all others, and long enough to take a while. */
function toolpathOf(seed: number, repeats: number): object {
  const [home, ...rest] = TOOLPATH.timeline;
  const timeline = [home, ...Array.from({ length: repeats }, () => rest).flat()];
  const metadata = { ...TOOLPATH.metadata, default_max_speed: 0.2 + seed / 1e5 };
  return { ...TOOLPATH, metadata, timeline };
}

const ATTACKS: Readonly<Record<string, (scene: Scene) => Promise<Row>>> = {
  async planning({ twin, attacker, bystander }) {
    const calc = (as: Caller, seed: number, repeats: number) =>
      send(twin, as, 'PUT /api/v1/toolpath/calc', {
        body: { toolpath: toolpathOf(seed, repeats) },
      });
    await send(twin, bystander, 'POST /api/v1/controls/lock');
    const flood: Reply[] = [];
    for (let i = 0; i < 135; i++) void calc(attacker, i, 12).then((reply) => flood.push(reply));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const uses = await inTurn(5, () => {
      const toolpath = toolpathOf(5000 + Math.floor(performance.now()), 1);
      return send(twin, bystander, 'POST /api/v1/toolpath/use', { body: { name: 'a', toolpath } });
    });
    const calcs = await inTurn(5, () => calc(bystander, Math.floor(performance.now()), 1));
    const ready = await inTurn(10, () => send(twin, null, 'GET /readyz'));
    const all = [...uses, ...calcs, ...ready];
    return {
      attack: `135 plans; answered meanwhile ${counts(flood)}`,
      bystander: `use ${counts(uses)} ≤ ${slowest(uses).toFixed(0)} ms, calc ${counts(calcs)} ≤ ${slowest(calcs).toFixed(0)} ms, readyz ${counts(ready)}`,
      served: share(all),
    };
  },
  async 'log-ins'({ twin }) {
    const logIn = (email: string, password: string) =>
      send(twin, null, 'POST /api/v1/auth/login', { body: { email, password } });
    let isOn = true;
    const seen: Reply[] = [];
    const flood = Array.from({ length: 60 }, async (_, lane) => {
      for (let i = 0; isOn; i++)
        seen.push(await logIn(`made-up-${lane}-${i}@x.org`, 'guess guess'));
    });
    const right = await inTurn(20, () => logIn('bob@x.org', PASSWORD));
    isOn = false;
    await Promise.all(flood);
    const bystander = `${counts(right)} ≤ ${slowest(right).toFixed(0)} ms`;
    return { attack: counts(seen), bystander, served: share(right) };
  },
  async connections({ twin, attacker, bystander }) {
    const held = Array.from({ length: 460 }, () =>
      send(twin, attacker, 'GET /api/v1/data/snapshot'),
    );
    const first = await Promise.all(held);
    const keep = setInterval(() => {
      for (let i = 0; i < 460; i++) void send(twin, attacker, 'GET /api/v1/data/snapshot');
    }, 1000);
    const fresh = { ...bystander, agent: new Agent({ keepAlive: true, maxSockets: 16 }) };
    const calls = await Promise.all(
      Array.from({ length: 16 }, () => send(twin, fresh, 'GET /api/v1/data/snapshot')),
    );
    clearInterval(keep);
    return { attack: counts(first), bystander: counts(calls), served: share(calls) };
  },
  async bodies({ twin, attacker, bystander }) {
    const large = { name: 'large', toolpath: Array.from({ length: 300_000 }, () => []) };
    const flood: Reply[] = [];
    for (let i = 0; i < 400; i++) {
      const sent = send(twin, attacker, 'POST /api/v1/toolpaths', { body: large });
      void sent.then((reply) => flood.push(reply));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    const saves = await inTurn(10, () =>
      send(twin, bystander, 'POST /api/v1/toolpaths', {
        body: { name: 'mine', toolpath: toolpathOf(Math.floor(performance.now()), 2) },
      }),
    );
    const bystanders = `${counts(saves)} ≤ ${slowest(saves).toFixed(0)} ms`;
    const attack = `400 bodies; answered meanwhile ${counts(flood)}`;
    return { attack, bystander: bystanders, served: share(saves) };
  },
  async bytes({ twin, attacker, bystander }) {
    const replies: Reply[] = [];
    for (let i = 0; i < 394; i++) {
      const toolpath = toolpathOf(i, 1) as { waypoints: object[] };
      const many = Array.from({ length: 9_000 }, (_, k) => ({
        ...(toolpath.waypoints[0] as object),
        id: 100 + k,
      }));
      const saved = { ...toolpath, waypoints: [...toolpath.waypoints, ...many] };
      replies.push(
        await send(twin, attacker, 'POST /api/v1/toolpaths', {
          body: { name: `t${i}`, toolpath: saved },
        }),
      );
      // Once refused, a few more tries show that it stays so.
      if (replies.at(-6)?.status === 507 || replies.at(-1)!.status === 0) break;
    }
    const memory_mb = await twin.memory_mb().catch(() => Number.NaN);
    const saves = await inTurn(10, () =>
      send(twin, bystander, 'POST /api/v1/toolpaths', {
        body: { name: 'mine', toolpath: toolpathOf(Math.floor(performance.now()), 1) },
      }),
    );
    return {
      attack: `${counts(replies)}; resident ${memory_mb.toFixed(0)} MB`,
      bystander: counts(saves),
      served: share(saves),
    };
  },
  async hooks({ twin, attacker, bystander }) {
    const sockets: Socket[] = [];
    const hanging = Array.from({ length: 40 }, () =>
      createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0),
    );
    let heard = (_ms: number) => {};
    const receiver = createServer((socket) => {
      heard(performance.now());
      socket.on('error', () => {});
      socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
    }).listen(0);
    const portOf = (server: ReturnType<typeof createServer>) =>
      (server.address() as { port: number }).port;
    const test = (as: Caller, port: number) =>
      send(twin, as, 'POST /workflow/v1/webhooks/test', {
        body: { url: `http://127.0.0.1:${port}/` },
      });
    for (let i = 0; i < 5; i++) {
      await Promise.all(hanging.map((server) => test(attacker, portOf(server))));
    }
    const times: Reply[] = [];
    for (let i = 0; i < 5; i++) {
      const began_ms = performance.now();
      const arrived = new Promise<number>((resolve) => {
        heard = resolve;
        setTimeout(() => resolve(Number.POSITIVE_INFINITY), 20_000);
      });
      const reply = await test(bystander, portOf(receiver));
      const ms = (await arrived) - began_ms;
      times.push({ ...reply, status: ms < 3000 ? reply.status : 504, ms });
    }
    for (const socket of sockets) socket.destroy();
    for (const server of [...hanging, receiver]) server.close();
    const text = `${counts(times)} within 3 s, ≤ ${slowest(times).toFixed(0)} ms`;
    return {
      attack: '200 deliveries to 40 hanging addresses',
      bystander: text,
      served: share(times),
    };
  },
  async 'guesses behind a proxy'({ twin }) {
    const from = (address: string, password: string) =>
      send(twin, null, 'POST /api/v1/auth/login', {
        body: { email: 'bob@x.org', password },
        headers: { 'X-Forwarded-For': address },
      });
    const guesses = await inTurn(12, () => from('203.0.113.9', 'a wrong guess'));
    const right = await inTurn(5, () => from('203.0.113.10', PASSWORD));
    return { attack: counts(guesses), bystander: counts(right), served: share(right) };
  },
};

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'guesses behind a proxy': ['--trust-proxy', '127.0.0.1'],
};

const chosen = process.argv.slice(2);
let failed = 0;
for (const [name, attack] of Object.entries(ATTACKS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const isOld = process.env['ARMTWIN_MAIN'] !== undefined;
  const scene = await opened(isOld ? [] : FLAGS[name]);
  const row = await attack(scene).catch((error: unknown) => ({
    ...{ attack: 'broke off', bystander: String(error), served: 0 },
  }));
  if (row.served < SERVED) failed += 1;
  const percent = (100 * row.served).toFixed(0);
  console.log(`| ${name} | ${row.attack} | ${row.bystander} | ${percent} % |`);
  scene.twin.signal('SIGKILL');
}
killTwinProcesses();
console.log(`${Object.keys(ATTACKS).length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
