import { Icon } from '../ui/drawn-icon.tsx';
import type { Finding } from './finding.ts';

/** The icon of an error or a warning. */
export function FindingIcon({ of: { kind } }: { readonly of: Finding }) {
  return <Icon name={kind === 'error' ? 'warn' : 'fault'} />;
}
