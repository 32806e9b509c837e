import { assert } from './assert.ts';

/**
 * The parts of a state that lies in one array of numbers, in their order: whoever saves, loads or
 * views the array goes by their names.
 */
export class Layout<Name extends string> {
  /** Where each part begins. */
  readonly at: Readonly<Record<Name, number>>;
  /** Numbers of all parts together. */
  readonly size: number;
  private readonly sizes: Readonly<Record<Name, number>>;

  /** `sizes` says how many numbers each part has. */
  constructor(sizes: Readonly<Record<Name, number>>) {
    const at: Partial<Record<Name, number>> = {};
    let size = 0;
    for (const name of Object.keys(sizes) as Name[]) {
      at[name] = size;
      size += sizes[name];
    }
    this.at = at as Record<Name, number>;
    this.size = size;
    this.sizes = sizes;
  }

  /** An array of this layout, all zero. */
  create(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.size);
  }

  /** Each part as a view of an array of this layout. */
  views<Memory extends ArrayBufferLike>(
    numbers: Float64Array<Memory>,
  ): Readonly<Record<Name, Float64Array<Memory>>> {
    assert(
      numbers.length === this.size,
      `an array of ${numbers.length} numbers does not have the ${this.size} of its layout`,
    );
    const views: Partial<Record<Name, Float64Array<Memory>>> = {};
    for (const name of Object.keys(this.sizes) as Name[]) {
      views[name] = numbers.subarray(this.at[name], this.at[name] + this.sizes[name]);
    }
    return views as Record<Name, Float64Array<Memory>>;
  }
}
