import { KeptDocument } from './kept-document.ts';

/** What a user has chosen in this browser. */
export interface Preferences {
  /** Theme of the page; `system` follows that of the system. */
  readonly theme: string;
  /** How the user signed in last. */
  readonly signInMethod: string;
  /** Order of the list of toolpaths. */
  readonly toolpathOrder: string;
  /** Open sections of the Simulation page, by name. */
  readonly openSections: readonly string[];
  /** Whether the hints of the first visit have been shown. */
  readonly hintsShown: boolean;
}

/** The preferences of this browser. A value may be one of another version of the page. */
export const preferences = new KeptDocument<Preferences>('armtwin.preferences', {
  theme: 'system',
  signInMethod: 'token',
  toolpathOrder: 'added',
  openSections: ['Situations', 'Cell', 'Clock', 'Manual control'],
  hintsShown: false,
});
