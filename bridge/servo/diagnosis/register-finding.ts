/**
 * What a check of the registers of a servo finds. Problems make an arm unsafe or stop a start;
 * notes are what a start corrects or what is merely unusual.
 */
import type { ServoSetting } from '../servo-setting.ts';

export interface RegisterFinding {
  readonly kind: 'problem' | 'note';
  readonly text: string;
  /** Corrects it without more force, a motion or other positions: for `doctor --fix`. */
  readonly fix?: ServoSetting;
}

function finding(kind: RegisterFinding['kind']) {
  return (when: boolean, text: string, fix?: readonly [string, number]): RegisterFinding | null => {
    if (!when) return null;
    return { kind, text, ...(fix && { fix: { name: fix[0], value: fix[1] } }) };
  };
}

/** A problem, where `when` holds, with the setting that corrects it. */
export const problem = finding('problem');
/** The same for a note. */
export const note = finding('note');
