/**
 * What one plain user can take of what all share, each with the call of the same kind that another
 * user makes meanwhile: a row for each scenario, in the order of docs/evidence/reliability.md.
 */
import { Agent } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { sampleWorkflow } from '../../conformance/samples/sample-workflow.ts';
import {
  BYSTANDER_EMAIL,
  type Caller,
  isOk,
  logIn,
  made,
  newToolpath,
  PASSWORD,
  type Reply,
  send,
  sleep,
  type Users,
} from './scene.ts';

/** A user's taking, while it goes on. */
export interface Taking {
  /** The answers so far. */
  readonly replies: readonly Reply[];
  /** Ends it, and resolves when its last calls are answered. */
  stop(): Promise<void>;
}

export interface Attack {
  readonly flags?: readonly string[];
  /** Calls of the bystander. */
  readonly calls: number;
  /** What the bystander's call takes beside its answer, such as the arrival of a delivery. */
  readonly what: string;
  /** What the bystander has before; the function tells whether it is still there. */
  prepare?(scene: Users): Promise<() => Promise<boolean>>;
  /** Begins; resolves when all that can be taken is taken. */
  begin(scene: Users): Promise<Taking>;
  /** A call of the bystander. */
  call(scene: Users, count: number): Promise<Reply>;
  /** What an admin sees and can end, where it is something that lasts; the reply of the end. */
  actAsAdmin?(scene: Users): Promise<Reply>;
}

/** Makes calls in a number of lanes, over and over until `stop`, or `count` in all. */
function repeatedly(
  lanes: number,
  call: (index: number) => Promise<Reply>,
  count = Number.POSITIVE_INFINITY,
): Taking & { readonly done: Promise<void> } {
  const replies: Reply[] = [];
  let isOn = true;
  let index = 0;
  const lane = async () => {
    while (isOn && index < count) {
      const reply = await call(index++);
      replies.push(reply);
      // One who is refused asks again at once, but lets others of this process speak.
      if (!isOk(reply)) await sleep(5);
    }
  };
  const done = Promise.all(Array.from({ length: lanes }, lane)).then(() => {});
  return {
    replies,
    done,
    async stop() {
      isOn = false;
      await done;
    },
  };
}

/** Whether a reply says that a share is used up. */
export const isBeyondShare = ({ status }: Reply) => status === 429 || status === 507;

/** Waits until a share is used up, the process is dead, or for so long at most. */
async function untilRefused({ replies }: Taking, limit_ms: number): Promise<void> {
  const end_ms = performance.now() + limit_ms;
  const isOver = (reply: Reply) => isBeyondShare(reply) || reply.status === 0;
  while (performance.now() < end_ms && !replies.some(isOver)) await sleep(50);
}

/** More than a twin has for all. */
const CONNECTIONS = 1000;

const calc = ({ twin }: Users, as: Caller, repeats: number) =>
  send(twin, as, 'PUT /api/v1/toolpath/calc', { body: { toolpath: newToolpath(repeats) } });

const save = ({ twin }: Users, as: Caller, toolpath: object) =>
  send(twin, as, 'POST /api/v1/toolpaths', { body: { name: 'mine', toolpath } });

/** A toolpath of 0.98 MB. */
export function largeToolpath(): object {
  const toolpath = newToolpath(1);
  const [first] = toolpath.waypoints;
  const joints = first!.joints.map((angle) => angle + 1.23456e-5);
  const many = Array.from({ length: 7500 }, (_, i) => ({ ...first, joints, label_id: 1000 + i }));
  return { ...toolpath, waypoints: [...toolpath.waypoints, ...many] };
}

/** Whether the toolpath that the bystander saves now is there later. */
async function keepToolpath(scene: Users): Promise<() => Promise<boolean>> {
  const { twin, bystander } = scene;
  const { toolpath } = made<{ toolpath: { id: number } }>(
    await save(scene, bystander, newToolpath(1)),
  );
  return async () => isOk(await send(twin, bystander, `GET /api/v1/toolpaths/${toolpath.id}`));
}

async function workflowOf({ twin }: Users, as: Caller, urls: readonly string[]): Promise<number> {
  const type = 'RunStateChangeHook' as const;
  const body = sampleWorkflow({ hooks: urls.map((url) => ({ type, parameters: { url } })) });
  const reply = await send(twin, as, 'POST /workflow/v1/workflows', { body });
  return made<{ workflow: { id: number } }>(reply).workflow.id;
}

const start = ({ twin }: Users, as: Caller, workflow: number) =>
  send(twin, as, `POST /workflow/v1/workflows/${workflow}/runs`, {
    body: { simulate_drivers: true },
  });

const runIn = (reply: Reply) => made<{ run: { id: number } }>(reply).run.id;

/** Starts a run and stops it; the reply of what fails, or the last. */
async function startAndStop(scene: Users, as: Caller, workflow: number): Promise<Reply> {
  const started = await start(scene, as, workflow);
  if (!isOk(started)) return started;
  const path = `POST /workflow/v1/runs/${runIn(started)}/stop`;
  const stopped = await send(scene.twin, as, path);
  return { ...stopped, ms: started.ms + stopped.ms };
}

/** Servers that are never answered by, or that answer at once; `heard` is called for each request. */
class Receivers {
  readonly ports: readonly number[];
  private readonly sockets: Socket[] = [];
  private readonly servers: readonly ReturnType<typeof createServer>[];
  heard: () => void = () => {};

  private constructor(servers: readonly ReturnType<typeof createServer>[]) {
    this.servers = servers;
    this.ports = servers.map((one) => (one.address() as { port: number }).port);
  }

  static async open(count: number, answers: boolean): Promise<Receivers> {
    const servers = Array.from({ length: count }, () => createServer());
    await Promise.all(
      servers.map((one) => new Promise<void>((open) => one.listen(0, '127.0.0.1', open))),
    );
    const receivers = new Receivers(servers);
    for (const server of servers) {
      server.on('connection', (socket) => {
        receivers.sockets.push(socket.on('error', () => {}));
        if (!answers) return;
        socket.once('data', () => {
          receivers.heard();
          socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
        });
      });
    }
    return receivers;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    for (const server of this.servers) server.close();
  }
}

const testHook = ({ twin }: Users, as: Caller, port: number) =>
  send(twin, as, 'POST /workflow/v1/webhooks/test', {
    body: { url: `http://127.0.0.1:${port}/` },
  });

/** A delivery that arrives within this time is served (ms). */
const ARRIVES_MS = 3000;

let ownReceiver: Promise<Receivers> | null = null;

/** A delivery of the bystander; its time is that until it arrives. */
async function deliver(scene: Users): Promise<Reply> {
  ownReceiver ??= Receivers.open(1, true);
  const receiver = await ownReceiver;
  const began_ms = performance.now();
  const arrived = new Promise<boolean>((resolve) => {
    receiver.heard = () => resolve(true);
    setTimeout(() => resolve(false), ARRIVES_MS);
  });
  const reply = await testHook(scene, scene.bystander, receiver.ports[0]!);
  const isThere = await arrived;
  const status = isOk(reply) && !isThere ? 504 : reply.status;
  return { ...reply, status, ms: performance.now() - began_ms };
}

/** Closes what the bystander's deliveries arrive at. */
export async function closeReceivers(): Promise<void> {
  (await ownReceiver)?.close();
}

/** Workflows of users, by what is to be tried with them. */
const workflows = new WeakMap<Users, Map<Caller, number>>();

async function ownWorkflow(scene: Users, as: Caller): Promise<number> {
  const known = workflows.get(scene) ?? new Map<Caller, number>();
  workflows.set(scene, known);
  const id = known.get(as) ?? (await workflowOf(scene, as, []));
  known.set(as, id);
  return id;
}

/** Whether a stopped run of the bystander is there later. */
async function keepRun(scene: Users): Promise<() => Promise<boolean>> {
  const { twin, bystander } = scene;
  const started = await start(scene, bystander, await ownWorkflow(scene, bystander));
  const id = runIn(started);
  await send(twin, bystander, `POST /workflow/v1/runs/${id}/stop`);
  return async () => isOk(await send(twin, bystander, `GET /workflow/v1/runs/${id}`));
}

/** How many deliveries of the bystander are listed as delivered. */
async function deliveredOf({ twin, bystander }: Users): Promise<number> {
  const reply = await send(twin, bystander, 'GET /workflow/v1/webhooks/deliveries?state=delivered');
  return isOk(reply) ? made<{ deliveries: unknown[] }>(reply).deliveries.length : 0;
}

/** Whether the delivery that the bystander has made is listed later. */
async function keepDelivery(scene: Users): Promise<() => Promise<boolean>> {
  await deliver(scene);
  while ((await deliveredOf(scene)) === 0) await sleep(20);
  return async () => (await deliveredOf(scene)) > 0;
}

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'pending deliveries': {
    calls: 10,
    what: 'deliveries arrive within 3 s',
    async begin(scene) {
      const { attacker } = scene;
      const dead = Array.from({ length: 100 }, (_, i) => `http://127.0.0.1:9/${i}`);
      const workflow = await workflowOf(scene, attacker, dead);
      const taking = repeatedly(8, () => startAndStop(scene, attacker, workflow));
      await untilRefused(taking, 60_000);
      return taking;
    },
    call: deliver,
  },
  'settled deliveries': {
    calls: 10,
    what: 'deliveries arrive within 3 s',
    prepare: keepDelivery,
    async begin(scene) {
      const receivers = await Receivers.open(1, true);
      const hook = () => testHook(scene, scene.attacker, receivers.ports[0]!);
      const taking = repeatedly(16, hook, 20_100);
      await taking.done;
      return { replies: taking.replies, stop: async () => receivers.close() };
    },
    call: deliver,
  },
  'stored runs': {
    calls: 10,
    what: 'runs start and stop',
    prepare: keepRun,
    async begin(scene) {
      const { attacker } = scene;
      const workflow = await ownWorkflow(scene, attacker);
      const taking = repeatedly(4, () => startAndStop(scene, attacker, workflow), 450);
      await taking.done;
      return taking;
    },
    call: async (scene) =>
      startAndStop(scene, scene.bystander, await ownWorkflow(scene, scene.bystander)),
  },
  planning: {
    calls: 10,
    what: 'calculations',
    async begin(scene) {
      const taking = repeatedly(135, () => calc(scene, scene.attacker, 12));
      await sleep(500);
      return taking;
    },
    call: (scene) => calc(scene, scene.bystander, 1),
  },
  'live runs': {
    calls: 10,
    what: 'runs start and stop',
    async begin(scene) {
      const { attacker } = scene;
      const workflow = await ownWorkflow(scene, attacker);
      const taking = repeatedly(8, () => start(scene, attacker, workflow), 205);
      await taking.done;
      return taking;
    },
    call: async (scene) =>
      startAndStop(scene, scene.bystander, await ownWorkflow(scene, scene.bystander)),
    async actAsAdmin({ twin, admin, attacker }) {
      const listed = await send(twin, admin, `GET /workflow/v1/users/${attacker.id}/runs`);
      if (!isOk(listed)) return listed;
      const { runs } = made<{ runs: { id: number; state: string }[] }>(listed);
      const on = runs.find(({ state }) => state !== 'stopped');
      return send(twin, admin, `POST /workflow/v1/runs/${on?.id}/stop`);
    },
  },
  bytes: {
    calls: 10,
    what: 'saves',
    prepare: keepToolpath,
    async begin(scene) {
      const taking = repeatedly(4, () => save(scene, scene.attacker, largeToolpath()), 394);
      await Promise.race([untilRefused(taking, 180_000), taking.done]);
      if (!taking.replies.some(isOk)) throw new Error(taking.replies[0]?.text.slice(0, 200));
      return taking;
    },
    call: (scene) => save(scene, scene.bystander, newToolpath(1)),
  },
  connections: {
    calls: 16,
    what: 'calls over new connections',
    async begin({ twin, attacker }) {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const many = { ...attacker, agent };
      const call = () => send(twin, many, 'GET /api/v1/data/snapshot');
      const { replies, stop } = repeatedly(CONNECTIONS, call);
      await sleep(2000);
      return { replies, stop: () => stop().finally(() => agent.destroy()) };
    },
    call: ({ twin, bystander }) =>
      send(twin, { ...bystander, agent: new Agent() }, 'GET /api/v1/data/snapshot'),
  },
  'guesses behind a proxy': {
    flags: ['--trust-proxy', '127.0.0.1'],
    calls: 5,
    what: 'right log-ins of another client',
    async begin({ twin }) {
      const headers = { 'X-Forwarded-For': '203.0.113.9' };
      const taking = repeatedly(1, () => logIn(twin, BYSTANDER_EMAIL, 'a wrong guess', headers));
      while (taking.replies.length < 12) await sleep(20);
      return taking;
    },
    call: ({ twin }) =>
      logIn(twin, BYSTANDER_EMAIL, PASSWORD, { 'X-Forwarded-For': '203.0.113.10' }),
  },
  'log-ins': {
    calls: 20,
    what: 'right log-ins from the same address',
    async begin({ twin }) {
      const taking = repeatedly(60, (i) =>
        logIn(twin, `made-up-${i}@example.org`, 'a wrong guess'),
      );
      await sleep(500);
      return taking;
    },
    call: ({ twin }) => logIn(twin, BYSTANDER_EMAIL, PASSWORD),
  },
  'hanging receivers': {
    calls: 10,
    what: 'deliveries arrive within 3 s',
    async begin(scene) {
      const hanging = await Receivers.open(40, false);
      const count = hanging.ports.length;
      const taking = repeatedly(
        16,
        (i) => testHook(scene, scene.attacker, hanging.ports[i % count]!),
        5 * count,
      );
      await taking.done;
      return { replies: taking.replies, stop: async () => hanging.close() };
    },
    call: deliver,
  },
  bodies: {
    calls: 10,
    what: 'saves of 7 kB',
    async begin(scene) {
      const toolpath = Array.from({ length: 300_000 }, () => []);
      const taking = repeatedly(260, () => save(scene, scene.attacker, toolpath));
      await sleep(1000);
      return taking;
    },
    call: (scene) => save(scene, scene.bystander, newToolpath(2)),
  },
};
