/**
 * Which of the two ways of answering a request gets (decision D1): the documented one follows the
 * spec, the fielded one answers as arms in the field do.
 */
import type { Dialect } from '../../contract/routes.ts';

export type DialectSetting = Dialect | 'auto';

/** The Python SDK in the field, which accepts the fielded answers only. */
const FIELDED_CLIENT = 'Automata EvaSDK/';

export function dialectOf(setting: DialectSetting, user_agent: string | undefined): Dialect {
  if (setting !== 'auto') return setting;
  return user_agent?.startsWith(FIELDED_CLIENT) ? 'fielded' : 'documented';
}
