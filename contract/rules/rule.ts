/**
 * The types of conformance rules: rule, needs, context (actors, raw requests, events, arm time) and
 * options of a rule run. Also: the assertions of rules.
 */
import type { CallArguments, CallId, CallParts, ReplyOf } from '../client/caller.ts';
import type { StreamSocket } from '../client/event-stream.ts';
import type { ErrorDetails } from '../errors.ts';
import type { Problem } from '../refusal.ts';
import type { Dialect, RouteId } from '../routes.ts';
import type { SchemaId } from '../schemas.ts';
import type { Joints, RobotEvent, SchemaTypes, SimEvent, Snapshot } from '../types.ts';
import { validate } from '../validator.ts';

/** The part of a ws socket that rules use; browser sockets cannot pause. */
export interface RuleSocket extends StreamSocket {
  pause(): void;
  resume(): void;
}

/** The constructor of such a socket; `origin` sets the Origin header. */
export type RuleSocketClass = new (
  url: string,
  protocols: string[],
  options?: { readonly origin?: string },
) => RuleSocket;

/** Options of a rule run. */
export interface RuleRunOptions {
  readonly baseUrl: string;
  /** An API token of an admin, or of an ordinary user where `admin` is false. */
  readonly token: string;
  readonly WebSocket: RuleSocketClass;
  /** Lets arm time pass: waits, or advances the clock of a twin. */
  readonly settle: (duration_s: number) => Promise<void>;
  /** Default documented. */
  readonly dialect?: Dialect;
  /** Whether the token is an admin's; default true. */
  readonly admin?: boolean;
  /** An API token of a second user, for services where users cannot be created. */
  readonly secondToken?: string;
  /** Whether the arm may move; default true. */
  readonly motion?: boolean;
  /** Whether an update may be installed; default false. */
  readonly update?: boolean;
  /** Raw TCP; rules that need it are skipped without it. */
  readonly rawTcp?: RawTcp;
  /** The longest rule to run (s), in arm time or wall time; default 60. */
  readonly ruleLimit_s?: number;
  /** Called after each rule. */
  readonly onResult?: (result: RuleResult) => void;
  /** Called at the end with why the users of the run could not be deleted. */
  readonly onLeftover?: (reason: string) => void;
  /** Stops the run: a rule that waits ends, and the run cleans up after itself. */
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

export interface Precision {
  /** How far joints may move while they stand (rad). */
  readonly drift_rad: number;
  /** How far from its target a motion may end (rad). */
  readonly end_rad: number;
}

export interface RuleResult {
  readonly rule: Rule;
  readonly outcome: 'held' | 'broken' | 'skipped';
  /** The reason why the rule is broken or skipped; else empty. */
  readonly reason: string;
}

/** The API tokens of the actors. */
export interface ActorTokens {
  readonly user: string;
  readonly other: string | null;
  readonly admin: string | null;
}

/** What a rule needs to run. The runner skips a rule whose needs are not met. */
export interface Needs {
  /** The arm may move a little from its current pose. */
  readonly motion?: boolean;
  /** An actor with the role admin. */
  readonly admin?: boolean;
  /** A second ordinary user. */
  readonly secondUser?: boolean;
  /** The simulation control API, /sim/v1. */
  readonly sim?: boolean;
  /** The simulated world around the arm; an arm with servos has none. */
  readonly world?: boolean;
  /** A clock that can be set and advanced; not with a servo bus. */
  readonly pace?: boolean;
  /** A clock that is by itself no faster than real time, or that can be set. */
  readonly realTime?: boolean;
  /** The arm may install an update. */
  readonly update?: boolean;
  /** Arm time that the rule takes (s), if more than a few seconds. */
  readonly armTime_s?: number;
  /** Raw TCP connections and wall time. */
  readonly rawTcp?: boolean;
  /** Wall time that the rule takes (s), if more than 1 s. */
  readonly wallTime_s?: number;
}

/** One statement of the spec with a check that proves it. */
export interface Rule {
  /** Short unique name, such as `lock/taken-once`. */
  readonly id: string;
  /** The ids of the requirements that it proves. */
  readonly requirements: readonly string[];
  /** The endpoints that it covers. */
  readonly routes: readonly RouteId[];
  /** What must hold, in one sentence. */
  readonly statement: string;
  readonly needs?: Needs;
  /** Resolves when the statement holds; rejects with RuleBroken when not. */
  readonly check: (context: RuleContext) => Promise<void>;
}

/** The expected refusal. Absent fields are not checked. */
export interface ExpectedRefusal {
  readonly status: number;
  readonly error_code?: number;
  readonly title?: string;
}

/** The error of an expected refusal. */
export interface SeenRefusal {
  readonly error_code: number;
  readonly title: string;
  readonly details: ErrorDetails;
}

/** A caller with a session. It checks each reply against its row: status, schema, error format. */
export interface Actor {
  readonly session: string;
  /** Calls an endpoint and requires success. */
  does<Id extends CallId>(id: Id, ...given: CallArguments<Id>): Promise<ReplyOf<Id>>;
  /** Calls an endpoint with any body and requires a refusal in the error format. */
  refused(id: CallId, parts: CallParts, expected: ExpectedRefusal): Promise<SeenRefusal>;
}

/** The actors: two ordinary users, an admin, and an anonymous caller without a session. */
export type ActorName = 'user' | 'other' | 'admin' | 'anonymous';

/** A raw HTTP request with any path, headers and text. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; undefined when it is not JSON. */
  readonly body: unknown;
}

/** A raw TCP connection. */
export interface RawConnection {
  send(text: string): void;
  /** All text received so far. */
  received(): string;
  isOpen(): boolean;
  close(): void;
}

/** Raw TCP and wall time, which the runner gets from its host program. */
export interface RawTcp {
  /** Opens a TCP connection to the host of a URL. */
  dial(url: string): RawConnection;
  /** Lets wall time pass. */
  wait(duration_s: number): Promise<void>;
}

/** The events that one actor receives, each validated by its schema. */
export interface StreamListener<Event extends { readonly type: string } = RobotEvent> {
  readonly events: readonly Event[];
  /** Resolves to the first matching event, already received or still to come. */
  received<Type extends Event['type']>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>;
  /** Whether the stream is open. */
  isOpen(): boolean;
  /** Stops reading from the socket, or resumes. */
  pauseReading(paused: boolean): void;
  close(): void;
}

/** The tools of a rule. */
export interface RuleContext {
  readonly expect: Expectation;
  /** How exact the joints of this arm are. */
  readonly precision: Precision;
  /** An actor with its own session for this rule. */
  as(name: ActorName): Promise<Actor>;
  /** The API token of an actor. */
  tokenOf(name: 'user' | 'other' | 'admin'): string;
  raw(request: RawRequest): Promise<RawReply>;
  /** Opens the event stream, optionally with an Origin header. */
  listen(actor: Actor, origin?: string): Promise<StreamListener>;
  /** Opens the stream of simulation events. */
  listenToSim(actor: Actor): Promise<StreamListener<SimEvent>>;
  /** Opens a raw TCP connection and sends a text; closed after the rule. */
  dial(text: string): RawConnection;
  /** Lets wall time pass. */
  wait(duration_s: number): Promise<void>;
  /** Lets arm time pass. */
  settle(duration_s: number): Promise<void>;
  /** Waits in arm time until a probe holds; throws RuleBroken with `what` after the limit (s). */
  until(what: string, probe: () => Promise<boolean>, limit_s?: number): Promise<void>;
  snapshot(): Promise<Snapshot>;
  /** The current pose, and one with joint 1 turned by `turn_rad` toward its middle. */
  poseNearby(turn_rad: number): Promise<{ readonly here: Joints; readonly there: Joints }>;
}

/** The assertions of rules. They do not depend on a test runner, so rules run in any program. */

/** Thrown when a rule is broken; the message is the reason. */
export class RuleBroken extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RuleBroken';
  }
}

interface Expectation {
  ok(holds: boolean, what: string): void;
  /** Equality of JSON values; the order of keys is irrelevant. */
  equal(seen: unknown, wanted: unknown, what: string): void;
  /** Numbers, one by one, within a tolerance. */
  close(seen: readonly number[], wanted: readonly number[], tolerance: number): void;
  /** Validates a value by a schema and returns it with its type. */
  fits<Id extends SchemaId>(id: Id, value: unknown): SchemaTypes[Id];
  fail(reason: string): never;
}

/** JSON text with sorted keys: equal values have equal texts. */
export function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (item === null || typeof item !== 'object' || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function fail(reason: string): never {
  throw new RuleBroken(reason);
}

function formatProblems(problems: readonly Problem[]): string {
  return problems.map(({ path, problem }) => `${path || 'the body'} ${problem}`).join('; ');
}

export const EXPECTATION: Expectation = {
  fail,
  ok(holds, what) {
    if (!holds) fail(`expected: ${what}`);
  },
  equal(seen, wanted, what) {
    const [left, right] = [sortedText(seen), sortedText(wanted)];
    if (left !== right) fail(`${what}: got ${left}, expected ${right}`);
  },
  close(seen, wanted, tolerance) {
    const fits = wanted.every((value, i) => Math.abs((seen[i] ?? Number.NaN) - value) <= tolerance);
    const same = seen.length === wanted.length && fits;
    if (!same) fail(`${sortedText(seen)} is not within ${tolerance} of ${sortedText(wanted)}`);
  },
  fits(id, value) {
    const result = validate(id, value, { dialect: 'documented' });
    if (!result.ok) fail(`not a ${id}: ${formatProblems(result.error)}`);
    return result.value.value;
  },
};
