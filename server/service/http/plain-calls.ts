import type { Pipeline, Pipelines } from './pipeline.ts';

/** A call that was found by its address, with the values of the parameters of the path. */
interface FoundCall {
  readonly pipeline: Pipeline;
  readonly values?: Readonly<Record<string, string>>;
}

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
 * The pipelines by address, for addresses without query and escapes: a look-up of a few µs, where
 * routing by Express costs more than most of these calls.
 */
export class PlainCalls {
  private readonly fixed = new Map<string, FoundCall>();
  /** Routes with parameters, by method and number of parts. */
  private readonly patterns = new Map<string, (readonly [readonly PathPart[], Pipeline])[]>();

  constructor(pipelines: Pipelines) {
    for (const [{ method, path }, pipeline] of pipelines) {
      const parts = path.split('/');
      const key = `${method} ${parts.length}`;
      if (!path.includes('{')) this.fixed.set(`${method} ${path}`, { pipeline });
      else
        this.patterns.set(key, [...(this.patterns.get(key) ?? []), [parts.map(partOf), pipeline]]);
    }
  }

  /** The call at an address, or null where Express has to look. */
  find(method = '', url = ''): FoundCall | null {
    const fixed = this.fixed.get(`${method} ${url}`);
    if (fixed || !PLAIN.test(url)) return fixed ?? null;
    const given = url.split('/');
    for (const [parts, pipeline] of this.patterns.get(`${method} ${given.length}`) ?? []) {
      const values = valuesOf(parts, given);
      if (values) return { pipeline, values };
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
