/**
 * The package `canonicalize` is CommonJS whose function is the whole module; its own declaration
 * says otherwise, which NodeNext resolution takes at its word.
 */
declare module 'canonicalize' {
  export default function canonicalize(input: unknown): string | undefined;
}
