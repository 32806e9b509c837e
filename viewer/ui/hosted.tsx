import { useLayoutEffect, useRef } from 'preact/hooks';

/** An element that draws itself, in the place of a component. */
export function Hosted({ element }: { readonly element: Element }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => host.current!.replaceChildren(element), [element]);
  return <div ref={host} class="mounted" />;
}
