import type { Dialect } from '../../../contract/routes/row.ts';

/**
 * The response dialect (D1): `documented` follows the specification, `fielded` matches real arms;
 * `auto` chooses by user agent.
 */
export type DialectSetting = Dialect | 'auto';
