import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import type { RobotStateName } from '../../contract/types.generated.ts';
import { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';
import { mergeChanges } from '../link/merge-changes.ts';
import { SNAPSHOT } from '../link/snapshot.cases.ts';
import { draw } from '../ui/drawn.cases.ts';
import type { MotionCommand } from './motion-actions.ts';
import { MotionBar } from './motion-bar.tsx';

const LOADED = { toolpath_hash: 'abc', toolpath_name: 'Sort' };

function viewOf(state: RobotStateName): ArmView {
  const snapshot = mergeChanges(SNAPSHOT, { control: { ...LOADED, state } });
  return { ...new ArmStore().view(), link: 'live', snapshot };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The bar of an arm, with the commands that it has given; the window hears what ends a press. */
function drawBar(state: RobotStateName) {
  vi.useFakeTimers();
  const window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  const view = signal(viewOf(state));
  const given: MotionCommand[] = [];
  const motion = { run: (command: MotionCommand) => given.push(command), press: () => undefined };
  const { find, fire } = draw(<MotionBar motion={motion} view={view} />);
  return {
    given,
    fire,
    first: () => find('.primary span').textContent,
    release: () => act(() => void window.dispatchEvent(new Event('pointerup'))),
    change: (next: RobotStateName) =>
      act(() => {
        view.value = viewOf(next);
      }),
    later: () => act(() => void vi.runAllTimers()),
  };
}

it('keeps what a button says and does from its press to its release', async () => {
  const bar = drawBar('ready');
  await bar.fire('.primary', 'pointerdown');
  await bar.change('running');
  expect(bar.first()).toBe('Run');
  await bar.release();
  await bar.fire('.primary', 'click');
  expect(bar.given).toEqual(['run']);
  await bar.later();
  expect(bar.first()).toBe('Pause');
});

it('starts nothing with the second click of a double click', async () => {
  const bar = drawBar('ready');
  await bar.fire('.primary', 'click');
  await bar.fire('.primary', 'click');
  expect(bar.given).toEqual(['run']);
});

it('gives a stop with each click', async () => {
  const bar = drawBar('running');
  await bar.fire('.primary', 'click');
  await bar.fire('.primary', 'click');
  expect(bar.given).toEqual(['pause', 'pause']);
});
