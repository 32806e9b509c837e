/**
 * The arm of a page, in place of given-arm.ts: the server writes the arm into the page, and the page
 * gives it to its workers as their name. Neither may load it: the physics needs it when it loads.
 */
import type { GivenArm } from './given-arm.ts';

/** The element of a page that holds its arm; absent for the default one. */
export const ARM_ELEMENT = 'armtwin-arm';

/** The text of the page's arm, or of the worker's; empty for the default one. */
export function armText(): string {
  if ('document' in globalThis) return document.getElementById(ARM_ELEMENT)?.textContent ?? '';
  return (globalThis as { readonly name?: string }).name ?? '';
}

/** The arm of this page or worker; null for the default one. */
export function givenArm(): GivenArm | null {
  const text = armText();
  return text.startsWith('{') ? (JSON.parse(text) as GivenArm) : null;
}
