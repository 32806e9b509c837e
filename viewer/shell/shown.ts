import type { ArmView } from '../link/arm-view.ts';

/** What the frame shows of the arm: the view, and the age of the newest message. */
export interface Shown {
  readonly view: ArmView;
  readonly now_ms: number;
  readonly age_ms: number;
}
