/**
 * A deterministic simulation of the whole service, from a seed: a twin on a simulated disk, clock
 * and network, with clients that act at once. Writes fail, wait and are lost with the power; other
 * writers take over; receivers refuse and clients hang up. Everything acknowledged must be there,
 * nothing refused, no number twice, and each receiver gets the events in order. Test code.
 */
import { limits } from '../contract/limits.ts';
import type { Delivery } from '../contract/types.generated.ts';
import { ServiceModel } from './service/http/service-model.cases.ts';
import type { ServiceCall } from './service/http/service-process.cases.ts';
import { SimulatedReceiver, simulateSurroundings } from './service/http/simulated-network.cases.ts';
import { SimulatedLife, turns } from './simulated-life.cases.ts';
import { SimulatedDisk } from './store/simulated-disk.cases.ts';
import { type Epochs, seeded } from './store/store-history.cases.ts';
import { smallToolpath } from './toolpaths/small-toolpath.cases.ts';

const TOKENS = '/api/v1/users/1/tokens';
const TOOLPATHS = '/api/v1/toolpaths';
/** Lives of one seed; most turns and calls of a life, and its clients. */
const LIVES = 2;
const TURNS = 24;
const CALLS = 36;
const CLIENTS = 3;
/** Turns of the event loop that a call of the disk takes: fewer than this. */
const LATENCY_TURNS = 3;
/** Share of the bodies that come in two halves, and most turns between them. */
const SLOW_SHARE = 0.3;
const SLOW_TURNS = 12;
/** Longer than any call may take (ms). */
const LONGER_THAN_CALLS_MS = 200_000;
const DISK_FAULTS = ['write', 'sync', 'create'] as const;

class Simulation {
  readonly model: ServiceModel;
  /** What happened, for the comparison of two runs of a seed. */
  readonly trace: string[] = [];
  private readonly receiver = new SimulatedReceiver();
  private readonly epochs: Epochs = { current: 0, delay_turns: 0 };
  private readonly draw: () => number;
  private disk: SimulatedDisk;
  /** What a guest does in this life. */
  private guest: Promise<void> | null = null;

  constructor(seed: number) {
    this.draw = seeded(seed);
    this.disk = new SimulatedDisk(this.draw);
    this.disk.latency = () => turns(Math.floor(this.draw() * LATENCY_TURNS));
    this.model = new ServiceModel(this.draw, this.receiver);
    this.model.runShare = 0.12;
  }

  /** All lives, then the last comparison. */
  async play(): Promise<void> {
    const restore = simulateSurroundings(this.receiver);
    try {
      for (let life = 0; life < LIVES; life++) await this.life();
      await this.finish();
    } catch (error) {
      // A start that is refused after a power loss, for one.
      this.model.violations.push(`the service failed: ${String(error)}`);
    } finally {
      restore();
    }
  }

  private async life(): Promise<void> {
    const { disk, draw, model } = this;
    const life = new SimulatedLife();
    this.guest = null;
    const call = this.traced(await life.start(disk, this.epochs));
    await model.check(call);
    life.bodyPause = () => (draw() < SLOW_SHARE ? Math.ceil(draw() * SLOW_TURNS) : 0);
    if (draw() < 0.7) disk.calls_left = 5 + Math.floor(draw() * 100);
    let calls_left = 4 + Math.floor(draw() * CALLS);
    let acting = CLIENTS;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (calls_left-- > 0) await model.act(call);
      acting -= 1;
    });
    const isOver = () => disk.calls_left <= 0 || acting === 0;
    for (let turn = 0; turn < TURNS && !isOver(); turn++) await this.turn(life);
    calls_left = 0;
    if (draw() < 0.2) await this.takeOver(call);
    await life.kill(this.receiver);
    await Promise.all([...clients, this.guest]);
    this.disk = this.disk.afterPowerLoss();
  }

  private traced(call: ServiceCall): ServiceCall {
    return async (request, key) => {
      const result = await call(request, key);
      this.trace.push(`${request[0]} ${request[1]} ${result.status}`);
      return result;
    };
  }

  /** Some time passes, and something goes wrong in some turns. */
  private async turn(life: SimulatedLife): Promise<void> {
    const { draw, disk } = this;
    const chance = draw();
    if (chance < 0.06) {
      const step = DISK_FAULTS[Math.floor(draw() * 3)]!;
      disk.fails = { step, count: draw() < 0.7 ? 1 : 4, alsoTruncate: draw() < 0.4 };
    } else if (chance < 0.1) life.hangUp();
    else if (chance < 0.3 && this.guest === null) this.guest = this.revocation(life);
    else if (chance < 0.32) this.guest ??= this.guesses(life);
    else if (chance < 0.36) await this.slowDisk(life);
    else if (chance < 0.46) this.receiver.meeting = this.meeting();
    await turns(1 + Math.floor(draw() * 12));
    if (draw() < 0.3) life.wall.advance(draw() * 1500);
    if (draw() < 0.3) await life.advance(Math.floor(draw() * 1000));
  }

  /** After a token is deleted, nothing happens that its calls had begun. */
  private async revocation(life: SimulatedLife): Promise<void> {
    const { call: admin, enter } = life;
    const { reply } = await admin(['POST', TOKENS, { name: 'guest' }]);
    const { id, token } = (reply ?? {}) as { id?: number; token?: string };
    const guest = token === undefined ? null : await enter(token);
    if (!guest) return;
    const saves = Array.from({ length: 6 }, async (_, i) => {
      await turns(Math.floor(this.draw() * 8));
      return guest(['POST', TOOLPATHS, { name: `guest ${id} ${i}`, toolpath: smallToolpath() }]);
    });
    await turns(Math.floor(this.draw() * 4));
    const { outcome } = await admin(['DELETE', `${TOKENS}/${id}`]);
    const before = life.namesFrom(`guest ${id} `).length;
    await Promise.all(saves);
    const late = life.namesFrom(`guest ${id} `).length - before;
    if (outcome !== 'ok' || late === 0) return;
    this.model.violations.push(`${late} saves after their token was deleted`);
  }

  /** Parallel guesses of a password: as many are checked as one after the other. */
  private async guesses({ stranger }: SimulatedLife): Promise<void> {
    const body = { email: 'admin@example.org', password: 'not the right one' };
    const guessing = Array.from({ length: 3 * limits.failed_log_ins_per_min }, () =>
      stranger(['POST', '/api/v1/auth/login', body]),
    );
    const checked = (await Promise.all(guessing)).filter(({ status }) => status === 401);
    if (checked.length > limits.failed_log_ins_per_min) {
      this.model.violations.push(`${checked.length} guesses of a password were checked`);
    }
  }

  private meeting() {
    const kind = this.draw();
    if (kind < 0.2) return () => 'refused' as const;
    return kind < 0.4 ? () => 500 : () => 204;
  }

  /** The disk stands still for longer than calls may take. */
  private async slowDisk({ wall }: SimulatedLife): Promise<void> {
    const release = this.disk.hold();
    await turns(10);
    wall.advance(LONGER_THAN_CALLS_MS);
    await turns(5);
    release();
  }

  /** Another process takes the folder while this one still writes; it acknowledges nothing more. */
  private async takeOver(late: ServiceCall): Promise<void> {
    const { disk, model } = this;
    if (disk.calls_left !== Number.POSITIVE_INFINITY) return;
    disk.fails = null;
    const next = new SimulatedLife();
    const own = this.traced(await next.start(disk, this.epochs));
    for (let i = 0; i < 3; i++) await model.act(late);
    await model.check(own);
    await next.kill(this.receiver);
  }

  /** Everything that waits is delivered, and all is compared. */
  private async finish(): Promise<void> {
    const { model, receiver } = this;
    receiver.meeting = () => 204;
    const life = new SimulatedLife();
    const call = this.traced(await life.start(this.disk, this.epochs));
    await model.check(call);
    const deliveries = await this.settled(life, call);
    await model.runs.check(call, true);
    this.checkOrder(deliveries);
    await life.kill(receiver);
  }

  private async settled({ wall }: SimulatedLife, call: ServiceCall): Promise<readonly Delivery[]> {
    for (let round = 0; ; round++) {
      const { reply } = await call(['GET', '/workflow/v1/webhooks/deliveries?limit=1000']);
      const { deliveries } = reply as { deliveries: Delivery[] };
      const pending = deliveries.filter(({ state }) => state === 'pending');
      if (pending.length === 0) return deliveries;
      if (round > 400) {
        this.model.violations.push(`delivery ${pending[0]!.id} is not settled`);
        return deliveries;
      }
      await turns(4);
      wall.advance(Math.max(100, wall.next_ms ?? 0));
    }
  }

  /** A receiver gets the bodies of a run in the order of the events. */
  private checkOrder(deliveries: readonly Delivery[]): void {
    const known = new Map(deliveries.map((one) => [one.message_id, one]));
    const last = new Map<number | string, number>();
    const seen = new Set<string>();
    for (const { headers } of this.receiver.received) {
      const id = String(headers['webhook-id']);
      const one = known.get(id);
      if (!one?.run_id || one.sequence === null || seen.has(id)) continue;
      seen.add(id);
      if (one.sequence < (last.get(one.run_id) ?? 0)) {
        this.model.violations.push(`run ${one.run_id}: event ${one.sequence} was received late`);
      }
      last.set(one.run_id, one.sequence);
    }
  }
}

/** Plays one seed; returns violations, counts and what happened. */
export async function simulateService(seed: number) {
  const simulation = new Simulation(seed);
  await simulation.play();
  const { model, trace } = simulation;
  const violations = model.violations.map((text) => `seed ${seed}: ${text}`);
  return { violations, counts: { ...model.counts, runs: model.runs.runs.size }, trace };
}
