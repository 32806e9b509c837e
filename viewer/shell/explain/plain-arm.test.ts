/** Explanations for an arm without simulation control, of every injected fault, and of waits. */
import { expect, it } from 'vitest';
import type { AddFaultBody } from '../../../contract/types.generated.ts';
import { ArmStore } from '../../link/arm-store.ts';
import { mergeChanges } from '../../link/merge-changes.ts';
import { EMPTY_SIM, SNAPSHOT, STATUS } from '../../link/snapshot.cases.ts';
import { explain, fulfillingValue } from './explanations.ts';

it.each([
  ['disabled', /^The emergency stop at the arm is pressed. Release it there.$/],
  ['error', /^An error stopped the motion.$/],
  ['paused', /^Paused.$/],
] as const)('knows the cause of %s without simulation control', (state, sentence) => {
  const snapshot = mergeChanges(SNAPSHOT, { control: { state } });
  const [first] = explain({ ...new ArmStore().view(), link: 'live', snapshot });
  expect(first!.sentence).toMatch(sentence);
});

it.each([
  ['above', 8],
  ['below', 1],
  ['inside', 4],
  ['outside', 8],
] as const)('offers a value that is %s the thresholds', (operator, value) => {
  const io = { location: 'base', type: 'analog', index: 0 } as const;
  const thresholds = { lower: 2, upper: 6 };
  expect(fulfillingValue({ type: 'input', io, operator, thresholds })).toBe(value);
});

const FAULTS: readonly AddFaultBody[] = [
  { kind: 'stuck_input', input: 'd0' },
  { kind: 'sensor_noise', position_rad: 0.01 },
  { kind: 'failing_planner' },
  { kind: 'slow_planner', delay_s: 1 },
  { kind: 'update_failure' },
  { kind: 'disk_full' },
  { kind: 'reply', effect: 'drop', path: '/api/v1/*' },
  { kind: 'stream', effect: 'delay', delay_s: 0.1 },
  { kind: 'gripper', gripper: 'jaws', fault: 'jammed' },
  { kind: 'object', object: 'part 1', fault: 'misplaced' },
  { kind: 'sensor', sensor: 'tray', fault: 'late' },
  { kind: 'conveyor', conveyor: 'belt' },
] as AddFaultBody[];

it.each(FAULTS.map((fault) => [fault.kind, fault] as const))(
  'says what the injected fault %s does, and clears it',
  (_kind, fault) => {
    const sim = { ...EMPTY_SIM, faults: [{ id: 7, acted: 0, fault }] };
    const view = { ...new ArmStore().view(), link: 'live', snapshot: SNAPSHOT, sim } as const;
    const found = explain(view).filter(({ sentence }) => sentence.endsWith(': injected fault 7.'));
    expect(found.map(({ remedies }) => remedies.map(({ label }) => label))).toEqual([
      ['Clear the fault'],
    ]);
  },
);

it('names the cause of a stop to a user without simulation control', () => {
  const snapshot = mergeChanges(SNAPSHOT, { control: { state: 'collision' } });
  const contact = {
    ...{ id: 1, at_s: 60, ended_s: null, link: 7, body: 'tool', obstacle: 'crate', detected: true },
    ...{ place: { x: 0.4, y: 0, z: 0.2 }, speed_m_s: 0.2, peak_force_n: 41.2, residual_force_n: 0 },
  };
  const status = { ...STATUS, state: 'collision' as const, now_s: 83, state_since_s: 60 };
  const contacts = { contacts: [contact], force_limits: [], note: '' };
  const seen = { ...new ArmStore().view(), link: 'live', snapshot } as const;
  const [found] = explain({ ...seen, cause: { status, contacts } });
  expect(found!.sentence).toMatch(/^Collision: tool touches “crate”, 41 N at most/);
  expect(found!.place).toEqual(contact.place);
  // Of a state that the robot has left nothing is said.
  const [none] = explain({ ...seen, cause: { status: { ...status, state: 'error' }, contacts } });
  expect(none!.sentence).not.toContain('crate');
});

it('names the joint that failed, and offers what this user may do', () => {
  const snapshot = mergeChanges(SNAPSHOT, { control: { state: 'error' } });
  const fault = { kind: 'overload', joint: 2 } as const;
  const status = { ...STATUS, state: 'error' as const, error: 'J3 is overloaded', fault };
  const view = { ...new ArmStore().view(), link: 'live', snapshot } as const;
  const [found] = explain({ ...view, cause: { status, contacts: null } });
  expect(found).toMatchObject({ cause: 'joint_fault', joint: 2 });
  expect(found!.remedies.map(({ label }) => label)).toEqual(['Reset errors']);
  const stopped = mergeChanges(SNAPSHOT, { control: { state: 'disabled' } });
  const pressed = { ...STATUS, state: 'disabled' as const, emergency_stop: 'simulated' as const };
  const [stop] = explain({
    ...view,
    snapshot: stopped,
    cause: { status: pressed, contacts: null },
  });
  expect([stop!.cause, stop!.remedies]).toEqual(['emergency_stop', []]);
});
