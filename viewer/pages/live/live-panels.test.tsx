import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { mergeChanges } from '../../link/merge-changes.ts';
import { SNAPSHOT } from '../../link/snapshot.cases.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import type { Shown } from '../../shell/shown.ts';
import { draw } from '../../ui/drawn.cases.ts';
import { EventsPanel } from './events-panel.tsx';
import { IoPanel } from './io-panel.tsx';
import { JointsPanel } from './joints-panel.tsx';
import type { LivePageParts } from './live-state.ts';
import { RunPanel } from './run-panel.tsx';
import { ToolReadout } from './tool-readout.tsx';

afterEach(() => vi.unstubAllGlobals());

const NOTHING = new ArmStore().view();
const READY: ArmView = { ...NOTHING, link: 'live', isListed: true, snapshot: SNAPSHOT };
const HEADS = [
  { id: 1, name: 'Rinse', hash: 'b' },
  { id: 2, name: 'Sorting', hash: 'a' },
];

const shown = (view: ArmView): Shown => ({ view, now_ms: 0, age_ms: 3200 });

/** What the panels show of a view, and how it changes. */
function liveOf(view: ArmView) {
  const [texts, moves] = [signal(shown(view)), signal(shown(view))];
  return {
    live: { texts, moves },
    /** What moves follows at once. */
    move: (next: ArmView) =>
      act(() => {
        moves.value = shown(next);
      }),
    show: (next: ArmView) =>
      act(() => {
        texts.value = shown(next);
      }),
  };
}

const turned = (angle_rad: number): ArmView => ({
  ...READY,
  snapshot: mergeChanges(SNAPSHOT, { 'servos.telemetry.position': [angle_rad, 0, 0, 0, 0, 0] }),
});

function commandsOf() {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    async (...args: readonly unknown[]) =>
      void calls.push([name, ...args]);
  const commands = { setOutput: record('setOutput'), load: record('load') };
  return { calls, commands: commands as object as LivePageParts['commands'] };
}

describe('the joints', () => {
  it('move their marks at once, and change their texts with the others', async () => {
    const { live, move, show } = liveOf(READY);
    const { root } = draw(<JointsPanel live={live} />);
    const mark = () => root.querySelector<HTMLElement>('.gauge-mark')!.style.transform;
    const number = () => root.querySelector('.joint .number')!.textContent;
    await move(turned(1));
    expect(mark()).toMatch(/^translateX\(65\.9\d?cqw\)$/);
    expect(number()).toBe('0.00');
    await show(turned(1));
    expect(number()).toBe('57.30');
  });

  it('are marked near a limit, and say their age while nothing is heard', async () => {
    const { live, show } = liveOf(READY);
    const { root, find } = draw(<JointsPanel live={live} />);
    const near = () => root.querySelectorAll('[data-near-limit]').length;
    const before = near();
    await show({ ...turned(3.12), link: 'stale' });
    expect(near()).toBe(before + 1);
    expect(find('.age').textContent).toBe('3.2 s old');
  });
});

it('draws every panel before anything is known of the arm', () => {
  const { live } = liveOf(NOTHING);
  const { commands } = commandsOf();
  const choice: RunChoice = { mode: 'automatic', loops: 1 };
  const parts = { store: new ArmStore(), commands, choice } as object as LivePageParts;
  const { root } = draw(
    <>
      <ToolReadout live={live} />
      <RunPanel live={live} parts={parts} />
      <JointsPanel live={live} />
      <IoPanel live={live} commands={commands} />
      <EventsPanel live={live} />
    </>,
  );
  const text = root.textContent ?? '';
  expect(text).toContain('Reading the toolpaths…');
  expect(text).toContain('No events since this page was opened.');
  expect(text).not.toMatch(/NaN|undefined|null/);
});

describe('the outputs', () => {
  it('are switched by a press, unless there is no connection', async () => {
    const { live, show } = liveOf(READY);
    const { calls, commands } = commandsOf();
    const { find, fire } = draw(<IoPanel live={live} commands={commands} />);
    await fire('[aria-label="Output d1"]', 'click');
    expect(calls).toEqual([['setOutput', 'd1', true]]);
    await show({ ...READY, link: 'stale' });
    const output = find('[aria-label="Output d1"]');
    expect(output.hasAttribute('disabled')).toBe(true);
    expect(output.getAttribute('title')).toBe('There is no connection to the robot');
  });
});

describe('the next run', () => {
  /** The panel of an arm with two toolpaths, of which one is loaded. */
  function drawRun() {
    const { live, show } = liveOf({ ...READY, toolpaths: HEADS });
    const { calls, commands } = commandsOf();
    const choice: RunChoice = { mode: 'automatic', loops: 1 };
    const parts = { store: new ArmStore(), commands, choice } as object as LivePageParts;
    return { calls, choice, show, ...draw(<RunPanel live={live} parts={parts} />) };
  }

  it('loads what is loaded, or else the first', async () => {
    const { calls, find, show, root } = drawRun();
    expect(find('.chooser-name').textContent).toBe('Sorting');
    await show({ ...READY, toolpaths: HEADS.slice(0, 1) });
    expect(find('.chooser-name').textContent).toBe('Rinse');
    const load = [...root.querySelectorAll('button')].find((each) => each.textContent === 'Load')!;
    await act(() => load.click());
    expect(calls).toEqual([['load', 1]]);
  });

  it('takes a number of loops that can be, and puts another back', async () => {
    const { choice, find, fire } = drawRun();
    const loops = () => find('.loops') as HTMLInputElement;
    for (const text of ['', '-3', '1.6', '100001']) {
      loops().value = text;
      await fire('.loops', 'input');
      expect(loops().getAttribute('aria-invalid'), text).toBe('true');
      await fire('.loops', 'blur');
      expect([loops().value, choice.loops]).toEqual(['1', 1]);
    }
    loops().value = '7';
    await fire('.loops', 'input');
    expect(choice.loops).toBe(7);
  });
});
