/** Contacts of the first joints, and free motions at full speed with the largest load. */
import { contactCases } from './servo-contact.cases.ts';

contactCases({
  joints: [0, 1, 2],
  moves: { high: 200, medium: 200, low: 200 },
  touches: [[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]],
  watched: ['high', 'medium', 'low', null],
});
