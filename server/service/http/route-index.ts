import type { ServedRoute } from './served-routes.ts';

/** The route at an address, with the values of the parameters of the path. */
export interface FoundRoute {
  readonly route: ServedRoute;
  readonly values: Readonly<Record<string, unknown>>;
}

const NO_VALUES: FoundRoute['values'] = {};

/** Addresses whose every character stands for itself. */
const PLAIN = /^[\w./-]+$/;
const PARAMETER = /^\{(\w+)\}$/;

/** A part of the path of a route: its text, and the name of the parameter that it stands for. */
interface PathPart {
  readonly text: string;
  readonly name: string | null;
}

const partOf = (text: string): PathPart => ({ text, name: PARAMETER.exec(text)?.[1] ?? null });

/**
 * An index of the route table by address, in front of Express: it finds what Express would find,
 * for addresses without query and escapes. Express tries the routes one after another, which costs
 * more than most of their calls (D45).
 */
export class RouteIndex {
  private readonly fixed = new Map<string, FoundRoute>();
  /** Routes with parameters, by method and number of parts. */
  private readonly patterns = new Map<string, (readonly [readonly PathPart[], ServedRoute])[]>();

  constructor(routes: readonly ServedRoute[]) {
    for (const route of routes) {
      const { method, path } = route.row;
      const parts = path.split('/');
      const key = `${method} ${parts.length}`;
      if (!path.includes('{')) this.fixed.set(`${method} ${path}`, { route, values: NO_VALUES });
      else this.patterns.set(key, [...(this.patterns.get(key) ?? []), [parts.map(partOf), route]]);
    }
  }

  /** The route at an address, or null where Express has to look. */
  find(method = '', url = ''): FoundRoute | null {
    const fixed = this.fixed.get(`${method} ${url}`);
    if (fixed || !PLAIN.test(url)) return fixed ?? null;
    const given = url.split('/');
    for (const [parts, route] of this.patterns.get(`${method} ${given.length}`) ?? []) {
      const values = valuesOf(parts, given);
      if (values) return { route, values };
    }
    return null;
  }
}

/** The values of the parameters of a path, or null where it is another path. */
function valuesOf(parts: readonly PathPart[], given: readonly string[]) {
  const values: Record<string, string> = {};
  for (const [i, { text, name }] of parts.entries()) {
    if (name === null ? given[i] !== text : given[i] === '') return null;
    if (name !== null) values[name] = given[i]!;
  }
  return values;
}
