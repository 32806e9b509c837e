import { type ReadonlySignal, type Signal, useComputed, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { oncePerFrame } from '../../ui/animation-frame.ts';
import { createTokens } from '../../ui/css-tokens.ts';
import { onTheme } from '../../ui/theme-change.ts';
import { type TimeAxis, timeAtX, xOf, zoomAxis } from '../../ui/time-axis.ts';
import { offsetOf, onDrag, sayTime } from '../../ui/time-slider.ts';
import { decimal } from '../../ui/value-text.ts';
import { programRows } from '../program-rows.ts';
import { segmentAt } from '../timed-path.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { rangeBetween } from './loop-range.ts';
import { pauseAt } from './playback.ts';
import { drawTimeline, RULER_PX } from './timeline-canvas.ts';
import { deviationText } from './timeline-deviation.ts';
import type { PlotName } from './timeline-plots.ts';

const ZOOM = 1.0015;
/** A press on the ruler that moves less than this is a click, not a range. */
const STILL_PX = 4;

interface TimelineSheetProps {
  readonly store: ToolpathStore;
  /** What of the time is drawn; a zoom changes it. */
  readonly axis: Signal<TimeAxis>;
  readonly plots: ReadonlySignal<readonly PlotName[]>;
}

/** The canvas with the cursor, as a slider of time. */
export function TimelineSheet({ store, axis, plots }: TimelineSheetProps) {
  const { opened, path, selected, runDeviation, cursor_s, finding } = store.shown;
  const sheet = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const names = useComputed(() => {
    const rows = opened.value ? programRows(opened.value.toolpath) : [];
    return new Map(rows.map(({ at, text }) => [at, text]));
  });
  /** Of the run where that is plotted. */
  const deviation = useComputed(() => plots.value.includes('deviation') && runDeviation.value);
  const drawSoon = useMemo(() => oncePerFrame(() => isOld.current && draw()), []);
  const colour = useRef<((token: string) => string) | null>(null);
  /** Whether what is drawn is old. */
  const isOld = useRef(true);
  /** Its size: reading it here would lay out the page before the frame does. */
  const size = useRef({ width: 0, height: 0 });

  function redraw(): void {
    isOld.current = true;
    drawSoon();
  }
  function draw(): void {
    const { width, height } = size.current;
    // Software graphics take a second for the moves of a dense toolpath, the processor a few ms.
    const willReadFrequently = document.documentElement.dataset['graphics'] === 'software';
    const context = canvas.current!.getContext('2d', { willReadFrequently });
    // A hidden timeline has no size: what changes meanwhile is drawn once it is shown.
    if (!context || width === 0) return;
    isOld.current = false;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.current!.width = Math.round(width * ratio);
    canvas.current!.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    colour.current ??= createTokens(canvas.current!);
    const surface = { context, axis: axis.peek(), height_px: height, colour: colour.current };
    drawTimeline(surface, store.view(), { plots: plots.peek(), names: names.peek() });
  }
  /** Draws in a new size at once: it comes between the layout of a frame and its picture. */
  function resize({ width, height }: DOMRectReadOnly): void {
    const isNew = width !== size.current.width || height !== size.current.height;
    size.current = { width, height };
    if (width > 0 && axis.peek().width_px !== width)
      axis.value = { ...axis.peek(), width_px: width };
    if (isNew || isOld.current) draw();
  }
  useLayoutEffect(() => {
    onTheme(redraw);
    new ResizeObserver(([entry]) => resize(entry!.contentRect)).observe(sheet.current!);
    takePointer(sheet.current!, store, axis);
  }, []);
  useSignalEffect(() => {
    void [axis.value, plots.value, path.value, selected.value, names.value, deviation.value];
    redraw();
  });
  // With every frame of a playback, so by hand.
  useSignalEffect(() => {
    const { from_s, to_s } = axis.value;
    const now_s = cursor_s.value;
    const isSeen = path.value !== null && now_s >= from_s && now_s <= to_s;
    cursor.current!.hidden = !isSeen;
    cursor.current!.style.transform = `translateX(${xOf(axis.value, now_s).toFixed(1)}px)`;
    const segment = path.value?.segments[segmentAt(path.value, now_s)];
    const name = (segment && names.value.get(segment.at)) ?? '';
    const wrong = finding.value || segment?.problem ? ', error' : '';
    const text = `${decimal(now_s, 2)} seconds, ${name}${wrong}`;
    sayTime(sheet.current!, { from_s: 0, to_s: path.value?.duration_s ?? 0, now_s, text });
  });
  return (
    <div
      ref={sheet}
      class="timeline-sheet"
      // biome-ignore lint/a11y/useAriaPropsForRole: its time is said with every frame
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-description={deviationText(runDeviation.value) || undefined}
    >
      <canvas ref={canvas} class="timeline-canvas" />
      <div ref={cursor} class="timeline-cursor" />
    </div>
  );
}

/** Handles the pointer: a drag scrubs, a drag on the ruler sets the loop range, the wheel zooms. */
function takePointer(sheet: HTMLElement, store: ToolpathStore, axis: Signal<TimeAxis>): void {
  /** Where on the ruler a drag began; null elsewhere. */
  let ruled_px: number | null = null;
  const timeOf = (x_px: number) => timeAtX(axis.peek(), x_px);
  const scrub = (x_px: number) => pauseAt(store, timeOf(x_px));
  onDrag(sheet, (x, event) => {
    if (event.type === 'pointerdown') ruled_px = offsetOf(event, sheet)[1] < RULER_PX ? x : null;
    const whole_s = store.view().path?.duration_s ?? 0;
    if (ruled_px === null) scrub(x);
    else if (Math.abs(x - ruled_px) >= STILL_PX) {
      const range = rangeBetween(timeOf(ruled_px), timeOf(x), whole_s);
      if (range) store.setLoopRange(range);
    }
  });
  sheet.addEventListener('pointerup', (event) => {
    const [x] = offsetOf(event, sheet);
    if (ruled_px !== null && Math.abs(x - ruled_px) < STILL_PX) scrub(x);
  });
  sheet.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { path } = store.view();
      if (!path) return;
      const about_s = timeOf(offsetOf(event, sheet)[0]);
      const zoom = { about_s, factor: ZOOM ** event.deltaY, whole_s: path.duration_s };
      axis.value = zoomAxis(axis.peek(), zoom);
    },
    { passive: false },
  );
}
