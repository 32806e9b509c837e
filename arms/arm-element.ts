/** The element that gives a page its arm; browsers do not execute it. */
import { BOUND_ARM } from './bound-arm.ts';
import { ARM_ELEMENT } from './page-arm.ts';

/**
 * A page with the arm of this process, which the page reads when it loads; unchanged for the default
 * arm, which is built in.
 */
export function withArm(page: string): string {
  if (BOUND_ARM.fingerprint === '') return page;
  // No text of the arm can end the element.
  const text = JSON.stringify(BOUND_ARM).replace(/</g, '\\u003c');
  const element = `<script type="application/json" id="${ARM_ELEMENT}">${text}</script>`;
  return page.replace('</head>', () => `${element}</head>`);
}
