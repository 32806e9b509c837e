import { useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import type { StrokeName } from '../../ui/icon.ts';
import { createOnce } from '../../ui/once.ts';
import type { Explanation, Remedy } from './explanation.ts';

const ICONS: Readonly<Record<Explanation['tone'], StrokeName>> = {
  fault: 'fault',
  warn: 'warn',
  note: 'info',
};

interface ExplainRowProps {
  /** Null where nothing has been explained yet. */
  readonly of: Explanation | null;
  readonly act: (remedy: Remedy) => Promise<unknown>;
  /** In the list of the panel, or the line over the scene, which screen readers follow. */
  readonly as: 'li' | 'div';
}

/** A cause with its remedies. A button stays the same, with focus and clicks, as long as its cause. */
export function ExplainRow({ of, act, as: Tag }: ExplainRowProps) {
  const once = useRef(createOnce());
  const { cause, tone, sentence, remedies = [] } = of ?? {};
  return (
    <Tag
      class="explain-row"
      role={Tag === 'div' ? 'status' : undefined}
      data-tone={tone}
      data-cause={cause}
    >
      <span class="explain-said">
        <span class="explain-icon">{tone && <Icon name={ICONS[tone]} />}</span>
        <p>{sentence}</p>
      </span>
      <span class="explain-remedies" hidden={remedies.length === 0}>
        {remedies.map((remedy) => (
          <Button
            key={`${cause} ${remedy.label}`}
            class="plain small"
            onClick={() => void once.current(remedy.label, () => act(remedy))}
          >
            {remedy.label}
          </Button>
        ))}
      </span>
    </Tag>
  );
}
