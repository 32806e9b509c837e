/**
 * Where the service leaves the letter of the spec on purpose: what the spec says, what is done, and
 * why. Data, for the document on conformance and for whoever compares the two.
 */
export interface Deviation {
  /** Decision under docs/decisions that took it. */
  readonly decision: string;
  /** Section of the spec, and its words. */
  readonly section: string;
  readonly spec: string;
  readonly here: string;
  readonly reason: string;
  /** Rules that hold the service to what is done here. */
  readonly rules: readonly string[];
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    decision: 'D2',
    section: '§1',
    spec: 'Requests must carry the header `Content-Type: application/json`.',
    here: 'A request without a body needs no content type; a wrong one is refused with 415.',
    reason: 'No client sends a content type with a GET; refusing it would shut out all of them.',
    rules: ['http/content-type'],
  },
  {
    decision: 'D23',
    section: '§7',
    spec:
      'Motion errors are separate and appear inside calculation and trajectory results, ' +
      'not as API errors.',
    here: 'go_to answers 400 with error_code 8, and the motion error code in the details.',
    reason: 'go_to has no result to put it in, and arms in the field answer so.',
    rules: ['go-to/body'],
  },
  {
    decision: 'D29',
    section: '§3.1',
    spec: 'paused, POST resume, lock held: running.',
    here: 'A run that was paused while stopping returns to stopping.',
    reason: 'Going back to running would forget that the loop was to be the last.',
    rules: ['stop-loop/ends-after-the-loop'],
  },
  {
    decision: 'D35',
    section: '§4.6',
    spec:
      '`inputs.a0_mode`, `inputs.a1_mode` stand among the keys that can be edited ' +
      '(described as read-only for the inputs).',
    here: 'They are refused as read-only.',
    reason: 'The description is clear where the table is not.',
    rules: [],
  },
];
