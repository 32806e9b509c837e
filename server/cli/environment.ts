/** The environment variables of the options. */
import { nearestWord } from './nearest-word.ts';

const PREFIX = 'ARMTWIN_';
const OFF = /^(0|false|no|off)$/i;

/** The environment variable of an option, and whether it takes a value. */
interface EnvironmentOption {
  readonly envVar?: string | undefined;
  readonly required: boolean;
  readonly optional: boolean;
}

/**
 * Unsets variables that are empty or switch a flag off, since compose files and CI workflows leave
 * variables empty to unset them; returns a warning for each name that looks misspelled.
 */
export function normalizeEnvironment(
  environment: NodeJS.ProcessEnv,
  options: readonly EnvironmentOption[],
): string[] {
  const known = new Map(options.map((option) => [option.envVar, option]));
  const words = [...known.keys()].map((name) => name?.slice(PREFIX.length) ?? '');
  const warnings: string[] = [];
  for (const [name, value = ''] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX)) continue;
    const option = known.get(name);
    const isSwitch = option !== undefined && !option.required && !option.optional;
    if (value === '' || (isSwitch && OFF.test(value))) delete environment[name];
    const near = option ? null : nearestWord(name.slice(PREFIX.length), words);
    if (near) warnings.push(`Unknown variable ${name}. Did you mean ${PREFIX}${near}?`);
  }
  return warnings;
}
