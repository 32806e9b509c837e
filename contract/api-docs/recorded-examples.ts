/** Examples of calls that `npm run generate examples` recorded from a twin. */
import recorded from './examples.generated.json' with { type: 'json' };

/** Request body, reply, and the details of refusals by error name. */
export interface RecordedExample {
  readonly body?: unknown;
  readonly reply?: unknown;
  readonly refusals: { readonly [error: string]: unknown };
}

/** The examples by the id of the route. */
export const RECORDED_EXAMPLES: { readonly [route: string]: RecordedExample } = recorded;
