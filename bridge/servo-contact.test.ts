/** Contacts by the current at three sensitivities; the slow test moves 200 times. */
import { contactCases } from './servo-contact.cases.ts';

contactCases(3);
