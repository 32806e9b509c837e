import type { Toolpath } from '../../contract/types.generated.ts';

/** A pose that a page shows in place of the arm's pose, and the toolpath it belongs to. */
export interface PosedToolpath {
  readonly joints: ArrayLike<number>;
  readonly toolpath: Toolpath;
}
