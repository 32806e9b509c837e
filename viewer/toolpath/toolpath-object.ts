export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object of a toolpath in the parsed text of a file, unchecked; null where there is none. Files
 * saved from API replies hold it one level down.
 */
export function toolpathObject(value: unknown): JsonObject | null {
  if (!isRecord(value)) return null;
  const held = value['toolpath'];
  return isRecord(held) && !('timeline' in value) ? held : value;
}
