/** Defaults that rows of the endpoint table share. */
import { limits } from '../limits.ts';

const common = {
  role: 'user',
  lock: false,
  bodyLimit_bytes: limits.body_default_bytes,
  timeout_s: limits.call_default_s,
} as const;

/** Defaults of a call that returns 200 with JSON. */
export const JSON_REPLY = {
  ...common,
  auth: 'session',
  status: { documented: 200, fielded: 200 },
} as const;

/** Defaults of a call that returns 204 without a body. */
export const NO_CONTENT = {
  ...common,
  auth: 'session',
  status: { documented: 204, fielded: 204 },
} as const;

/** Defaults of a motion call: 204 as documented, 200 with `{}` in the field. */
export const MOTION_CALL = {
  ...common,
  auth: 'session',
  lock: true,
  status: { documented: 204, fielded: 200 },
} as const;

/** Body size and timeout of a call that plans a whole toolpath. */
export const PLANNING_BOUNDS = {
  bodyLimit_bytes: limits.body_toolpath_bytes,
  timeout_s: limits.call_plan_s,
} as const;

/** The query parameter for the page size of a long list. */
export const PAGE_SIZE = {
  description: `Maximum number of entries; default ${limits.page_entries}`,
  minimum: 1,
  maximum: limits.page_entries,
} as const;
