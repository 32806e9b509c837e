import type { ComponentChildren } from 'preact';

/** What stands in the place of something that is not there. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
