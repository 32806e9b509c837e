/**
 * Which headers a hook may add to what is sent to it: texts that fit in a header, and none of those
 * that the sender sets itself or that decide how a message is framed.
 */

const NAME = /^[A-Za-z0-9-]{1,64}$/;
const VALUE = /^[\t\x20-\x7e]{0,1024}$/;
const OWN = /^(content-(type|length|encoding)|user-agent|webhook-.*|x-hook-.*)$/;
const FRAMING =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/;

/** What is wrong with a header of a hook, or null. */
function hookHeaderFault(name: string, value: unknown): string | null {
  if (!NAME.test(name) || typeof value !== 'string' || !VALUE.test(value)) {
    return 'must be a header name with a text';
  }
  const lower = name.toLowerCase();
  if (OWN.test(lower)) return 'is set by the sender';
  return FRAMING.test(lower) ? 'decides how the message is framed' : null;
}

/** Everything that is wrong with the headers of a hook, by name. */
export function hookHeaderFaults(headers: object = {}): (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const fault = hookHeaderFault(name, value);
    return fault === null ? [] : [[name, fault] as const];
  });
}
