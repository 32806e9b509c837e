/** A mark of a toolpath in the scene. */

export type MarkKind = 'error' | 'warning' | 'waypoint' | 'home' | 'pass' | 'cell' | 'zone';

export interface Mark {
  readonly kind: MarkKind;
  readonly text: string;
  readonly at_m: readonly [number, number, number];
  /** JSON pointer that a click selects; null if it cannot be selected. */
  readonly target: string | null;
  readonly selected: boolean;
}
