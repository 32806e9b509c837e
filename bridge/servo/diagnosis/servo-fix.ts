/** Corrections of servos without torque, for `armtwin doctor --fix`. */
import type { ServoSetting, SettingAccess } from '../servo-setting.ts';
import type { RegisterFinding } from './register-finding.ts';

/** A correction of a servo, what it has instead, and whether it holds its joint. */
export interface ServoFix extends ServoSetting {
  readonly id: number;
  readonly before: number;
  readonly holds: boolean;
}

/** The corrections that findings name, for a servo with these registers. */
export function fixesOf(
  id: number,
  registers: Readonly<Record<string, number>>,
  findings: readonly RegisterFinding[],
): ServoFix[] {
  const holds = registers['torque'] === 1;
  return findings.flatMap(({ fix }) =>
    fix ? [{ ...fix, id, before: registers[fix.name]!, holds }] : [],
  );
}

/**
 * Writes corrections and reads each one back; returns a sentence for each. A servo that holds its
 * joint would have to let go, and stays as it is.
 */
export async function applyFixes(
  fixes: readonly ServoFix[],
  servos: SettingAccess,
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const { id, name, value, before, holds } of fixes) {
    if (holds) {
      const why = 'it holds its joint: support the arm, power-cycle it and try again';
      sentences.push(`Servo ${id} keeps ${name} = ${before}: ${why}`);
      continue;
    }
    await servos.write(id, { name, value });
    const found = await servos.read(id, name);
    const says = found === value ? `: ${name} ${before} → ${value}` : ` keeps ${name} = ${found}`;
    sentences.push(`Servo ${id}${says}`);
  }
  return sentences;
}
