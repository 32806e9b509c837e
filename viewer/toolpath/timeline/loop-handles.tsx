/** The loop range on the timeline: its band with two handles, and the chip that clears it. */
import { type ReadonlySignal, useComputed, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { type TimeAxis, timeAtX, xOf } from '../../ui/time-axis.ts';
import { offsetOf, onDrag, sayTime } from '../../ui/time-slider.ts';
import { cursorText, decimal } from '../../ui/value-text.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { pressHandle, setLoopEnd, shownRange } from './loop-end.ts';
import type { LoopEnd } from './loop-range.ts';

const HANDLE_PX = 24;
const LABELS: Readonly<Record<LoopEnd, string>> = { from_s: 'Loop start', to_s: 'Loop end' };

interface LoopProps {
  readonly store: ToolpathStore;
}

interface LoopHandlesProps extends LoopProps {
  /** Of the timeline that they are over. */
  readonly axis: ReadonlySignal<TimeAxis>;
}

interface LoopHandleProps extends LoopHandlesProps {
  readonly end: LoopEnd;
}

const at = (x_px: number) => `translateX(${x_px.toFixed(1)}px)`;

function shownOf({ shown }: ToolpathStore) {
  return shownRange({ range: shown.range.value, path: shown.path.value });
}

function LoopHandle({ store, axis, end }: LoopHandleProps) {
  const handle = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    onDrag(handle.current!, (_, event) => {
      // A press alone moves nothing: a handle is beside its time.
      if (event.type === 'pointerdown') return;
      const box = handle.current!.parentElement!;
      setLoopEnd(store, end, timeAtX(axis.peek(), offsetOf(event, box)[0]));
    });
  }, []);
  const now_s = useComputed(() => shownOf(store)?.[end] ?? 0);
  useSignalEffect(() => {
    const to_s = store.shown.path.value?.duration_s ?? 0;
    const text = `${decimal(now_s.value, 2)} seconds`;
    sayTime(handle.current!, { from_s: 0, to_s, now_s: now_s.value, text });
  });
  const beside_px = end === 'from_s' ? HANDLE_PX : 0;
  return (
    <div
      ref={handle}
      class={`loop-handle loop-${end.slice(0, -2)}`}
      // biome-ignore lint/a11y/useAriaPropsForRole: its time is said by an effect
      role="slider"
      tabIndex={0}
      aria-label={LABELS[end]}
      style={{ transform: at(xOf(axis.value, now_s.value) - beside_px) }}
      onKeyDown={(event) => pressHandle(store, end, event)}
    />
  );
}

/** The handles of the range; they cover the canvas of the timeline. */
export function LoopHandles({ store, axis }: LoopHandlesProps) {
  const range = shownOf(store);
  const [from_px, to_px] = [xOf(axis.value, range?.from_s ?? 0), xOf(axis.value, range?.to_s ?? 0)];
  return (
    <div class="loop-range" hidden={!range}>
      <div
        class="loop-band"
        style={{ transform: at(from_px), width: `${(to_px - from_px).toFixed(1)}px` }}
      />
      <LoopHandle store={store} axis={axis} end="from_s" />
      <LoopHandle store={store} axis={axis} end="to_s" />
    </div>
  );
}

/** Shows the range, and clears it. */
export function LoopChip({ store }: LoopProps) {
  const range = shownOf(store);
  return (
    <Button
      class="chip loop-chip"
      hidden={!range}
      title="Clear the loop range (X)"
      onClick={() => store.setLoopRange(null)}
    >
      <span>{range && `${cursorText(range.from_s)}–${cursorText(range.to_s)}`}</span>
      <Icon name="close" />
    </Button>
  );
}
