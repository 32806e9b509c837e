/** Options of the next run; the motion bar reads them. */
export interface RunChoice {
  mode: 'automatic' | 'teach';
  loops: number;
}
