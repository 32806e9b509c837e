/** A digital or analog value at an input. */
export type SignalLevel = boolean | number;

export interface Scale {
  readonly at_zero: number;
  readonly at_full_scale: number;
}

/** A signal between its ends. */
export function scaled({ at_zero, at_full_scale }: Scale, share: number): number {
  return at_zero + (at_full_scale - at_zero) * Math.min(1, Math.max(0, share));
}
