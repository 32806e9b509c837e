/**
 * Transitions of §3.1 and refusals that the random test must cover. Test code.
 */

/** Required transitions, as `state command state`. */
export const REQUIRED_TRANSITIONS = [
  'ready run automatic 0 running',
  'ready run automatic 1 running',
  'ready run teach 0 running',
  'ready home running',
  'ready go_to running',
  'running pause paused',
  'stopping pause paused',
  'paused resume running',
  'paused resume stopping',
  'paused cancel ready',
  'running stop_loop stopping',
  'error reset ready',
  'error reset wrong_state',
  'running long time ready',
  'stopping long time ready',
  'ready joint fault error',
  'running joint fault error',
  'paused joint fault error',
  'ready press stop disabled',
  'running press stop disabled',
  'disabled release stop ready',
  'disabled release stop error',
  'ready press backdriving',
  'backdriving release button ready',
];

const STATES = ['ready', 'running', 'paused', 'stopping', 'error', 'disabled', 'backdriving'];
/** Commands that must be refused, with the states. */
export const REQUIRED_REFUSALS: Record<string, readonly string[]> = {
  'run automatic 1': STATES.slice(1),
  home: STATES.slice(1),
  go_to: STATES.slice(1),
  load: STATES.slice(1),
  pause: ['ready', 'paused', 'error', 'disabled', 'backdriving'],
  resume: ['ready', 'running', 'stopping', 'error', 'disabled', 'backdriving'],
  cancel: ['ready', 'running', 'stopping', 'error', 'disabled', 'backdriving'],
  stop_loop: ['ready', 'paused', 'stopping', 'error', 'disabled', 'backdriving'],
  reset: ['ready', 'running', 'paused', 'stopping', 'disabled', 'backdriving'],
};
