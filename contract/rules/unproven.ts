/**
 * The requirements that no rule over the wire proves, each with the reason. A requirement leaves
 * this list when a rule names it; a test holds the two together.
 */
export const UNPROVEN: { readonly [requirement: string]: string } = {
  A19: 'next_label_id is a note of editors: the service takes any whole number',
  A55: 'says what clients must not rely on; there is nothing to hold the service to',
  A61: 'the replies show no distance to the tool; proven beside the collision code',
  A63: 'needs a zone fitted to the whole arm; proven beside the collision code',
  A89: 'needs a shutdown, after which nothing answers',
  A134: 'needs a change that passes every check and still cannot be applied',
};
