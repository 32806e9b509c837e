/** What is drawn of values over time: nothing where they are not known, and each extreme. */
import { describe, expect, it } from 'vitest';
import { drawLines, drawScale, type PlotSheet } from './plot.ts';

const AXIS = { from_s: 0, to_s: 10, width_px: 100, left_px: 0, right_px: 0 };
const AREA = { top: 0, bottom: 100 };
const SCALE = { low: 0, high: 100, ticks: [0, 50, 100], limits: [90] };

/** A sheet that notes the points of lines, and texts with their places. */
function noting() {
  const lines: [x: number, y: number][][] = [];
  const texts: [text: string, x: number, y: number][] = [];
  const context = {
    measureText: (text: string) => ({ width: 6 * text.length }),
    moveTo: (x: number, y: number) => lines.push([[x, y]]),
    lineTo: (x: number, y: number) => lines.at(-1)!.push([x, y]),
    fillText: (text: string, x: number, y: number) => texts.push([text, x, y]),
    beginPath() {},
    stroke() {},
    fillRect() {},
    setLineDash() {},
  } as object as CanvasRenderingContext2D;
  const sheet: PlotSheet = { context, axis: AXIS, colour: (token) => token };
  return { sheet, lines, texts };
}

/** Draws one line through points (s, value). */
function drawn(points: readonly (readonly [time_s: number, value: number])[]) {
  const { sheet, lines, texts } = noting();
  const values = {
    count: points.length,
    time_s: (i: number) => points[i]![0],
    value: (i: number) => points[i]![1],
  };
  drawLines(sheet, [{ label: 'J1', token: 'j1' }], { values, y: (value) => value, area: AREA });
  return { lines, texts };
}

describe('a line', () => {
  it('goes through its values, and has its name at the last', () => {
    const { lines, texts } = drawn([
      [0, 10],
      [5, 20],
      [10, 40],
    ]);
    expect(lines).toEqual([
      [
        [0, 10],
        [50, 20],
        [100, 40],
      ],
    ]);
    expect(texts).toEqual([['J1', 107, 40]]);
  });

  it('ends where nothing is known, and begins again', () => {
    const { lines, texts } = drawn([
      [0, 10],
      [2, 20],
      [3, Number.NaN],
      [6, 30],
      [7, Number.NaN],
    ]);
    const known = lines.map((line) => line.filter(([, y]) => !Number.isNaN(y)));
    expect(known.filter((line) => line.length > 0)).toEqual([
      [
        [0, 10],
        [20, 20],
      ],
      [[60, 30]],
    ]);
    expect(texts).toEqual([['J1', 107, 30]]);
  });

  it('shows each extreme of what falls on a pixel', () => {
    const dense = Array.from(
      { length: 10_001 },
      (_, i) => [i / 1000, i === 5003 ? 99 : 50] as const,
    );
    const { lines } = drawn(dense);
    expect(Math.max(...lines.flat().map(([, y]) => y))).toBe(99);
    expect(lines.flat().length).toBeLessThan(1000);
  });

  it('draws nothing beyond its axis', () => {
    const { lines } = drawn([
      [-5, 1],
      [4, 2],
      [15, 3],
    ]);
    expect(lines).toEqual([[[40, 2]]]);
  });
});

it('leaves out the values between the first and the last where they would cover those', () => {
  const ticksIn = (bottom: number) => {
    const { sheet, texts } = noting();
    drawScale(sheet, { ...SCALE, limitText: 'limit 90' }, { top: 0, bottom });
    return texts.map(([text]) => text);
  };
  expect(ticksIn(100)).toEqual(['0', '50', '100', 'limit 90']);
  expect(ticksIn(20)).toEqual(['0', '100']);
});
