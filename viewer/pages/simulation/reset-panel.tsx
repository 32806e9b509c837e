import { resolved, schemaOf } from '../../../contract/schemas.ts';
import type { ResetScope } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { useDraft } from '../../ui/draft.ts';
import { FlagField } from '../../ui/fields.tsx';
import type { PanelProps } from './panel-context.ts';
import { readableName } from './readable-name.ts';
import { Section } from './section.tsx';

const SCOPES = resolved(schemaOf('ResetScope')).enum as readonly ResetScope[];
const FIRST = Object.fromEntries(SCOPES.map((scope) => [scope, scope === 'state']));

/** The panel that resets parts of the twin to their initial state. */
export function ResetPanel({ context: { calls } }: PanelProps) {
  const draft = useDraft(FIRST);
  function reset(): void {
    const scopes = SCOPES.filter((scope) => draft.values()[scope]);
    if (scopes.length > 0) void calls.run((client) => client.resetTwin({ scopes }));
  }
  return (
    <Section name="Reset">
      <div class="simulation-checks">
        {SCOPES.map((scope) => (
          <FlagField
            key={scope}
            label={readableName(scope)}
            value={draft.values()[scope] ?? false}
            set={draft.field(scope).set}
          />
        ))}
      </div>
      <Button onClick={reset}>Reset selected</Button>
    </Section>
  );
}
