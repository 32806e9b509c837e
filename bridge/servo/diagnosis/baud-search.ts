import type { ServoDiagnosis } from './servo-diagnosis.ts';

/**
 * Diagnoses servos at the baud rate of their line, and where none answers at each other one that
 * they may be set to: a problem then says which one it is, and nothing is corrected.
 */
export async function diagnoseAtEveryBaud(
  given: number,
  bauds: readonly number[],
  diagnoseAt: (baud: number) => Promise<ServoDiagnosis>,
): Promise<ServoDiagnosis> {
  const first = await diagnoseAt(given);
  if (first.servos.length > 0) return first;
  for (const baud of bauds.filter((one) => one !== given)) {
    const other = await diagnoseAt(baud);
    if (other.servos.length === 0) continue;
    const problem = `The servos use ${baud} baud, not ${given}: change it, or use @${baud}`;
    return { ...other, problems: [problem, ...other.problems], fixes: [] };
  }
  return first;
}
