/**
 * The option --arm of all commands. It is read before the program loads, because a process has one
 * arm and its modules keep the numbers of that arm as constants.
 */
import { ARM_VARIABLE, ArmError, armReference } from '../../arms/given-arm.ts';

const FLAG = '--arm';
/** Flags of `run` that have no value, beside those that begin with `--no-`. */
const SWITCHES: readonly string[] = ['--discover', '--arm-is-supported'];

/** Whether the word behind this one is its value. */
export function takesValue(word: string): boolean {
  const isSwitch = word.startsWith('--no-') || SWITCHES.includes(word);
  return word.startsWith('-') && !word.includes('=') && !isSwitch;
}

/**
 * Where the words of the command line end that are options of this program: at `--`, and at the
 * command that `run` is given without it.
 */
function endOfOptions(words: readonly string[]): number {
  const end = words.indexOf('--');
  const bound = end < 0 ? words.length : end;
  if (words[0] !== 'run') return bound;
  const isWord = (at: number) => !words[at]!.startsWith('-');
  for (let at = 1; at < bound; at++) if (isWord(at) && !takesValue(words[at - 1]!)) return at;
  return bound;
}

/**
 * Takes the option off the words of a command line, and gives its value to this process and all that
 * it starts. Throws an `ArmError` where the value is missing.
 */
export function takeArmOption(words: string[], environment: NodeJS.ProcessEnv): void {
  const end = endOfOptions(words);
  const at = words.findIndex(
    (word, i) => i < end && (word === FLAG || word.startsWith(`${FLAG}=`)),
  );
  let given = environment[ARM_VARIABLE] ?? '';
  if (at >= 0) {
    const [word] = words.splice(at, 1);
    given = word === FLAG ? (words.splice(at, 1)[0] ?? '') : word!.slice(FLAG.length + 1);
    if (given === '') throw new ArmError(`${FLAG} needs the name or the folder of an arm.`);
  }
  if (given !== '') environment[ARM_VARIABLE] = armReference(given);
}
