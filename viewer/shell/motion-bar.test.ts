import { describe, expect, it } from 'vitest';
import type { RobotStateName } from '../../contract/types.generated.ts';
import { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';
import { failureNotice } from '../link/failure-notice.ts';
import { mergeChanges } from '../link/merge-changes.ts';
import { EMPTY_SIM, SNAPSHOT, STATUS } from '../link/snapshot.cases.ts';
import { motionActions } from './motion-actions.ts';
import { runShown } from './motion-bar.tsx';
import { motionReasons } from './motion-reasons.ts';
import { linkTexts, stateLook } from './top-bar.tsx';

function view(state: RobotStateName, patch: Partial<ArmView> = {}): ArmView {
  const snapshot = mergeChanges(SNAPSHOT, { control: { state } });
  return { ...new ArmStore().view(), link: 'live', snapshot, ...patch };
}

const enabledIn = (shown: ArmView) => {
  const { actions, cancel } = motionActions(shown);
  const labels = actions.filter((action) => action.enabled).map((action) => action.label);
  return [...labels, ...(cancel ? ['Cancel'] : [])];
};

const ENABLED: Record<RobotStateName, readonly string[]> = {
  ready: ['Run', 'Home'],
  running: ['Pause', 'Stop after loop', 'Cancel'],
  stopping: ['Pause', 'Cancel'],
  paused: ['Resume', 'Cancel'],
  error: ['Reset errors'],
  collision: ['Acknowledge'],
  backdriving: [],
  updating: [],
  disabled: [],
  shutting_down: [],
};

describe.each(Object.entries(ENABLED))('in state %s', (state, labels) => {
  const name = state as RobotStateName;

  it(`enables ${labels.join(', ') || 'nothing'}`, () => {
    expect(enabledIn(view(name))).toEqual(labels);
  });

  it('enables only Pause and Cancel while stale, and shows the state as unknown', () => {
    expect(enabledIn(view(name, { link: 'stale' }))).toEqual(['Pause', 'Cancel']);
    expect(stateLook(view(name, { link: 'stale' })).label).toBe('Unknown');
  });

  it('puts no opposite command in the place of the first button when the view gets stale', () => {
    const [live] = motionActions(view(name)).actions;
    const [stale] = motionActions(view(name, { link: 'stale' })).actions;
    expect([stale.label, stale.command]).toEqual([live.label, live.command]);
  });

  it('enables nothing while another user holds the lock', () => {
    expect(enabledIn(view(name, { lock: { owner: 'admin', status: 'locked' } }))).toEqual([]);
  });

  it('says of each disabled button why', () => {
    const views = [
      view(name),
      view(name, { link: 'stale' }),
      view(name, { link: 'signed-out' }),
      view(name, { lock: { owner: 'admin', status: 'locked' } }),
      view(name, { workflow: { run_id: 3, name: 'Assay', waiting: '' } }),
      view(name, { snapshot: mergeChanges(SNAPSHOT, { control: { toolpath_hash: '' } }) }),
    ];
    for (const one of views) {
      const { actions, cancel } = motionActions(one);
      const reasons = motionReasons(one);
      if (actions.some(({ enabled }) => !enabled)) expect(reasons.actions).not.toBe('');
      if (!cancel) expect(reasons.cancel).not.toBe('');
    }
  });

  it('enables nothing while signed out', () => {
    expect(enabledIn(view(name, { link: 'signed-out' }))).toEqual([]);
  });
});

it('starts nothing while a workflow has the arm, and still pauses', () => {
  const workflow = { run_id: 3, name: 'Assay', waiting: '' };
  expect(enabledIn(view('ready', { workflow }))).toEqual([]);
  expect(enabledIn(view('running', { workflow }))).toContain('Pause');
});

it('ends no loop of a motion that is none, and says why', () => {
  const activity = {
    ...({
      kind: 'go_to',
      mode: 'teach',
      scheduled: false,
      to_start: false,
      step: null,
      waiting: null,
    } as const),
    ...{ loop_time_s: 1, loop_waited_s: 0, loop_remaining_s: 5 },
  };
  const moving = view('running', { sim: { ...EMPTY_SIM, status: { ...STATUS, activity } } });
  expect(enabledIn(moving)).toEqual(['Pause', 'Cancel']);
  expect(motionReasons(moving).actions).toBe('Moves to a pose: there is no loop to end');
});

it('enables no run without a toolpath', () => {
  const empty = mergeChanges(SNAPSHOT, { control: { toolpath_hash: '' } });
  expect(enabledIn(view('ready', { snapshot: empty }))).toEqual([]);
});

it('shows whether the arm is simulated or real', () => {
  const text = (driver: string, clock: string) =>
    linkTexts({ view: view('ready', { driver, clock, rate_hz: 50 }), now_ms: 0, age_ms: 0 })[1];
  expect(text('rapier', '1')).toContain('simulated, 1.00× real time');
  expect(text('fast', 'max')).toContain('simulated, max clock');
  expect(text('servo', '1')).toContain('real arm');
});

it('describes a refusal: what, then what to do, the code last', () => {
  expect(
    failureNotice({ kind: 'refused', status: 403, code: 3, title: 'x', details: null }),
  ).toEqual({
    text: 'The lock is held elsewhere. Wait until it is free.',
    code: 'code 3',
  });
  const problems = [{ path: '/joints', problem: 'has five numbers' }];
  const notice = failureNotice({
    kind: 'refused',
    status: 400,
    code: 8,
    title: 'Toolpath error',
    details: problems,
  });
  expect(notice.text).toBe('Toolpath error: has five numbers.');
});

describe('with a toolpath on the screen', () => {
  const shown = (patch: object = {}) => ({
    ...{ name: 'Sorter', hash: 'other', unsaved: false, problem: '', load: async () => true },
    ...patch,
  });

  it('loads and runs the shown toolpath when another one is loaded', () => {
    expect(enabledIn(view('ready', { shown: shown() }))).toEqual(['Load and run “Sorter”']);
  });

  it('runs without loading when the shown toolpath is the loaded one', () => {
    const { toolpath_hash } = SNAPSHOT.control;
    expect(enabledIn(view('ready', { shown: shown({ hash: toolpath_hash }) }))).toEqual([
      'Run',
      'Home',
    ]);
  });

  it('says that the shown version is not saved', () => {
    expect(enabledIn(view('ready', { shown: shown({ unsaved: true }) }))).toEqual([
      'Load and run “Sorter”, not saved',
    ]);
  });

  it('does not offer to load a replay', () => {
    const problem = 'A replay shows a run';
    const replay = view('ready', { shown: shown({ isReplay: true, problem }) });
    expect(motionActions(replay).actions.map(({ label }) => label)).toEqual(['Run', 'Home']);
    expect(enabledIn(replay)).toEqual([]);
    expect(motionReasons(replay).actions).toBe(problem);
  });

  it('runs nothing while the shown toolpath has a problem', () => {
    expect(enabledIn(view('ready', { shown: shown({ problem: 'Fix the errors' }) }))).toEqual([]);
  });

  it('keeps pausing and cancelling whatever is shown', () => {
    expect(enabledIn(view('running', { shown: shown() }))).toEqual(ENABLED.running);
  });

  it.each([
    [true, ['load', 'run automatic 2']],
    [false, ['load']],
  ])('loads first, and runs only if that is accepted: %s', async (accepted, expected) => {
    const calls: string[] = [];
    const load = async () => calls.push('load') > 0 && accepted;
    const run = async ({ mode, loop }: { mode: string; loop: number }) =>
      void calls.push(`run ${mode} ${loop}`);
    const now = view('ready', { shown: shown({ load }) });
    await runShown(now, { mode: 'automatic', loops: 2 }, { run });
    expect(calls).toEqual(expected);
  });
});

it('offers no reset that cannot succeed, and says what must end first', () => {
  const fault = { kind: 'overheated', joint: 3 } as const;
  const injected = { kind: 'driver', joint: 3, fault: 'overheated' } as const;
  const status = { ...STATUS, state: 'error' as const, fault };
  const faults = [{ id: 5, acted: 1, fault: injected }];
  const stopped = view('error', { sim: { ...EMPTY_SIM, status, faults } });
  expect(enabledIn(stopped)).toEqual([]);
  expect(motionReasons(stopped).actions).toBe('J4 reports its fault until fault 5 is cleared');
  expect(enabledIn(view('error', { sim: { ...EMPTY_SIM, status } }))).toEqual(['Reset errors']);
  const other = [{ ...faults[0]!, fault: { ...injected, joint: 2 } }];
  const elsewhere = view('error', { sim: { ...EMPTY_SIM, status, faults: other } });
  expect(enabledIn(elsewhere)).toEqual(['Reset errors']);
});
