/** Whether a path equals the pattern, or matches the prefix of a pattern that ends in `*`. */
export function pathMatches(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}
