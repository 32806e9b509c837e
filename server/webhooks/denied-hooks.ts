/** The hooks of a workflow definition whose addresses are denied as they are written. */
import { literalDenial, systemAddresses } from './address-rules.ts';

/** Address rules as plain data, for threads. */
export interface StaticAddressRules {
  readonly allowPrivate: boolean;
  readonly ownPort: number;
}

/** The hooks of a workflow definition that go to a denied literal address. */
export function deniedHooks(
  definition: unknown,
  { allowPrivate, ownPort }: StaticAddressRules,
): { readonly path: string; readonly message: string }[] {
  let own: readonly string[] | null = null;
  const ownAddresses = () => {
    own ??= systemAddresses();
    return own;
  };
  const rules = { allowPrivate, ownPort: () => ownPort, ownAddresses };
  const { hooks, workflow } = definition as { hooks?: unknown; workflow?: { hooks?: unknown } };
  const lists = [
    ['/workflow/hooks', workflow?.hooks],
    ['/hooks', hooks],
  ] as const;
  return lists.flatMap(([path, list]) =>
    (Array.isArray(list) ? list : []).flatMap((hook: unknown, at) => {
      const { parameters } = (hook ?? {}) as { readonly parameters?: { readonly url?: unknown } };
      const url = parameters?.url;
      if (typeof url !== 'string' || !URL.canParse(url)) return [];
      const message = literalDenial(new URL(url), rules);
      return message === null ? [] : [{ path: `${path}/${at}/parameters/url`, message }];
    }),
  );
}
