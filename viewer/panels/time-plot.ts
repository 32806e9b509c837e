/**
 * A canvas plot of six joint values over a sliding time window: fixed value range, labels at the
 * ends of the lines, dashed limits with their value. Contains the ring buffer of the values and the
 * placement of the labels.
 */

const JOINTS = 6;

/** The values of six joints over a time window. Pure: time is an argument. */
export interface JointSeries {
  readonly span_ms: number;
  /** Adds six values; drops them if they come sooner than `step_ms` after the last ones. */
  add(values: ArrayLike<number>, now_ms: number): void;
  /** Number of stored points. */
  length(): number;
  time_ms(index: number): number;
  value(index: number, joint: number): number;
  clear(): void;
}

/** A ring buffer for `span_ms` with one point each `step_ms`, and some spare capacity. */
export function createJointSeries(span_ms: number, step_ms: number): JointSeries {
  const capacity = Math.ceil((span_ms / step_ms) * 1.25) + 4;
  const times = new Float64Array(capacity);
  const values = new Float64Array(capacity * JOINTS);
  let first = 0;
  let count = 0;
  const slot = (index: number) => (first + index) % capacity;

  return {
    span_ms,
    add(next, now_ms) {
      if (count > 0 && now_ms - times[slot(count - 1)]! < step_ms * 0.75) return;
      if (count === capacity) {
        first = (first + 1) % capacity;
        count--;
      }
      const at = slot(count);
      times[at] = now_ms;
      for (let j = 0; j < JOINTS; j++) values[at * JOINTS + j] = next[j]!;
      count++;
      while (count > 2 && times[slot(1)]! < now_ms - span_ms) {
        first = (first + 1) % capacity;
        count--;
      }
    },
    length: () => count,
    time_ms: (index) => times[slot(index)]!,
    value: (index, joint) => values[slot(index) * JOINTS + joint]!,
    clear() {
      count = 0;
    },
  };
}

/** The range of label positions and their smallest distance. */
export interface LabelBounds {
  readonly gap: number;
  readonly low: number;
  readonly high: number;
}

/** Adjacent labels, centred as one block on the mean of their wanted positions. */
interface LabelBlock {
  sum: number;
  count: number;
  start: number;
}

/** Sets the start of a block, clamped to the bounds. */
function placeBlock(block: LabelBlock, { gap, low, high }: LabelBounds): void {
  const length = (block.count - 1) * gap;
  const wanted = block.sum / block.count - length / 2;
  block.start = Math.max(Math.min(wanted, high - length), low);
}

/**
 * Positions for labels wanted at `wanted`, moved apart so that they do not overlap. Keeps the order
 * of the values (ties in the order given). All labels must fit into the bounds. Pure.
 */
export function spreadLabels(wanted: readonly number[], bounds: LabelBounds): number[] {
  const { gap } = bounds;
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const blocks: LabelBlock[] = [];
  for (const i of order) {
    let block: LabelBlock = { sum: wanted[i]!, count: 1, start: 0 };
    placeBlock(block, bounds);
    let before = blocks.at(-1);
    while (before && before.start + before.count * gap > block.start) {
      blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count, start: 0 };
      placeBlock(block, bounds);
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  const positions = blocks.flatMap(({ start, count }) =>
    Array.from({ length: count }, (_, k) => start + k * gap),
  );
  const placed = [...wanted];
  for (const [k, i] of order.entries()) placed[i] = positions[k]!;
  return placed;
}

/** The fixed value range of a plot. */
export interface PlotRange {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Dashed lines; `limitText` labels the upper one. */
  readonly limits: readonly number[];
  readonly limitText: string;
}

export interface TimePlotOptions {
  readonly series: JointSeries;
  readonly range: PlotRange;
  /** Labels of the time axis, from its start to now. */
  readonly times: readonly string[];
}

export interface TimePlot {
  readonly canvas: HTMLCanvasElement;
  /** Draws the window up to `now_ms`, unless the picture would be the one before. */
  draw(now_ms: number, faded: boolean): void;
}

const PAD = { left: 36, right: 34, top: 6, bottom: 20 } as const;
const LABEL_GAP = 12;
const FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';
const JOINT_INDICES = [0, 1, 2, 3, 4, 5] as const;

interface Frame {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly colour: (token: string) => string;
  readonly x: (time_ms: number) => number;
  readonly y: (value: number) => number;
}

function drawGrid(frame: Frame, { range, times }: TimePlotOptions): void {
  const { context, width, height, colour, y } = frame;
  context.lineWidth = 1;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const tick of range.ticks) {
    const at = Math.round(y(tick)) + 0.5;
    context.strokeStyle = colour(tick === 0 ? 'line2' : 'line');
    context.beginPath();
    context.moveTo(PAD.left, at);
    context.lineTo(width - PAD.right, at);
    context.stroke();
    context.fillStyle = colour('text3');
    context.fillText(String(tick).replace('-', '−'), PAD.left - 6, at);
  }
  context.textBaseline = 'alphabetic';
  times.forEach((label, i) => {
    const share = i / (times.length - 1);
    context.textAlign = 'center';
    context.fillStyle = colour('text3');
    const at = PAD.left + share * (width - PAD.left - PAD.right);
    context.fillText(label, at, height - 5);
  });
}

function drawLimits(frame: Frame, range: PlotRange): void {
  const { context, width, colour, y } = frame;
  context.strokeStyle = context.fillStyle = colour('fault');
  context.setLineDash([5, 4]);
  for (const limit of range.limits) {
    const at = Math.round(y(limit)) + 0.5;
    context.beginPath();
    context.moveTo(PAD.left, at);
    context.lineTo(width - PAD.right, at);
    context.stroke();
  }
  context.setLineDash([]);
  context.textAlign = 'right';
  const upper = range.limits.length > 0 ? Math.max(...range.limits) : 0;
  if (range.limitText) context.fillText(range.limitText, width - PAD.right - 4, y(upper) + 12);
}

function drawLine(frame: Frame, series: JointSeries, joint: number): void {
  const { context, colour, x, y } = frame;
  context.strokeStyle = colour(`j${joint + 1}`);
  context.lineWidth = 1.5;
  context.beginPath();
  for (let i = 0; i < series.length(); i++) {
    const px = Math.max(x(series.time_ms(i)), PAD.left);
    const py = y(series.value(i, joint));
    if (i === 0) context.moveTo(px, py);
    else context.lineTo(px, py);
  }
  context.stroke();
}

function drawLabels(frame: Frame, series: JointSeries): void {
  const { context, width, height, colour, y } = frame;
  const last = series.length() - 1;
  if (last < 0) return;
  const wanted = JOINT_INDICES.map((joint) => y(series.value(last, joint)));
  const placed = spreadLabels(wanted, {
    gap: LABEL_GAP,
    low: PAD.top + 6,
    high: height - PAD.bottom - 2,
  });
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.font = `600 ${FONT}`;
  for (const joint of JOINT_INDICES) {
    context.fillStyle = colour(`j${joint + 1}`);
    context.fillText(`J${joint + 1}`, width - PAD.right + 7, placed[joint]!);
  }
  context.font = FONT;
}

/** Reads colours of the style sheets, once for each theme. */
function createTokens(canvas: HTMLCanvasElement): (theme: string, name: string) => string {
  const tokens = new Map<string, string>();
  return (theme, name) => {
    const key = `${theme} ${name}`;
    const known = tokens.get(key) ?? getComputedStyle(canvas).getPropertyValue(`--${name}`);
    tokens.set(key, known);
    return known;
  };
}

/** Creates a plot; its canvas follows the size given by the style sheet. */
export function createTimePlot(options: TimePlotOptions): TimePlot {
  const canvas = document.createElement('canvas');
  canvas.className = 'plot-canvas';
  canvas.setAttribute('role', 'img');
  const context = canvas.getContext('2d');
  // Reading the size while drawing would lay out the page each time.
  let width = 0;
  let height = 0;
  let ratio = 1;
  let redraw = (): void => undefined;
  let drawn = { now_ms: Number.NaN, newest_ms: 0, faded: false, theme: '' };
  new ResizeObserver(([entry]) => {
    ({ width, height } = entry!.contentRect);
    ratio = Math.min(devicePixelRatio, 2);
    drawn.now_ms = Number.NaN;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    redraw();
  }).observe(canvas);
  const token = createTokens(canvas);

  return {
    canvas,
    draw(now_ms, faded) {
      redraw = () => this.draw(now_ms, faded);
      if (!context || width === 0) return;
      const { series, range } = options;
      const inner = { width: width - PAD.left - PAD.right, height: height - PAD.top - PAD.bottom };
      const theme = document.documentElement.dataset['theme'] ?? '';
      const last = series.length() - 1;
      const newest_ms = last < 0 ? 0 : series.time_ms(last);
      const same = faded === drawn.faded && theme === drawn.theme && newest_ms === drawn.newest_ms;
      const pixel_ms = series.span_ms / (inner.width * ratio);
      if (same && Math.abs(now_ms - drawn.now_ms) < pixel_ms) return;
      drawn = { now_ms, newest_ms, faded, theme };
      const frame: Frame = {
        context,
        width,
        height,
        colour: (name) => token(theme, faded && /^j\d$|^fault$/.test(name) ? 'line2' : name),
        x: (time) => PAD.left + (1 - (now_ms - time) / series.span_ms) * inner.width,
        y: (value) => PAD.top + ((range.high - value) / (range.high - range.low)) * inner.height,
      };
      context.clearRect(0, 0, width, height);
      context.font = FONT;
      drawGrid(frame, options);
      for (const joint of JOINT_INDICES) drawLine(frame, series, joint);
      drawLimits(frame, range);
      drawLabels(frame, series);
    },
  };
}
