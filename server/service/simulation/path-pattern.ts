import { ROUTES } from '../../../contract/routes.ts';

/** Whether a segment of a route's path, a parameter or a word, can begin so. */
function canBegin(segment: string, given: string, isWhole: boolean): boolean {
  if (segment.startsWith('{')) return !isWhole || given !== '';
  return isWhole ? segment === given : segment.startsWith(given);
}

/** Whether any call has a path that a pattern matches, with the method if one is given. */
export function isServed(pattern: string, method?: string): boolean {
  const isPrefix = pattern.endsWith('*');
  const given = (isPrefix ? pattern.slice(0, -1) : pattern).split('/');
  return ROUTES.some((route) => {
    if (method !== undefined && route.method !== method) return false;
    const segments = route.path.split('/');
    if (isPrefix ? segments.length < given.length : segments.length !== given.length) return false;
    return given.every((one, i) => {
      const isWhole = !isPrefix || i < given.length - 1;
      return canBegin(segments[i]!, one, isWhole);
    });
  });
}

/** Whether a path equals the pattern, or matches the prefix of a pattern that ends in `*`. */
export function pathMatches(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}
