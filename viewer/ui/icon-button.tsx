import type { ComponentProps } from 'preact';
import { Button } from './buttons.tsx';
import { Icon } from './drawn-icon.tsx';
import type { StrokeName } from './icon.ts';

interface IconButtonProps extends Omit<ComponentProps<typeof Button>, 'icon' | 'label'> {
  readonly icon: StrokeName;
  /** What it does, and its key. */
  readonly label: string;
  /** Whether it is on; absent for one that is no switch. */
  readonly pressed?: boolean;
}

/** A button that is an icon; of the class `tool` where none is given. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, title = label, class: name = 'tool', pressed, ...attributes } = props;
  return (
    <Button class={name} aria-label={label} title={title} aria-pressed={pressed} {...attributes}>
      <Icon name={icon} />
    </Button>
  );
}
