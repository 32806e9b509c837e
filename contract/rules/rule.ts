/**
 * What a rule of the spec is, and what it may use to check the service: actors with sessions, raw
 * requests, events, and the passing of arm time. Types alone; the runner makes them real.
 */

import type { CallParts } from '../client/caller.ts';
import type { CallArguments, CallId, ReplyOf } from '../client/calls.ts';
import type { ErrorDetails } from '../errors.ts';
import type { RouteId } from '../routes.ts';
import type { Joints, RobotEvent, SimEvent, Snapshot } from '../types.ts';
import type { Expectation } from './expectation.ts';

/** What must be granted before a rule may run; a missing grant is a skip with its reason. */
export interface Needs {
  /** The arm will move, a little, from where it stands. */
  readonly motion?: boolean;
  /** An actor with the role admin. */
  readonly admin?: boolean;
  /** A second ordinary user. */
  readonly secondUser?: boolean;
  /** The hand on a simulated arm: /sim/v1. */
  readonly sim?: boolean;
  /** The simulated world around the joints, which an arm of servos has not. */
  readonly world?: boolean;
  /** A clock that can be set and moved, which a bus of servos does not allow. */
  readonly pace?: boolean;
  /** The arm installs an update. */
  readonly update?: boolean;
  /** Arm time that passes during the rule (s), where it is more than some seconds. */
  readonly armTime_s?: number;
  /** What lies below HTTP, and wall time. */
  readonly ground?: boolean;
  /** Wall time that passes during the rule (s), where it is more than one: no clock shortens it. */
  readonly wallTime_s?: number;
}

/** One sentence of the spec with the way to prove it. */
export interface Rule {
  /** Short unique name, as `lock/taken-once`. */
  readonly id: string;
  /** The requirements it proves, by number. */
  readonly requirements: readonly string[];
  /** The endpoints it proves something about. */
  readonly routes: readonly RouteId[];
  /** What must hold, in own words. */
  readonly statement: string;
  readonly needs?: Needs;
  /** Returns when the statement holds; throws RuleBroken when not. */
  readonly check: (context: RuleContext) => Promise<void>;
}

/** What a refusal must look like. Absent parts may be anything. */
export interface ExpectedRefusal {
  readonly status: number;
  readonly error_code?: number;
  readonly title?: string;
}

/** The error of a refusal that was as expected. */
export interface SeenRefusal {
  readonly error_code: number;
  readonly title: string;
  readonly details: ErrorDetails;
}

/** Somebody with a session. Every reply is held against the row: status, schema, error format. */
export interface Actor {
  readonly session: string;
  /** Calls and demands the success that the row promises. */
  does<Id extends CallId>(id: Id, ...given: CallArguments<Id>): Promise<ReplyOf<Id>>;
  /** Calls with any body and demands a refusal in the error format. */
  refused(id: CallId, parts: CallParts, expected: ExpectedRefusal): Promise<SeenRefusal>;
}

/** Who can act: ordinary users, an admin, and nobody, who has no session. */
export type ActorName = 'user' | 'other' | 'admin' | 'nobody';

/** A request below the client: any path, headers and text. */
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
  /** The parsed text, undefined when it is no JSON. */
  readonly body: unknown;
}

/** A connection below HTTP. */
export interface Wire {
  send(text: string): void;
  /** All that has come back. */
  said(): string;
  isOpen(): boolean;
  close(): void;
}

/** What lies below HTTP and beside arm time. */
export interface Ground {
  /** Connects to where a URL points. */
  dial(url: string): Wire;
  /** Lets wall time pass. */
  wait(duration_s: number): Promise<void>;
}

/** The events that one actor receives, each held against its schema. */
export interface Listener<Event extends { readonly type: string } = RobotEvent> {
  readonly events: readonly Event[];
  /** Resolves to the first event of a type that fits, heard already or to come. */
  heard<Type extends Event['type']>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>;
  /** Whether the service still lets it listen. */
  isOpen(): boolean;
  /** Reads nothing any more, or reads on. */
  deafen(deaf: boolean): void;
  close(): void;
}

/** Everything a rule may use. */
export interface RuleContext {
  readonly expect: Expectation;
  /** An actor with a session of its own for this rule. */
  as(name: ActorName): Promise<Actor>;
  /** The API token behind an actor. */
  tokenOf(name: 'user' | 'other' | 'admin'): string;
  raw(request: RawRequest): Promise<RawReply>;
  /** Opens the stream; `origin` is the page that does so, none unless given. */
  listen(actor: Actor, origin?: string): Promise<Listener>;
  /** Opens the simulated arm's own stream. */
  listenToTwin(actor: Actor): Promise<Listener<SimEvent>>;
  /** Opens a connection below HTTP, and sends a text; closed when the rule is over. */
  dial(text: string): Wire;
  /** Lets wall time pass. */
  wait(duration_s: number): Promise<void>;
  /** Lets arm time pass. */
  settle(duration_s: number): Promise<void>;
  /** Waits in arm time until a probe holds; throws RuleBroken with `what` when it never does. */
  until(what: string, probe: () => Promise<boolean>, limit_s?: number): Promise<void>;
  snapshot(): Promise<Snapshot>;
  /** A pose close to where the arm stands: joint 1 turned by `turn_rad` toward its middle. */
  poseNearby(turn_rad: number): Promise<{ readonly here: Joints; readonly there: Joints }>;
}
