import type { Joints, SimEvent, Snapshot } from '../contract/types.generated.ts';
import type { Actor, ActorName } from './actor.ts';
import type { Expectation } from './expectation.ts';
import type { RawReply, RawRequest } from './raw-request.ts';
import type { RawConnection } from './raw-tcp.ts';
import type { StreamListener } from './stream-listener.ts';

export interface Precision {
  /** How far joints may move while they stand (rad). */
  readonly drift_rad: number;
  /** How far from its target a motion may end (rad). */
  readonly end_rad: number;
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
