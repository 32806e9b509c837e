import { ICON_PATHS, type StrokeName } from './icon.ts';

/** A decorative stroke on 16 × 16 units. */
export function LineDrawing({ name, path }: { readonly name: string; readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" class={`icon ${name}`} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** An icon; it is decorative, so its button needs text or an aria-label. */
export function Icon({ name }: { readonly name: StrokeName }) {
  return <LineDrawing name={`icon-${name}`} path={ICON_PATHS[name]} />;
}

/** The sign of the product. */
export function Logo() {
  return (
    <svg viewBox="0 0 16 16" class="icon icon-logo" aria-hidden="true">
      <path d={ICON_PATHS.logo} />
      <circle cx="12.6" cy="9" r="1.3" />
    </svg>
  );
}
