/** Paths of endpoints and the parameters in them. */

/** Whether a path parameter is a name rather than a number. */
export function isNameParameter(name: string): boolean {
  return name.endsWith('_name');
}

/** The names in braces of a path, in order. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;

/** Fills the parameters of a path. Throws TypeError when a value is missing. */
export function fillPath(
  path: string,
  values: { readonly [name: string]: number | string },
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`no value for ${name} in the path ${path}`);
    return encodeURIComponent(String(value));
  });
}

export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
