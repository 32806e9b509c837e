/** The headers that a hook or a test call names, as they are sent: names in lower case, values as text. */
export function deliveryHeaders(headers: object = {}): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}
