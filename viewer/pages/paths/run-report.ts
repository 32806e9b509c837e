/** The report of a run: its recording, and what came of it in words. */
import type { RecordingDocument } from '../../../contract/export-document.ts';
import type { KeptRun, RunOutcome } from '../../link/kept-run.ts';
import { unheardFor_s } from '../../toolpath/runs/twin-runs.ts';
import { decimal } from '../../ui/value-text.ts';

const VERDICTS: Readonly<Record<RunOutcome, string>> = {
  finished: 'The run finished.',
  cancelled: 'The run was cancelled.',
  error: 'The run ended in an error.',
  collision: 'The run ended in a collision.',
  disabled: 'The emergency stop ended the run.',
  lost: 'The connection was lost during the run.',
  reset: 'A reset of the twin ended the run.',
  running: 'The run was not over.',
};

/** The recording of a run with its report. */
export function reportOf(run: KeptRun): RecordingDocument {
  const { duration_s, deviation_m, contacts, signals, findings, planned } = run;
  const deviation = deviation_m === null ? 'unknown' : `${decimal(deviation_m * 1000, 2)} mm`;
  const results = [
    ['Duration', `${decimal(duration_s, 2)} s`],
    ['Largest deviation from the plan', deviation],
    ['Contacts', `${contacts}`],
    ['Changes of signals', `${signals}`],
  ] as const;
  const motion = run.isExact ? 'as the twin computed it' : 'as it reached the browser';
  const facts = [...run.facts, ...results, ['Motion', motion] as const];
  const unheard_s = unheardFor_s(run.recording);
  const gap = `Incomplete: nothing was heard of the arm for ${decimal(unheard_s, 2)} s of this run.`;
  const verdict = unheard_s > 0 ? `${gap} ${VERDICTS[run.outcome]}` : VERDICTS[run.outcome];
  return { ...run.recording, report: { verdict, facts, findings, planned } };
}
