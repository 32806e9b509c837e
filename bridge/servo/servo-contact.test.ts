/**
 * Contacts by the torque at three sensitivities; the slow test moves 200 times at each.
 * @module-tag ci
 */
import { contactCases } from './servo-contact.cases.ts';

contactCases({ joints: [0], moves: { high: 1 }, touches: [[1, 2]], watched: ['high', null] });
