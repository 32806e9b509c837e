/** The input for a new password, with the bounds that the API sets. */
import { type Field, field } from '../panels/form.ts';

const PASSWORD_LEAST = '8';
const PASSWORD_MOST = '256';

/** An input for a new password under its label. */
export function passwordField(words: string): Field {
  return field(words, {
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    minlength: PASSWORD_LEAST,
    maxlength: PASSWORD_MOST,
  });
}
