export type Loose = Readonly<Record<string, unknown>>;

export function object(value: unknown): Loose {
  return value !== null && typeof value === 'object' ? (value as Loose) : {};
}
