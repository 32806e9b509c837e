/**
 * Requirements that no rule proves over HTTP, each with the reason. A test compares list and rules.
 */
export const UNPROVEN: { readonly [requirement: string]: string } = {
  A19: 'next_label_id is for editors only: the service accepts any integer',
  A55: 'states what clients must not rely on; the service has nothing to prove',
  A61: 'replies do not show the distance to the tool; proven by unit tests of collision',
  A63: 'needs a zone around the whole arm; proven by unit tests of collision',
  A89: 'needs a shutdown, after which the service does not reply',
};
