import { type Signal, signal } from '@preact/signals';
import type { GizmoFrame } from './gizmo-geometry.ts';

/** Creates the user's settings for teaching; the arm does not move with them. */
export function createTeachSettings() {
  return {
    /** Frame of the gizmo's axes and of the tool buttons. */
    frame: signal<GizmoFrame>('base'),
    /** What jog buttons and typed values move. */
    jogTarget: signal<'ghost' | 'arm'>('ghost'),
    /** Step of a button: mm or degrees. */
    step: signal(1),
    /** Tool speed for moving the arm (m/s). */
    speed_m_s: signal(0.1),
  } as const;
}

export type TeachSettings = ReturnType<typeof createTeachSettings>;

/** Binds a group of chips to a setting: the chip of its value is on. */
export function oneOf<Value>(setting: Signal<Value>) {
  return {
    isOn: (value: Value) => value === setting.value,
    press: (value: Value) => {
      setting.value = value;
    },
  };
}
