import type { SafetyState } from '../../contract/safety-state.ts';

/** Name of each safety state in messages. */
export const SAFETY_TEXT: { readonly [State in SafetyState]: string } = {
  ok: '',
  emergency_stop: 'emergency stop',
  protective_stop: 'protective stop',
};

/** What makes the workcell safe again. */
const SAFETY_ADVICE: { readonly [State in Exclude<SafetyState, 'ok'>]: string } = {
  emergency_stop:
    'Release it (PUT /sim/v1/emergency_stop); if the arm then reports an error, reset it ' +
    '(POST /api/v1/controls/reset_errors)',
  protective_stop: 'Acknowledge the collision (POST /api/v1/controls/acknowledge_collision)',
};

/** Why no run can start or resume in this safety state, and what to do; null if it is safe. */
export function safetyFault(safety: SafetyState): string | null {
  if (safety === 'ok') return null;
  return `The workcell is not safe: ${SAFETY_TEXT[safety]}. ${SAFETY_ADVICE[safety]}`;
}
