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
