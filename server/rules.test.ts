/**
 * The conformance rules of calls that the dialect changes, in the fielded dialect; with
 * `ARMTWIN_RULES=all`, as in mutation testing, the others too.
 * @module-tag ci
 */
import { DIALECT_RULES, fieldedCases, OTHER_RULES } from './rules.cases.ts';

const isAll = process.env['ARMTWIN_RULES'] === 'all';
fieldedCases(isAll ? [...DIALECT_RULES, ...OTHER_RULES] : DIALECT_RULES);
