import { Color } from 'three';
import type { CellShape } from '../../contract/types.generated.ts';
import { isLabware } from './object-shapes.ts';

const NAMED: readonly (readonly [RegExp, number])[] = [
  [/\bred\b/i, 0xc4452f],
  [/\bblue\b/i, 0x3b6fc9],
  [/\bgreen\b/i, 0x3a8f5f],
  [/\byellow\b/i, 0xdba62b],
  [/\borange\b/i, 0xd97b2b],
  [/\b(?:black|dark)\b/i, 0x2f3338],
];
const OTHERS = [0xd9913a, 0x2b8f94, 0x8a5aa8, 0x5b7d3a, 0xb4566f, 0x54708f] as const;
const LABWARE = 0xf1f2f0;

/** The colour of an object: as its name says, else by its kind and number. */
export function objectColour(name: string, shape: CellShape, number: number): Color {
  const named = NAMED.find(([word]) => word.test(name))?.[1];
  if (named !== undefined) return new Color(named);
  return new Color(isLabware(shape) ? LABWARE : OTHERS[number % OTHERS.length]!);
}
