/** What is on the screen of a page. */
export interface Place {
  /** Id of what is open: a toolpath, a workflow; null for none. */
  readonly id: number | null;
  readonly params: Readonly<Record<string, string>>;
}

export const NO_PLACE: Place = { id: null, params: {} };
