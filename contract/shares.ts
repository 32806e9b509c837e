/**
 * What all users of a twin share, in one table: each row is a capacity of which an owner takes
 * parts, with what is kept free of any one owner and for whom (docs/decisions/0016-fair-shares.md).
 * docs/reference/limits.md is generated from it.
 */

const MIB = 1024 * 1024;

/** The errors of work, places and bytes beyond a share. */
export type ShareError = 'share_used_up' | 'storage_used_up';

/** The errors of all shares: streams have had one of their own before. */
export type AnyShareError = ShareError | 'too_many_streams';

/** One shared capacity. */
export interface ShareRow<Name extends AnyShareError = AnyShareError> {
  /** What an owner takes, in the plural, as refusals name it. */
  readonly unit: string;
  /** All owners together. */
  readonly total: number;
  /** How much an owner may use of what the others leave: alone on the twin, this part of the total. */
  readonly part: number;
  /** Of the total, what only the holder of the lock may use. */
  readonly forHolder: number;
  /** Of the total, what only admins and the holder of the lock may use. */
  readonly forAdmins: number;
  /** The error that refuses more: too many now, or too many bytes. */
  readonly refusal: Name;
  /** What gives some of it back, for the refusal. */
  readonly remedy: string;
  /** Time after which a client may well try again (s). */
  readonly retry_after_s: number;
}

const WORK = {
  forHolder: 0,
  forAdmins: 0,
  refusal: 'share_used_up',
  remedy: 'try again when some of yours have ended',
  retry_after_s: 1,
} as const;

const STORED = {
  unit: 'bytes stored',
  part: 1 / 2,
  forHolder: 0,
  forAdmins: 0,
  refusal: 'storage_used_up',
  remedy: 'delete toolpaths or workflows of yours, or wait until deliveries of yours are settled',
  retry_after_s: 60,
} as const;

/** Every shared capacity by name. */
export const shares = {
  /** Calls that are answered in one turn of the event loop; the next turn answers more. */
  calls_in_turn: {
    ...WORK,
    unit: 'calls in a turn',
    total: 6,
    part: 1 / 2,
    forHolder: 2,
    forAdmins: 2,
  },
  planning_queue: {
    ...WORK,
    unit: 'plans that wait',
    total: 128,
    part: 7 / 8,
    forHolder: 8,
  },
  /** Webhook deliveries that are not settled; those in memory are few. */
  pending_deliveries: {
    ...WORK,
    unit: 'deliveries that wait',
    total: 200_000,
    part: 3 / 4,
    remedy: 'wait until yours are settled, or delete the hook of a receiver that is gone',
    retry_after_s: 60,
  },
  /** Settled deliveries that stay listed; an owner's oldest goes for the owner's next. */
  finished_deliveries: {
    ...WORK,
    unit: 'settled deliveries',
    total: 40_000,
    part: 1 / 2,
    remedy: 'the oldest of yours are no longer listed',
  },
  /** Connections whose last call had a session; the rest of `connections` is for new ones. */
  connections: {
    ...WORK,
    unit: 'connections',
    total: 480,
    part: 7 / 8,
    forHolder: 8,
    forAdmins: 8,
    remedy: 'close some of yours, or send more calls over each',
  },
  /** Open streams of a kind; each user gets a first one beyond it. */
  streams: {
    ...WORK,
    unit: 'streams of a kind',
    total: 264,
    part: 1 / 2,
    forAdmins: 8,
    refusal: 'too_many_streams',
    remedy: 'close one of yours first',
    retry_after_s: 10,
  },
  /** Bodies that are read on the document thread. */
  document_thread: { ...WORK, unit: 'bodies that are read', total: 1, part: 1 },
  document_queue: {
    ...WORK,
    unit: 'bodies that wait to be read',
    total: 320,
    part: 7 / 8,
    forHolder: 16,
  },
  /** Password checks, by account; accounts that do not exist are one. */
  password_checks: { ...WORK, unit: 'password checks', total: 2, part: 1 },
  password_queue: {
    ...WORK,
    unit: 'log-ins of an account that wait',
    total: 72,
    part: 1 / 2,
    forAdmins: 8,
  },
  log_in_addresses: {
    ...WORK,
    unit: 'log-ins of an address that wait',
    total: 136,
    part: 1 / 2,
    forAdmins: 8,
  },
  /** Kept runs that are replayed beside the twin, each on a thread of its own. */
  run_replays: { ...WORK, unit: 'runs that are replayed', total: 1, part: 1 },
  run_replay_queue: { ...WORK, unit: 'replays that wait', total: 24, part: 1 / 2, forAdmins: 4 },
  /** Plans of workflows, which take turns on the thread of the control loop. */
  workflow_plans: {
    ...WORK,
    unit: 'workflow plans that are made',
    total: 6,
    part: 1 / 2,
  },
  workflow_plan_queue: {
    ...WORK,
    unit: 'workflow plans that wait',
    total: 128,
    part: 7 / 8,
  },
  /** Workflow runs that have not ended. */
  live_runs: {
    ...WORK,
    unit: 'runs that are on',
    total: 200,
    part: 1 / 2,
    remedy: 'stop one of yours, or wait until one has ended',
    retry_after_s: 10,
  },
  /** Workflow runs in the archive; an owner's oldest stopped one goes for the owner's next. */
  stored_runs: {
    ...WORK,
    unit: 'runs in the archive',
    total: 400,
    part: 1 / 2,
    remedy: 'stop one of yours: a stopped run makes room for the next',
    retry_after_s: 10,
  },
  /** What users store in a twin without a data folder: its memory. */
  stored_in_memory: { ...STORED, total: 192 * MIB },
  /** What users store in a data folder. */
  stored_on_disk: { ...STORED, total: 4096 * MIB },
  /** Receivers that are remembered as gone; an owner's oldest is forgotten for the owner's next. */
  disabled_hooks: {
    ...WORK,
    unit: 'receivers that are gone',
    total: 2_000,
    part: 1 / 2,
    remedy: 'the oldest of yours is forgotten',
  },
  hook_in_flight: {
    ...WORK,
    unit: 'webhook requests in flight',
    total: 48,
    part: 2 / 3,
  },
  /** Calls with safety events, which have places of their own. */
  safety_hooks_in_flight: {
    ...WORK,
    unit: 'webhook requests with safety events in flight',
    total: 24,
    part: 2 / 3,
  },
  hook_dns_lookups: {
    ...WORK,
    unit: 'name look-ups of receivers',
    total: 2,
    part: 1 / 2,
  },
  planning_threads: {
    ...WORK,
    unit: 'plans that are made',
    total: 4,
    part: 3 / 4,
    forHolder: 1,
  },
} as const satisfies Readonly<Record<string, ShareRow>>;

/** The name of a shared capacity. */
export type ShareName = keyof typeof shares;

/** What an owner may use alone: on a twin that nobody else uses (`total` of a row, as a number). */
export function shareAlone({ total, part, forHolder, forAdmins }: ShareRow): number {
  return Math.max(1, Math.floor(part * (total - forHolder - forAdmins)));
}

export const BYTES_PER_MIB: number = MIB;
