import { type Field, field } from '../../ui/form.ts';

const PASSWORD_MIN_LENGTH = '8';
const PASSWORD_MAX_LENGTH = '256';

/** A field for a new password, with the length limits of the API. */
export function passwordField(label: string): Field {
  return field(label, {
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    minlength: PASSWORD_MIN_LENGTH,
    maxlength: PASSWORD_MAX_LENGTH,
  });
}
