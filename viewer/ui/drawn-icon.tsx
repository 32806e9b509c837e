import { ICON_PATHS, type StrokeName } from './icon.ts';

/** An icon; it is decorative, so its button needs text or an aria-label. */
export function Icon({ name }: { readonly name: StrokeName }) {
  return (
    <svg viewBox="0 0 16 16" class={`icon icon-${name}`} aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
