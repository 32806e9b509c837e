/**
 * What a check of the registers of a servo finds. Problems make an arm unsafe: a diagnosis says
 * them, and a start is refused. A start corrects what is `corrected`; notes are what is unusual.
 */
import type { ServoSetting } from '../servo-setting.ts';

export interface RegisterFinding {
  readonly kind: 'problem' | 'corrected' | 'note';
  readonly text: string;
  /** Corrects it without more force, a motion or other positions: for `doctor --fix`. */
  readonly fix?: ServoSetting;
}

/** What a diagnosis says of a setting that a start writes. */
const CORRECTS = 'a start corrects it';

function finding(kind: RegisterFinding['kind']) {
  return (when: boolean, text: string, fix?: readonly [string, number]): RegisterFinding | null => {
    if (!when) return null;
    const says = kind === 'corrected' ? `${text}; ${CORRECTS}` : text;
    return { kind, text: says, ...(fix && { fix: { name: fix[0], value: fix[1] } }) };
  };
}

/** A problem, where `when` holds, with the setting that corrects it. */
export const problem = finding('problem');
/** The same for what a start corrects. */
export const corrected = finding('corrected');
/** The same for a note. */
export const note = finding('note');
