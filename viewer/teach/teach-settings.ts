/** What the user has chosen about teaching: frame, what buttons move, how far and how fast. */
import type { GizmoFrame } from './gizmo-maths.ts';

export interface TeachChoices {
  /** Whose axes the gizmo and the tool buttons go along. */
  readonly frame: GizmoFrame;
  /** What jog buttons and typed values move. */
  readonly moves: 'ghost' | 'arm';
  /** One step of a button: mm or degrees. */
  readonly step: number;
  /** Speed of the tool when the arm is moved (m/s). */
  readonly speed_m_s: number;
}

export interface TeachSettings {
  view(): TeachChoices;
  set(patch: Partial<TeachChoices>): void;
  subscribe(listener: (view: TeachChoices) => void): void;
}

/** The choices to begin with: nothing moves the arm. */
export function createTeachSettings(): TeachSettings {
  let view: TeachChoices = { frame: 'base', moves: 'ghost', step: 1, speed_m_s: 0.1 };
  const listeners: ((view: TeachChoices) => void)[] = [];
  return {
    view: () => view,
    set(patch) {
      view = { ...view, ...patch };
      for (const listener of listeners) listener(view);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
