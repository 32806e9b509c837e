import { Button } from './buttons.tsx';
import { Icon } from './drawn-icon.tsx';
import type { StrokeName } from './icon.ts';

interface ToolButtonProps {
  readonly icon: StrokeName;
  /** What it does, and its key. */
  readonly label: string;
  readonly class?: string;
  readonly disabled?: boolean;
  /** Whether it is on; absent for one that is no switch. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** A button that is an icon. */
export function ToolButton({ icon, label, pressed, ...props }: ToolButtonProps) {
  const name = ['tool', props.class].filter(Boolean).join(' ');
  return (
    <Button {...props} class={name} aria-label={label} title={label} aria-pressed={pressed}>
      <Icon name={icon} />
    </Button>
  );
}
