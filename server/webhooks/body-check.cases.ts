/**
 * Checks webhook bodies independently of the sender's code: exact fields in order, types, allowed
 * states, RFC 3339 timestamps (webhooks §2.3).
 */

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === 'string';
const whole: Test = (value) => Number.isInteger(value);
const oneOf =
  (...words: string[]): Test =>
  (value) =>
    words.includes(value as string);
const moment: Test = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

const BODIES: { readonly [type: string]: readonly (readonly [string, Test])[] } = {
  RunStateChangeHook: [
    ['run_id', text],
    ['timestamp', moment],
    ['state', oneOf('started', 'paused', 'resumed', 'stopped')],
    ['message', text],
  ],
  TaskStateChangeHook: [
    ['run_id', text],
    ['timestamp', moment],
    ['task_id', text],
    ['instrument_id', text],
    ['state', oneOf('started', 'failed', 'succeeded')],
    ['action', text],
    ['error', text],
  ],
  SafetyStateChangeHook: [
    ['run_id', text],
    ['timestamp', moment],
    ['state', text],
  ],
  LabwareMovementHook: [
    ['run_id', text],
    ['timestamp', moment],
    ['labware_id', text],
    ['state', oneOf('started', 'finished', 'failed')],
    ['source_instrument_id', text],
    ['destination_instrument_id', text],
    ['source_slot', whole],
    ['destination_slot', whole],
  ],
  NewPlanHook: [
    ['run_id', text],
    ['timestamp', moment],
    ['remaining_worktime', whole],
  ],
};

/** Returns the faults of a body; empty if it is valid. */
export function bodyFaults(type: string, json: string): string[] {
  const fields = BODIES[type];
  if (!fields) return [`${type} is no hook type`];
  const body = JSON.parse(json) as Record<string, unknown>;
  const wanted = fields.map(([name]) => name).join(' ');
  const seen = Object.keys(body).join(' ');
  if (seen !== wanted) return [`fields ${seen} instead of ${wanted}`];
  return fields.flatMap(([name, test]) =>
    test(body[name]) ? [] : [`${name} is ${JSON.stringify(body[name])}`],
  );
}
