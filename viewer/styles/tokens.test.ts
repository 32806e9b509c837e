import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Rgb = readonly [number, number, number];
type Tokens = ReadonlyMap<string, Rgb>;

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function readTokens(block: string): Tokens {
  const found = block.matchAll(/--([\w-]+): #([0-9a-f]{6});/g);
  return new Map(
    Array.from(found, ([, name, hex]) => {
      const value = Number.parseInt(hex!, 16);
      return [name!, [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]];
    }),
  );
}

const [lightBlock, darkBlock] = css.split(':root[data-theme="dark"]');
const themes = { light: readTokens(lightBlock!), dark: readTokens(darkBlock!) };

const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

type Matrix = readonly [Rgb, Rgb, Rgb];

function multiply(m: Matrix, v: Rgb): Rgb {
  const row = (i: 0 | 1 | 2) => m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return [row(0), row(1), row(2)];
}

/** Full dichromacy in linear RGB (Machado, Oliveira, Fernandes 2009, severity 1). */
const VISIONS: Record<string, Matrix> = {
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];

function lab(rgb: Rgb): Rgb {
  const [x, y, z] = multiply(TO_XYZ, rgb);
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** How a viewer with that vision sees a colour, in CIE Lab. */
function seen([r, g, b]: Rgb, vision: Matrix): Rgb {
  const clamp = (c: number) => Math.min(Math.max(c, 0), 1);
  const [x, y, z] = multiply(vision, [linear(r), linear(g), linear(b)]);
  return lab([clamp(x), clamp(y), clamp(z)]);
}

/** CIE76 distance as a viewer with that vision sees it. */
function distance(a: Rgb, b: Rgb, vision: Matrix): number {
  const p = seen(a, vision);
  const q = seen(b, vision);
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function smallest(tokens: Tokens, names: readonly string[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const vision of Object.values(VISIONS)) {
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) {
        least = Math.min(least, distance(tokens.get(a)!, tokens.get(b)!, vision));
      }
    }
  }
  return least;
}

it('has the same colours in both themes', () => {
  expect([...themes.dark.keys()]).toEqual([...themes.light.keys()]);
  expect(themes.light.size).toBeGreaterThan(30);
});

describe.each(['light', 'dark'] as const)('the %s theme', (name) => {
  const tokens = themes[name];
  const on = (text: string, ground: string) => contrast(tokens.get(text)!, tokens.get(ground)!);

  it.each([
    ['text', 'panel'],
    ['text', 'raise'],
    ['text2', 'panel'],
    ['text2', 'raise'],
    ['text2', 'stage-edge'],
    ['text3', 'panel'],
    ['text3', 'raise'],
    ['text', 'hover'],
    ['text2', 'hover'],
    ['text3', 'hover'],
    ['on-ink', 'ink'],
    ['run', 'run-weak'],
    ['warn', 'warn-weak'],
    ['fault', 'fault-weak'],
    ['fault', 'panel'],
  ])('writes %s on %s at 4.5 : 1 or more', (text, ground) => {
    expect(on(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it('draws control borders and plot lines at 3 : 1 or more', () => {
    for (const line of ['line2', 'j1', 'j2', 'j3', 'j4', 'j5', 'j6', 'accent']) {
      expect(on(line, 'panel'), line).toBeGreaterThanOrEqual(3);
    }
  });

  it('keeps its families apart under every colour vision', () => {
    expect(smallest(tokens, ['run', 'warn', 'fault'])).toBeGreaterThan(10);
    expect(smallest(tokens, ['move-joint', 'move-linear', 'move-spline'])).toBeGreaterThan(12);
    expect(smallest(tokens, ['j1', 'j2', 'j3', 'j4', 'j5', 'j6'])).toBeGreaterThan(8);
  });
});
