/** The messages between the page and the build worker. */

import type { ArmProfile, Cell, Toolpath } from '../../contract/types.generated.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { Finding } from './finding.ts';
import type { PlacedProblem } from './problem-lines.ts';
import type { BranchChoices, TimedPath } from './timed-path.ts';

/** The arm that a toolpath is built for; null, or none, for the model's. */
export interface BuiltArm {
  readonly profile?: ArmProfile | null;
  readonly jointRange?: ArmRange | null;
  /** What stands around it; null, or none: nothing that is known. */
  readonly cell?: Cell | null;
}

/**
 * `open` sends a toolpath as text, and the arm that it is built for; `choose` requests another path
 * through the open toolpath.
 */
export type BuildRequest =
  | ({ readonly kind: 'open'; readonly text: string } & BuiltArm)
  | { readonly kind: 'choose'; readonly choices: BranchChoices };

export interface OpenedToolpath {
  readonly kind: 'opened';
  /** In the latest format. */
  readonly toolpath: Toolpath;
  /** What the migration to the latest format may have changed. */
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
  /** What the motions were checked against; empty where they could not be built. */
  readonly checkedAgainst: readonly string[];
  readonly path: TimedPath;
  /** Duration of checking and building (ms). */
  readonly took_ms: number;
}

/** A request for what would remove a finding. */
export interface RemedyRequest extends BuiltArm {
  readonly kind: 'remedy';
  readonly text: string;
  readonly finding: Finding;
}

export type BuildReply =
  | OpenedToolpath
  | { readonly kind: 'path'; readonly path: TimedPath }
  | { readonly kind: 'refused'; readonly problems: readonly PlacedProblem[] };
