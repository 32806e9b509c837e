/** Address of the input or output that a step reads or writes (§2.5). */
export interface SignalAddress {
  readonly location: 'base' | 'end_effector';
  readonly type: 'analog' | 'digital';
  readonly index: number;
}
