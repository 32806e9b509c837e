/**
 * Lives of a twin whose arm carries labware, each ended by a kill in another phase of a carry.
 * After each start everything that had begun is closed, and a run goes on from the deck. Test code.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ArmClient, connect } from '../../contract/client.ts';
import type { RunDetails, RunEvent } from '../../contract/types.generated.ts';
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import type { RoundResult } from '../../server/rounds.cases.ts';
import { PROGRAM, startService, TOKEN } from '../../server/service/http/service-process.cases.ts';
import {
  openReceiver,
  type Received,
  type Receiver,
} from '../../server/webhooks/receiver.cases.ts';
import { roundTrips, runEventText } from './assay.cases.ts';
import { deckContradictions, EventMonitor } from './event-monitor.cases.ts';

/** Where the kill falls: while the arm does something, or behind a call or an event. */
const PHASES = [
  ...(['start', 'fetch', 'grip', 'carry', 'release', 'return', 'work'] as const),
  ...(['pause', 'resume', 'stop', 'estop', 'abort', 'acknowledged'] as const),
];
type Phase = (typeof PHASES)[number];

const PLATES = 2;
const LIVES = 4;
/** Longest twin time until a phase begins (s), and step of the search for it. */
const SEARCH_S = 200;
const STEP_S = 0.5;
/** Longest time from the last call to the kill (ms). */
const LAST_MS = 40;
const ENOUGH_S = 2000;

const ignore = () => {};

function phaseOf({ moves, labware, tasks }: RunDetails): Phase | null {
  const open = moves.find(({ arm_ended_at_s }) => arm_ended_at_s === null);
  if (!open) return tasks.some(({ state }) => state === 'running') ? 'work' : null;
  const place = labware.find(({ labware_id }) => labware_id === open.labware_id);
  if (!place?.instrument_id) return 'carry';
  return place.instrument_id === open.source_instrument_id ? 'fetch' : 'return';
}

class KilledLives {
  readonly violations: string[] = [];
  readonly counts: Record<string, number> = { lives: 0, runs: 0, events: 0 };
  /** The events of each run that a client has seen. */
  private readonly seen = new Map<number, readonly RunEvent[]>();
  private workflow_id = 0;
  private arm!: ArmClient;
  private readonly data: string;
  private readonly receiver: Receiver;
  private readonly random: Prng;

  constructor(data: string, receiver: Receiver, random: Prng) {
    [this.data, this.receiver, this.random] = [data, receiver, random];
  }

  private require(holds: boolean, text: string): void {
    if (!holds) this.violations.push(text);
  }

  private async open() {
    const files = { main: PROGRAM, data: this.data, clock: 'stepped' as const };
    const service = await startService(files, 'write');
    this.arm = connect({ baseUrl: service.url, token: TOKEN });
    return service;
  }

  private async runIds(): Promise<number[]> {
    const { runs } = await this.arm.listRuns();
    return runs.map(({ id }) => id).sort((a, b) => a - b);
  }

  /** Remembers what a client can see of a run. */
  private async look(run_id: number): Promise<RunDetails> {
    const [{ events }, { run }] = [
      await this.arm.listRunEvents({ run_id }),
      await this.arm.getRun({ run_id }),
    ];
    this.seen.set(run_id, events);
    return run;
  }

  /** What the twin has after a kill agrees with itself and with all that was seen before. */
  private async check(): Promise<void> {
    const starts = new Map(
      Array.from({ length: PLATES }, (_, i) => [`plate_${i + 1}`, `hotel/${i + 1}`] as const),
    );
    const capacities = new Map(['dispenser', 'washer', 'hotel'].map((id) => [id, 3] as const));
    const monitor = new EventMonitor({ starts, capacities });
    const ids = await this.runIds();
    const lists: (readonly RunEvent[])[] = [];
    for (const run_id of ids) {
      const before = this.seen.get(run_id) ?? [];
      const { state, tasks } = await this.look(run_id);
      const events = this.seen.get(run_id)!;
      const isKept = JSON.stringify(events.slice(0, before.length)) === JSON.stringify(before);
      this.require(isKept, `run ${run_id} lost or changed events that were seen`);
      this.require(state === 'stopped', `run ${run_id} is ${state} after the kill`);
      const running = tasks.filter((task) => task.state === 'running').map(({ id }) => id);
      this.require(running.length === 0, `run ${run_id}: ${running} run for ever`);
      lists.push(events);
    }
    lists.forEach((list, run) => {
      monitor.takeAll(lists.map((one, other) => (other === run ? list : one.slice(0, 0))));
    });
    const [workcell] = (await this.arm.listWorkcells()).workcells;
    if (workcell && ids.length > 0) {
      const { deck } = await this.arm.getDeck({ workcell_id: workcell.id });
      if (lists.some((list) => list.length > 2)) {
        this.violations.push(...deckContradictions(deck, [...starts.keys()]));
        monitor.end(deck);
      }
    }
    this.violations.push(...monitor.faults);
  }

  private start() {
    const { workflow_id } = this;
    const continue_run_id = [...this.seen.keys()].sort((a, b) => a - b).at(-1);
    return this.arm.startRun({ workflow_id }, continue_run_id ? { continue_run_id } : {});
  }

  /** Advances until a phase of a carry has begun; a run that ends meanwhile is as good. */
  private async until(run_id: number, phase: Phase): Promise<void> {
    for (let passed = 0; passed < SEARCH_S; passed += STEP_S) {
      const run = await this.look(run_id);
      if (phaseOf(run) === phase || run.state === 'stopped') return;
      await this.arm.advanceClock({ seconds: STEP_S });
    }
  }

  /** Resolves once a webhook says so, or after a while. */
  private notified(text: string): Promise<unknown> {
    const known = this.receiver.received.length;
    const isMeant = (call: Received) =>
      this.receiver.received.indexOf(call) >= known && call.text.includes(text);
    return Promise.race([this.receiver.until(isMeant), wait(3000)]);
  }

  /** Comes to the phase; returns the call that is on its way while the process is killed. */
  private async approach(run_id: number, phase: Phase): Promise<() => Promise<unknown>> {
    const { arm, random } = this;
    const run = { run_id };
    const advance = () => arm.advanceClock({ seconds: 0.1 + 4 * random() });
    const isEvent = phase === 'grip' || phase === 'release';
    const isMotion = ['fetch', 'carry', 'return', 'work'].includes(phase);
    const places: readonly Phase[] = ['fetch', 'carry', 'return', 'work'];
    const place = places[Math.floor(random() * places.length)]!;
    const before: Phase = phase === 'grip' ? 'fetch' : phase === 'release' ? 'carry' : place;
    await this.until(run_id, isMotion ? phase : before);
    if (phase === 'resume' || phase === 'abort') {
      await arm.pauseRun(run, { immediate: true }).catch(ignore);
      await arm.advanceClock({ seconds: 1 });
      await this.look(run_id);
    }
    if (phase === 'acknowledged') {
      await advance();
      await this.look(run_id);
    }
    if (isEvent) {
      const heard = this.notified(phase === 'grip' ? '"started"' : '"finished"');
      void arm.advanceClock({ seconds: 30 }).catch(ignore);
      await heard;
      return async () => {};
    }
    if (isMotion) return advance;
    const last: { readonly [Name in Phase]?: () => Promise<unknown> } = {
      pause: () => Promise.all([arm.pauseRun(run, { immediate: random() < 0.5 }), advance()]),
      resume: () => Promise.all([arm.resumeRun(run), advance()]),
      stop: () => arm.stopRun(run),
      estop: () => Promise.all([arm.setEmergencyStop({ engaged: true }), advance()]),
      abort: () => arm.abortLabware(run, { labware_id: 'plate_1' }),
    };
    return last[phase] ?? (async () => {});
  }

  /** One life of the process, which ends with a kill in a phase. */
  async live(phase: Phase): Promise<void> {
    const { child } = await this.open();
    if (this.workflow_id === 0) {
      const { workflow } = await this.arm.createWorkflow(roundTrips([1, 2], this.receiver.url));
      this.workflow_id = workflow.id;
    } else await this.check();
    const started = this.start();
    let last: Promise<unknown> = started;
    if (phase !== 'start') {
      const refused = await started.then(
        () => null,
        (error: unknown) => String(error),
      );
      if (refused !== null) this.violations.push(`the run cannot go on: ${refused}`);
      else last = (await this.approach((await started).run.id, phase))();
    }
    last.catch(ignore);
    const isLong = phase === 'start';
    if (phase !== 'acknowledged') await wait(this.random() * LAST_MS * (isLong ? 10 : 1));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    this.counts['lives']! += 1;
    this.counts[phase] = (this.counts[phase] ?? 0) + 1;
  }

  /** The last life: the work is done, and the receiver has each event once or again the same. */
  async finish(): Promise<void> {
    const { child } = await this.open();
    await this.check();
    const { run } = await this.start();
    await this.arm.advanceClock({ seconds: ENOUGH_S });
    const { state, message, labware } = await this.look(run.id);
    this.require(message === 'completed', `the last run is ${state}: ${message}`);
    const places = labware.map((one) => `${one.instrument_id}/${one.slot}`).join(' ');
    this.require(places === 'hotel/1 hotel/2', `the plates end in ${places}`);
    this.counts['runs'] = this.seen.size;
    await this.deliveries();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  private async deliveries(): Promise<void> {
    const { received } = this.receiver;
    const wanted = [...this.seen].flatMap(([id, events]) =>
      events.map(({ sequence }) => `${id}/${sequence}`),
    );
    this.counts['events'] = wanted.length;
    const texts = new Map<string, string>();
    const keyOf = ({ headers, text }: Received) =>
      `${(JSON.parse(text) as { run_id: string }).run_id}/${headers['x-hook-sequence']}`;
    const has = () => new Set(received.map(keyOf));
    for (let waited = 0; waited < 200 && wanted.some((key) => !has().has(key)); waited++) {
      await wait(100);
    }
    for (const call of received) {
      const [key, content] = [keyOf(call), `${call.headers['webhook-id']} ${call.text}`];
      this.require((texts.get(key) ?? content) === content, `event ${key} came with two bodies`);
      texts.set(key, content);
    }
    const events = [...this.seen].flatMap(([id, list]) =>
      list.map((event) => [`${id}/${event.sequence}`, event] as const),
    );
    for (const [key, event] of events) {
      const sent = texts.get(key)?.replace(/^\S+ /, '');
      const isSame = sent !== undefined && JSON.stringify(JSON.parse(sent)) === textOf(event);
      this.require(isSame, `event ${key} (${runEventText(event)}) was not sent as it is listed`);
    }
    for (const key of texts.keys()) {
      this.require(wanted.includes(key), `event ${key} was sent and is not listed`);
    }
  }
}

function textOf({ body }: RunEvent): string {
  return JSON.stringify(body);
}

/** A folder with four kills and the end of its work; rounds go through the phases in turn. */
export async function playKilledCarries(round: number): Promise<RoundResult> {
  const data = mkdtempSync(join(tmpdir(), 'kill-carry-'));
  const receiver = await openReceiver();
  const lives = new KilledLives(data, receiver, createPrng(round));
  try {
    for (let life = 0; life < LIVES; life++) {
      await lives.live(PHASES[(LIVES * round + life) % PHASES.length]!);
      if (lives.violations.length > 0) break;
    }
    if (lives.violations.length === 0) await lives.finish();
    const violations = lives.violations.map((text) => `round ${round}: ${text}`);
    return { violations, counts: lives.counts };
  } finally {
    await receiver.close();
    rmSync(data, { recursive: true, force: true });
  }
}
