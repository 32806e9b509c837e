import type { WhatIfChoice } from '../../../contract/types.generated.ts';
import { idsText, reasonsText } from './delivery-text.ts';
import { durationText } from './run-figures.ts';

const CHOICE_TEXT: Record<WhatIfChoice['choice'], string> = {
  retry: 'Retry',
  complete_manually: 'Completed by hand',
  ignore: 'Skip',
  abort_labware: 'Give up the labware',
  stop: 'Stop the run',
};

function ChoiceRow({ choice }: { readonly choice: WhatIfChoice }) {
  const { makespan_s, problems } = choice;
  const name = `${CHOICE_TEXT[choice.choice]}${choice.is_allowed ? '' : ' (not allowed)'}`;
  const lost = idsText([...choice.broken_limits, ...choice.aborted_tasks]);
  if (makespan_s === null && problems.length > 0) {
    const given = lost === '' ? '' : ` Given up: ${lost}.`;
    // Below the name, over the whole width: in a column the reasons would be a tower of words.
    return (
      <tr>
        <td colSpan={3}>
          <bdi>{name}</bdi>
          <p class="sub" title={problems.join('\n')}>
            <bdi>{`No plan: ${reasonsText(problems)}.${given}`}</bdi>
          </p>
        </td>
      </tr>
    );
  }
  return (
    <tr>
      {[name, makespan_s === null ? 'no plan' : durationText(makespan_s), lost || 'nothing'].map(
        (text, i) => (
          <td key={i}>
            <bdi>{text}</bdi>
          </td>
        ),
      )}
    </tr>
  );
}

/** What each choice for a failed task leads to, side by side. */
export function ChoicesTable({ choices }: { readonly choices: readonly WhatIfChoice[] }) {
  return (
    <table class="work-table" aria-label="Choices">
      <thead>
        <tr>
          {['Choice', 'Run ends at', 'Broken or given up'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {choices.map((choice) => (
          <ChoiceRow key={choice.choice} choice={choice} />
        ))}
      </tbody>
    </table>
  );
}
