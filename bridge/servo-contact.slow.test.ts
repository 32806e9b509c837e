/** Free motions with detection at high sensitivity, many times. */
import { contactCases } from './servo-contact.cases.ts';

contactCases(200);
