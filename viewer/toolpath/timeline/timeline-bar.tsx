import { type Signal, useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Chips } from '../../ui/chips.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { steady } from '../../ui/steady.ts';
import { cursorText } from '../../ui/value-text.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { setLoopEnd } from './loop-end.ts';
import { LoopChip } from './loop-handles.tsx';
import { RATES, stepBy, togglePlay } from './playback.ts';
import type { PlotName } from './timeline-plots.ts';

const PLOTS: readonly (readonly [PlotName, string])[] = [
  ['speed', 'Speed'],
  ['position', 'Position'],
  ['velocity', 'Velocity'],
  ['deviation', 'Deviation'],
];

const RATE_TEXTS = RATES.map((rate) => [rate, `${rate}×`] as const);

const PROFILE_HINT = 'The motions are timed by the profile of this arm';

interface TimelineBarProps {
  readonly store: ToolpathStore;
  /** The plots that are drawn. */
  readonly plots: Signal<readonly PlotName[]>;
}

/** The time of the cursor, and that of the whole path. */
function TimelineTime({ store }: Pick<TimelineBarProps, 'store'>) {
  const { cursor_s, path, profile } = store.shown;
  const shown_s = useMemo(() => steady(cursor_s), []);
  const now = useComputed(() => cursorText(shown_s.value));
  const byProfile = profile.value ? ' by profile' : '';
  return (
    <span class="timeline-time">
      <b class="timeline-now">{now}</b>
      <span class="timeline-whole" title={profile.value ? PROFILE_HINT : undefined}>
        {` / ${cursorText(path.value?.duration_s ?? 0)}${byProfile}`}
      </span>
    </span>
  );
}

/** The buttons of the playback, and the choice of the plots. */
export function TimelineBar({ store, plots }: TimelineBarProps) {
  const { playing, path, looping, rate } = store.shown;
  const hasPath = useComputed(() => path.value !== null).value;
  function togglePlot(name: PlotName): void {
    const shown = plots.value.includes(name)
      ? plots.value.filter((each) => each !== name)
      : [...plots.value, name];
    plots.value = PLOTS.map(([each]) => each).filter((each) => shown.includes(each));
  }
  return (
    <header class="timeline-bar">
      <IconButton icon="first" label="Step back (Shift ←)" onClick={() => stepBy(store, -1)} />
      <IconButton
        class="tool timeline-play"
        icon={playing.value ? 'pause' : 'play'}
        label={playing.value ? 'Pause (Space)' : 'Play (Space)'}
        disabled={!hasPath}
        onClick={() => togglePlay(store)}
      />
      <IconButton icon="last" label="Step forward (Shift →)" onClick={() => stepBy(store, 1)} />
      <IconButton
        icon="loop"
        label="Repeat"
        pressed={looping.value}
        onClick={() => store.set({ looping: !store.view().looping, range: null })}
      />
      <IconButton
        icon="loopFrom"
        label="Repeat from here (A)"
        onClick={() => setLoopEnd(store, 'from_s', store.view().cursor_s)}
      />
      <IconButton
        icon="loopTo"
        label="Repeat to here (B)"
        onClick={() => setLoopEnd(store, 'to_s', store.view().cursor_s)}
      />
      <TimelineTime store={store} />
      <LoopChip store={store} />
      <Chips
        label="Rate"
        options={RATE_TEXTS}
        isOn={(one) => one === rate.value}
        press={(one) => store.set({ rate: one })}
      />
      <span class="rail-space" />
      <Chips
        label="Plots"
        options={PLOTS}
        isOn={(name) => plots.value.includes(name)}
        press={togglePlot}
      />
    </header>
  );
}
