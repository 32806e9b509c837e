/** The conformance rules of calls that are the same in both dialects, in the fielded one. */
import { fieldedCases, OTHER_RULES } from './rules.cases.ts';

fieldedCases(OTHER_RULES);
