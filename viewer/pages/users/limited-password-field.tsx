import { type Bound, PasswordField } from '../../ui/fields.tsx';

const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/** A field for a password, with the length limits of the API. */
export function LimitedPasswordField(props: { readonly label: string } & Bound<string>) {
  return <PasswordField {...props} required minLength={MIN_LENGTH} maxLength={MAX_LENGTH} />;
}
