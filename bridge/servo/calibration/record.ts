/** An object of a JSON or YAML file, with fields that are not yet known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object of fields, and no list. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
