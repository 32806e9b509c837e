/** The user's settings for teaching: frame, jog target, step and speed. */
import type { GizmoFrame } from './gizmo-geometry.ts';

export interface TeachOptions {
  /** Frame of the gizmo's axes and of the tool buttons. */
  readonly frame: GizmoFrame;
  /** What jog buttons and typed values move. */
  readonly jogTarget: 'ghost' | 'arm';
  /** Step of a button: mm or degrees. */
  readonly step: number;
  /** Tool speed for moving the arm (m/s). */
  readonly speed_m_s: number;
}

export interface TeachSettings {
  view(): TeachOptions;
  set(patch: Partial<TeachOptions>): void;
  subscribe(listener: (view: TeachOptions) => void): void;
}

/** Creates the default settings; the arm does not move with them. */
export function createTeachSettings(): TeachSettings {
  let view: TeachOptions = { frame: 'base', jogTarget: 'ghost', step: 1, speed_m_s: 0.1 };
  const listeners: ((view: TeachOptions) => void)[] = [];
  return {
    view: () => view,
    set(patch) {
      view = { ...view, ...patch };
      for (const listener of listeners) listener(view);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
