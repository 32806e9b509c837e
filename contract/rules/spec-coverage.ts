/**
 * Deliberate deviations of the service from the spec, and requirements that no rule proves. Used by
 * docs/conformance.md.
 */

/**
 * Requirements that no rule proves over HTTP, each with the reason. A test compares list and rules.
 */
export const UNPROVEN: { readonly [requirement: string]: string } = {
  A19: 'next_label_id is for editors only: the service accepts any integer',
  A55: 'states what clients must not rely on; the service has nothing to prove',
  A61: 'replies do not show the distance to the tool; proven by unit tests of collision',
  A63: 'needs a zone around the whole arm; proven by unit tests of collision',
  A89: 'needs a shutdown, after which the service does not reply',
};

export interface SpecDeviation {
  /** The decision, documented in docs/decisions. */
  readonly decision: string;
  /** Section and text of the spec. */
  readonly section: string;
  readonly spec: string;
  readonly here: string;
  readonly reason: string;
  /** Rules that prove the behaviour of this service. */
  readonly rules: readonly string[];
}

export const DEVIATIONS: readonly SpecDeviation[] = [
  {
    decision: 'D2',
    section: '§1',
    spec: 'Requests must carry the header `Content-Type: application/json`.',
    here: 'A request without a body needs no content type; a wrong one is refused with 415.',
    reason: 'No client sends a content type with a GET; a strict check would refuse them all.',
    rules: ['http/content-type'],
  },
  {
    decision: 'D23',
    section: '§7',
    spec:
      'Motion errors are separate and appear inside calculation and trajectory results, ' +
      'not as API errors.',
    here: 'go_to answers 400 with error_code 8, and the motion error code in the details.',
    reason: 'go_to has no result object, and arms in the field respond like this.',
    rules: ['go-to/body'],
  },
  {
    decision: 'D29',
    section: '§3.1',
    spec: 'paused, POST resume, lock held: running.',
    here: 'A run that was paused while stopping returns to stopping.',
    reason: 'Returning to running would lose the request to stop after the loop.',
    rules: ['stop-loop/ends-after-the-loop'],
  },
  {
    decision: 'D35',
    section: '§4.6',
    spec:
      '`inputs.a0_mode`, `inputs.a1_mode` stand among the keys that can be edited ' +
      '(described as read-only for the inputs).',
    here: 'They are refused as read-only.',
    reason: 'The description is explicit; the table is not.',
    rules: [],
  },
];
