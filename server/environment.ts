/**
 * The environment, made ready for the command line: compose files and workflows leave variables
 * empty where they mean none, and write `false` where a flag has no such word.
 */
import { nearestWord } from './nearest-word.ts';

const PREFIX = 'ARMTWIN_';
const OFF = /^(0|false|no|off)$/i;

/** What a flag is called here, and whether a value follows it. */
interface Setting {
  readonly envVar?: string | undefined;
  readonly required: boolean;
  readonly optional: boolean;
}

/**
 * Unsets what is empty and what switches a flag off; answers a sentence for each name that is none
 * of ours but looks like one.
 */
export function settleEnvironment(
  environment: NodeJS.ProcessEnv,
  options: readonly Setting[],
): string[] {
  const known = new Map(options.map((option) => [option.envVar, option]));
  const words = [...known.keys()].map((name) => name?.slice(PREFIX.length) ?? '');
  const doubts: string[] = [];
  for (const [name, value = ''] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX)) continue;
    const option = known.get(name);
    const isSwitch = option !== undefined && !option.required && !option.optional;
    if (value === '' || (isSwitch && OFF.test(value))) delete environment[name];
    const near = option ? null : nearestWord(name.slice(PREFIX.length), words);
    if (near) doubts.push(`${name} means nothing here. Did you mean ${PREFIX}${near}?`);
  }
  return doubts;
}
