/**
 * What is shown of the open toolpath: the path through it, cursor, selection and layers, as one
 * immutable value.
 */

import type { ArmProfile, Cell } from '../../contract/types.generated.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { BesidePath } from './beside-path.ts';
import type { OpenedToolpath } from './build-messages.ts';
import type { RunDeviation } from './deviation.ts';
import type { Finding } from './finding.ts';
import type { PathColouring } from './path-colours.ts';
import type { PlacedProblem } from './problem-lines.ts';
import type { FindingReply } from './remedies.ts';
import type { TimedPath } from './timed-path.ts';
import type { LoopRange } from './timeline/loop-range.ts';

/** Parts of the scene that the user can hide. */
export interface ToolpathLayerVisibility {
  readonly path: boolean;
  readonly waypoints: boolean;
  readonly zones: boolean;
  readonly ghost: boolean;
}

/** Where the open toolpath came from. */
export interface ToolpathOrigin {
  readonly name: string;
  /** Id on the arm; null for a file. */
  readonly id: number | null;
  /** The version on the arm that the open one was made from; absent for a file. */
  readonly base?: { readonly name: string; readonly hash: string };
}

export interface ToolpathView {
  readonly origin: ToolpathOrigin | null;
  /** The checked toolpath and its findings; null while nothing is open. */
  readonly opened: OpenedToolpath | null;
  readonly path: TimedPath | null;
  readonly problems: readonly PlacedProblem[];
  readonly busy: boolean;
  /** The profile of the arm, which times the path; null: the model does. */
  readonly profile: ArmProfile | null;
  /** The range of the joints of the arm; null for the model's. */
  readonly jointRange: ArmRange | null;
  /** The cell around the arm, as it starts; null without one. */
  readonly cell: Cell | null;
  readonly cursor_s: number;
  readonly playing: boolean;
  readonly rate: number;
  readonly looping: boolean;
  /** The repeated part of the path; null for all of it. */
  readonly range: LoopRange | null;
  /** JSON pointer of the selected action, branch or routine. */
  readonly selected: string | null;
  /** JSON pointer of the step that the arm runs; null unless it runs this toolpath. */
  readonly running: string | null;
  /** The error or warning that the user chose. */
  readonly finding: Finding | null;
  /** Depth and remedies of that finding; null until they are known. */
  readonly remedy: FindingReply | null;
  /** The place of the finding that the user chose, which the camera shows (m). */
  readonly lookAt: readonly number[] | null;
  /** Number of the kept run that is replayed; null for a plan. */
  readonly replay: number | null;
  /** Whether the open toolpath differs from the one that was opened. */
  readonly edited: boolean;
  /** Whether a save to the arm is on its way. */
  readonly saving: boolean;
  readonly colouring: PathColouring;
  readonly layers: ToolpathLayerVisibility;
  /** What a second arm follows beside a replay; null without it. */
  readonly beside: BesidePath | null;
  /** Deviation of the current or last run, or of the replayed one, from the plan; null without a run. */
  readonly runDeviation: RunDeviation | null;
}
