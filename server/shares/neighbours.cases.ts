/**
 * A neighbour for every shared capacity: how its product part is taken by one owner, so that a test
 * can let a plain user take all they can get and watch another who makes the same call. Test code.
 */
import { limits } from '../../contract/limits.ts';
import { type ShareName, shares } from '../../contract/shares.ts';
import { RunArchive } from '../../scheduler/archive/run-archive.ts';
import { EMPTY_HISTORY } from '../../scheduler/archive/run-history.ts';
import { freePlanning } from '../../scheduler/run/free-planning.cases.ts';
import { CALLER, StartStage } from '../../scheduler/run/start-stage.cases.ts';
import { RunReplayThreads } from '../app/run-replays.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import { PlanningPool } from '../planning/planning-pool.ts';
import { Connection } from '../service/http/connection.ts';
import { Connections } from '../service/http/connections.ts';
import { PasswordChecks } from '../service/sessions/password-checks.ts';
import { openStore } from '../store/open-store.ts';
import { GoneLanes } from '../webhooks/gone-lanes.ts';
import { Outbox } from '../webhooks/outbox.ts';
import { Resolver } from '../webhooks/resolver.ts';
import { CallTurns } from './call-turns.ts';
import type { Claimant } from './claimant.ts';
import type { FairQueue } from './fair-queue.ts';
import type { Share } from './share.ts';
import { StoredBytes } from './stored-bytes.ts';
import { streamRefusal } from './stream-share.ts';

/** A user who takes some. */
export type UserClaimant = Claimant & { readonly owner: number };

/** Places that an owner takes and keeps. */
interface Places {
  readonly kind: 'places';
  /** Takes one more; false when that is refused. */
  take(claimant: UserClaimant): Promise<boolean>;
  /** How many an owner has. */
  has(owner: number): Promise<number>;
}

/** Work that is done in turns. */
interface Turns {
  readonly kind: 'turns';
  /** Does the work when it is its owner's turn; `undefined` when it is refused. */
  run(claimant: UserClaimant, work: () => Promise<true>): Promise<true | undefined>;
  readonly close?: () => Promise<void>;
}

export type Neighbour = Places | Turns;

const turnsOf = (queue: FairQueue<Share | null>): Turns => ({
  kind: 'turns',
  run: async (claimant, work) => {
    const done = await queue.run(claimant, work);
    return done === true ? true : undefined;
  },
});

async function deliveries(state: 'pending' | 'delivered'): Promise<Places> {
  const store = await openStore(':memory:');
  const few = <Row>(row: Row) => ({ ...row, total: 64 });
  const outbox = new Outbox(store, {
    kept: few(shares.finished_deliveries),
    pending: few(shares.pending_deliveries),
  });
  const content = { run_id: '1', sequence: 1, hook_type: 'NewPlanHook' } as const;
  const rest = { url: 'http://127.0.0.1:1/', headers: {}, body: '{}' };
  return {
    kind: 'places',
    async take({ owner: owner_id }) {
      const made = await store.change((draft) =>
        outbox.add(draft, [{ ...content, ...rest, owner_id }]),
      );
      outbox.accept(made);
      const [delivery] = made;
      if (state === 'pending') return delivery!.state === 'pending';
      delivery!.state = 'delivered';
      await outbox.settle(delivery!);
      return (await outbox.find(owner_id, delivery!.id)) !== null;
    },
    async has(owner_id) {
      const found = await outbox.ids(owner_id, { state });
      return found.length;
    },
  };
}

async function storedRuns(): Promise<Places> {
  const archive = new RunArchive(await openStore(':memory:'));
  const rest = { workflow_id: 1, workcell_id: null, name: 'r', message: '', started_at: '' };
  return {
    kind: 'places',
    async take({ owner: owner_id }) {
      if (archive.refusal(owner_id)) return false;
      await archive.create((id) => ({
        head: { ...rest, id, state: 'stopped', stopped_at: '' },
        ...{ owner_id, hooks: [], events: [], history: EMPTY_HISTORY, pausing: false },
      }));
      return true;
    },
    has: async (owner_id) =>
      [...archive.records.values()].filter((one) => one.owner_id === owner_id).length,
  };
}

async function liveRuns(): Promise<Places> {
  const stage = new StartStage();
  const own = (owner_id: number) =>
    [...stage.live.values()].filter((one) => one.owner_id === owner_id).length;
  return {
    kind: 'places',
    async take({ owner }) {
      // A start is judged by the runs that are live; those of this owner stand for more of them.
      const request = stage.request({ simulate_drivers: true });
      const found = await stage.starter.start({
        ...request,
        caller: { ...CALLER, user_id: owner },
      });
      return !('refused' in found);
    },
    has: async (owner) => own(owner),
  };
}

async function connections(): Promise<Places> {
  const { Socket } = await import('node:net');
  const open = new Connections();
  return {
    kind: 'places',
    async take(claimant) {
      const socket = new Socket();
      Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' });
      const connection = new Connection(socket, {
        banner: null,
        linkFaults: null,
        connections: open,
      });
      open.admit(connection);
      if (socket.destroyed) return false;
      const isTaken = connection.claim(claimant) === null;
      if (!isTaken) socket.destroy();
      return isTaken;
    },
    has: async (owner) => open.share.usedBy(owner),
  };
}

async function bytes(name: 'stored_in_memory' | 'stored_on_disk'): Promise<Places> {
  const stored = new StoredBytes(shares[name]);
  const size_bytes = limits.body_toolpath_bytes;
  return {
    kind: 'places',
    async take(claimant) {
      const row = { owner_id: claimant.owner };
      const note = { table: 'workflows', key: 1, row, size_bytes };
      const done = await stored.admit(claimant, size_bytes, async () => {
        stored.note(note, 1);
        return null;
      });
      return done === null;
    },
    has: async (owner) => stored.share.usedBy(owner) / size_bytes,
  };
}

function streams(): Places {
  const open: number[] = [];
  return {
    kind: 'places',
    async take(claimant) {
      const refusal = streamRefusal(claimant, open);
      if (!refusal) open.push(claimant.owner);
      return refusal === null;
    },
    has: async (owner) => open.filter((one) => one === owner).length,
  };
}

function goneReceivers(): Places {
  const lanes = new GoneLanes({ ...shares.disabled_hooks, total: 64 });
  const added: string[] = [];
  return {
    kind: 'places',
    async take({ owner }) {
      const lane = `${owner} run-${added.length} http://127.0.0.1:1`;
      added.push(lane);
      lanes.add(lane);
      return lanes.has(lane);
    },
    has: async (owner) =>
      added.filter((lane) => lane.startsWith(`${owner} `) && lanes.has(lane)).length,
  };
}

function planning(): Turns {
  const pool = new PlanningPool();
  return {
    kind: 'turns',
    async run(claimant, work) {
      const done = await pool.inTurn(claimant, work);
      return done === true ? true : undefined;
    },
    close: () => pool.close(),
  };
}

const documents = () =>
  turnsOf(new DocumentReader({ wall: systemClock, keepsTime: () => true }).queue);
const passwords = () => turnsOf(new PasswordChecks(systemClock).queue);
const replays = () => turnsOf(new RunReplayThreads(true, systemClock).queue);
const resolver = () => turnsOf(new Resolver(systemClock).queue);

/** Capacities whose part of the product is tried elsewhere, by the test that tries it. */
type Elsewhere = string;

/** One for every row of the table of shares: a row without one does not compile. */
export const NEIGHBOURS: {
  readonly [Name in ShareName]: (() => Neighbour | Promise<Neighbour>) | Elsewhere;
} = {
  calls_in_turn: () => turnsOf(new CallTurns(systemClock.soon).queue),
  connections,
  document_thread: documents,
  document_queue: documents,
  run_replays: replays,
  run_replay_queue: replays,
  password_checks: passwords,
  password_queue: passwords,
  log_in_addresses: 'server/service/sessions/password-checks.test.ts',
  workflow_plans: () => turnsOf(freePlanning()),
  workflow_plan_queue: () => turnsOf(freePlanning()),
  live_runs: liveRuns,
  stored_runs: storedRuns,
  pending_deliveries: () => deliveries('pending'),
  finished_deliveries: () => deliveries('delivered'),
  stored_in_memory: () => bytes('stored_in_memory'),
  stored_on_disk: () => bytes('stored_on_disk'),
  streams,
  disabled_hooks: goneReceivers,
  hook_in_flight: 'server/webhooks/calls.test.ts',
  safety_hooks_in_flight: 'server/webhooks/calls.test.ts',
  hook_dns_lookups: resolver,
  planning_queue: planning,
  planning_threads: planning,
};
