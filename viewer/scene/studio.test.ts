// @module-tag ci

import { DataUtils } from 'three';
import { expect, it } from 'vitest';
import { createStudio } from './studio.ts';

interface Level {
  readonly data: Uint16Array;
  readonly width: number;
}
/** Indices of the cube's sides by world direction; three mirrors x. */
const [FRONT, LEFT, UP, DOWN] = [1, 3, 4, 5];

function levelsOf(theme: 'light' | 'dark', side: number): readonly Level[] {
  const images = createStudio(theme).image as { readonly mipmaps: readonly Level[] }[];
  return images[side]!.mipmaps;
}

/** Mean brightness of a side at a mip level. */
function brightness(theme: 'light' | 'dark', side: number, level: number): number {
  const { data } = levelsOf(theme, side)[level]!;
  const parts = [...data].filter((_, i) => i % 4 !== 3).map(DataUtils.fromHalfFloat);
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

it('halves the side length from level to level', () => {
  expect(levelsOf('light', UP).map(({ width }) => width)).toEqual([128, 64, 32, 16, 8]);
});

it('is brightest above, at the soft box, and darkest below', () => {
  for (const theme of ['light', 'dark'] as const) {
    expect(brightness(theme, UP, 3)).toBeGreaterThan(1.3 * brightness(theme, FRONT, 3));
    expect(brightness(theme, FRONT, 3)).toBeGreaterThan(brightness(theme, DOWN, 3));
  }
});

it('spreads over more sides with higher roughness', () => {
  expect(brightness('dark', LEFT, 4)).toBeGreaterThan(1.5 * brightness('dark', DOWN, 2));
  const contrast = (level: number) =>
    brightness('dark', UP, level) / brightness('dark', DOWN, level);
  expect(contrast(4)).toBeLessThan(contrast(2));
});

it('writes only finite numbers', () => {
  for (const { data } of levelsOf('light', UP).slice(2)) {
    expect([...data].every((half) => Number.isFinite(DataUtils.fromHalfFloat(half)))).toBe(true);
  }
});
