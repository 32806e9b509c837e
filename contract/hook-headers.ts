/**
 * Custom headers of a hook, which cannot override headers that the sender sets or that frame the
 * message (D42).
 */
import { limits } from './limits.ts';

const NAME = /^[A-Za-z0-9-]{1,64}$/;
const VALUE = /^[\t\x20-\x7e]{0,1024}$/;
const OWN = /^(content-(type|length|encoding)|user-agent|webhook-.*|x-hook-.*)$/;
const FRAMING =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/;

/** The problem of one custom header, or null. */
function hookHeaderProblem(name: string, value: unknown): string | null {
  if (!NAME.test(name) || typeof value !== 'string' || !VALUE.test(value)) {
    return 'must be a valid header name with a printable text value';
  }
  const lower = name.toLowerCase();
  if (OWN.test(lower)) return 'is set by the sender; remove it';
  return FRAMING.test(lower) ? 'controls the framing of the message; remove it' : null;
}

/** The problems of the custom headers of a hook, by header name; no more than a reply lists. */
export function hookHeaderProblems(headers: object = {}): (readonly [string, string])[] {
  const names = Object.keys(headers);
  if (names.length > limits.hook_headers) {
    return [[names[limits.hook_headers]!, `is one of more than ${limits.hook_headers} headers`]];
  }
  const problems: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const fault = hookHeaderProblem(name, value);
    if (fault !== null) problems.push([name, fault]);
    if (problems.length >= limits.reported_problems) break;
  }
  return problems;
}
