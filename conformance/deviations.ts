/** Deliberate deviations of the service from the spec. Listed in docs/reference/deviations.md. */

export interface SpecDeviation {
  /** The decision, documented in docs/decisions with the mark **deviation**. */
  readonly decision: string;
  /** Section and text of the spec. */
  readonly section: string;
  readonly spec: string;
  readonly here: string;
  readonly reason: string;
  /** Rules that prove the behaviour of this service. */
  readonly rules: readonly string[];
  /** Test files that prove what rules cannot. */
  readonly tests?: readonly string[];
}

export const DEVIATIONS: readonly SpecDeviation[] = [
  {
    decision: 'D1',
    section: '§4.5',
    spec: 'The control calls reply 204 on success.',
    here: 'The dialect `fielded` answers seven of them with 200 and `{}`; `documented` with 204.',
    reason:
      'The public Python client accepts only 200 on these calls, as arms in the field answer.',
    rules: ['pause/holds-and-resumes', 'go-to/moves'],
    tests: ['server/service/http/fielded.test.ts'],
  },
  {
    decision: 'D2',
    section: '§1',
    spec: 'Requests must carry the header `Content-Type: application/json`.',
    here: 'A request without a body needs no content type; a wrong one is refused with 415.',
    reason: 'No client sends a content type with a GET; a strict check would refuse them all.',
    rules: ['http/content-type'],
  },
  {
    decision: 'D2',
    section: '§5',
    spec: 'A missing Content-Type of `application/json` yields HTTP 415.',
    here: 'The dialect `fielded` reads a body without the header as JSON.',
    reason: 'Both public clients send JSON without the header.',
    rules: ['http/content-type-needed'],
  },
  {
    decision: 'D5',
    section: '§7',
    spec: 'The table of status codes: 200, 204, 400, 401, 403 (admin role required), 404, 415.',
    here:
      'Also 405, 413, 417, 421, 426, 429 and 5xx, with error_code 1, 5 or 8. 403 also answers a ' +
      'call without the lock (error_code 3), 400 a wrong state (error_code 1).',
    reason: 'The table names no status for these; arms in the field answer 403 without the lock.',
    rules: ['http/odd-paths', 'http/bodies-bounded', 'lock/needed-for-control'],
    tests: ['server/service/http/refusal-order.test.ts'],
  },
  {
    decision: 'D8',
    section: '§1',
    spec: 'Every versioned path starts with `/api/v1`.',
    here: 'Calls that no arm has are under `/sim/v1`, the workflow scheduler under `/workflow/v1`.',
    reason: 'They are other systems; a client of the arm cannot use them by mistake.',
    rules: ['http/unknown-path'],
  },
  {
    decision: 'D8',
    section: '§3.1',
    spec: 'A motion is also started by `go_to_advanced`.',
    here: 'The path answers 404.',
    reason: 'No document shows the call: any body and reply would be a guess.',
    rules: ['http/unknown-path'],
    tests: ['server/service/http/retired.test.ts'],
  },
  {
    decision: 'D10',
    section: '§3.3',
    spec: 'The events that end a session token.',
    here: 'A new session beyond 500 of a token or 1,000 of a user ends the oldest of its owner.',
    reason: 'A client that logs in without end must not fill the memory.',
    rules: [],
    tests: ['server/service/sessions/sessions.test.ts'],
  },
  {
    decision: 'D9',
    section: '§3.3',
    spec: 'The events that end a session token.',
    here:
      'A change of the role or password of a user, a promotion too, ends the sessions and ' +
      'streams of the user; a teach-mode motion stops.',
    reason: 'No call that was checked with the former role or password goes on.',
    rules: [],
    tests: ['server/service/sessions/revocation.test.ts'],
  },
  {
    decision: 'D18',
    section: '§2.2',
    spec: '`outside`: value < thresholds.lower and thresholds.upper < value.',
    here: 'Below the lower **or** above the upper threshold.',
    reason: 'No value is both; the condition could never hold.',
    rules: [],
    tests: ['physics/toolpath/conditions.test.ts'],
  },
  {
    decision: 'D18',
    section: '§2.2',
    spec: '`thresholds` is an object with the floats `upper` and `lower`.',
    here: '`below` needs only `lower`, `above` only `upper`.',
    reason: 'The other threshold is never read.',
    rules: ['build/conditions'],
  },
  {
    decision: 'D21',
    section: '§2.3',
    spec: '`iterations` of a grid: array of actions, one entry per grid iteration.',
    here: 'An array of arrays: the actions of each iteration.',
    reason: 'An iteration has several actions; a flat array would not show where one ends.',
    rules: ['build/grid'],
  },
  {
    decision: 'D21',
    section: '§2.2',
    spec: 'A grid-waypoint has a `z_offset`.',
    here: 'It may be absent, which means 0: the cell lies in the plane of the grid.',
    reason: "The arm's editor leaves it out, and the files of the field have none.",
    rules: [],
    tests: ['server/toolpath-doors.test.ts'],
  },
  {
    decision: 'D22',
    section: '§2.2',
    spec: 'The first branch of an `if` whose condition is valid is taken; no limit is given.',
    here: 'More than 64 different poses after an `if` are a hard error of the build.',
    reason: 'What follows is planned once for each pose; without a limit a build never ends.',
    rules: [],
    tests: ['server/service/http/motion-codes.test.ts'],
  },
  {
    decision: 'D23',
    section: '§7',
    spec:
      'Motion errors are separate and appear inside calculation and trajectory results, ' +
      'not as API errors.',
    here: 'go_to answers 400 with error_code 8, and the motion error code in the details.',
    reason: 'go_to has no result object, and arms in the field respond like this.',
    rules: ['go-to/body', 'go-to/slowed-in-teach'],
  },
  {
    decision: 'D23',
    section: '§2.4',
    spec: 'The table of motion error codes.',
    here: 'No reply carries the four warnings, and six codes name what the planner cannot fail at.',
    reason: '`error` needs `result: error`; docs/not-simulated.md has the reason of each code.',
    rules: [],
    tests: ['physics/toolpath/motion-codes.test.ts', 'server/service/http/motion-codes.test.ts'],
  },
  {
    decision: 'D27',
    section: '§3.1',
    spec: 'A call in a state that does not allow it: error_code 1, `ERROR_WRONG_STATE`.',
    here: 'Dialect `fielded`, run and home without a toolpath: error_code 0, `Toolpath error`.',
    reason: 'Arms in the field answer this, and a public client shows the text.',
    rules: [],
    tests: ['server/service/http/missing-toolpath.test.ts'],
  },
  {
    decision: 'D28',
    section: '§9',
    spec: 'Every motion endpoint requires `mode`; §4.5 says that home has no body.',
    here: 'home needs no body; `{"mode": "teach"}` is accepted, any other mode is refused.',
    reason: 'The two statements conflict, and home runs only in teach mode.',
    rules: ['home/goes-to-the-first-waypoint'],
    tests: ['server/service/http/missing-toolpath.test.ts'],
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
    rules: ['globals/invalid-changes'],
  },
  {
    decision: 'D36',
    section: '§9',
    spec: 'The reply of globals has, for example, `global.outputs` with all output values.',
    here: 'The reply lists only the values that changed.',
    reason: '§4.6 says so of the same reply, and is the newer text.',
    rules: ['globals/changed'],
  },
  {
    decision: 'D42',
    section: 'webhooks §2.2',
    spec: 'Run, safety and new-plan hooks are `{parameters: {url}}` alone.',
    here: 'A hook without `type`, `filter` and fields of its own is refused.',
    reason: 'Nothing distinguishes the three; a guess would deliver the wrong events.',
    rules: ['workflow/validated'],
  },
];
