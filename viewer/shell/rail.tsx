/** The navigation rail: pages, finder, theme and sign-out; a bottom bar on narrow screens. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Theme } from '../scene/palette.ts';
import { Button } from '../ui/buttons.tsx';
import { Icon, Logo } from '../ui/drawn-icon.tsx';
import type { StrokeName } from '../ui/icon.ts';
import { drawn } from '../ui/mount.ts';
import { preferences } from '../ui/preferences.ts';
import { findTheme, followTheme } from './theme.ts';

export interface Rail {
  readonly element: HTMLElement;
  /** Marks the shown page. */
  mark(page: string): void;
  /** Shows or hides a page's button. */
  setOffered(page: string, offered: boolean): void;
}

/** A page as listed in the rail. */
export interface RailPage {
  readonly name: string;
  readonly label: string;
  readonly icon: StrokeName;
}

export interface RailActions {
  /** The pages, in the order of their number keys. */
  readonly pages: readonly RailPage[];
  readonly show: (page: string) => void;
  readonly openFinder: () => void;
  readonly openHelp: () => void;
  readonly theme: (theme: Theme) => void;
  readonly signOut: () => void;
}

interface RailButtonProps {
  readonly icon: StrokeName;
  readonly label: string;
  readonly title?: string;
  readonly class?: string;
  /** The page that it shows, if it shows one. */
  readonly page?: string;
  readonly isCurrent?: boolean;
  readonly hidden?: boolean;
  readonly onClick: () => void;
}

function RailButton({ icon, label, title = label, page, isCurrent, ...props }: RailButtonProps) {
  return (
    <Button
      title={title}
      data-page={page}
      aria-current={isCurrent ? 'page' : undefined}
      {...props}
      class={['rail-entry', props.class].filter(Boolean).join(' ')}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </Button>
  );
}

interface RailProps {
  readonly actions: RailActions;
  readonly current: ReadonlySignal<string>;
  readonly withheld: ReadonlySignal<ReadonlySet<string>>;
  readonly theme: ReadonlySignal<Theme>;
  readonly changeTheme: () => void;
}

function RailEntries({ actions, current, withheld, theme, changeTheme }: RailProps) {
  return (
    <nav class="rail" aria-label="Pages">
      <div class="logo">
        <Logo />
      </div>
      {actions.pages.map(({ name, label, icon }) => (
        <RailButton
          key={name}
          icon={icon}
          label={label}
          page={name}
          isCurrent={current.value === name}
          hidden={withheld.value.has(name)}
          onClick={() => actions.show(name)}
        />
      ))}
      <div class="rail-space" />
      <RailButton
        icon="search"
        label="Find"
        title="Find a page, a command, a toolpath (Ctrl K)"
        class="rail-find"
        onClick={actions.openFinder}
      />
      <RailButton
        icon="help"
        label="Help"
        title="Keys and documentation (?)"
        class="rail-help"
        onClick={actions.openHelp}
      />
      <RailButton
        icon={theme.value === 'light' ? 'moon' : 'sun'}
        label="Theme"
        onClick={changeTheme}
      />
      <RailButton icon="leave" label="Sign out" onClick={actions.signOut} />
    </nav>
  );
}

/** Creates the rail; applies the theme at once and on every change. */
export function createRail(actions: RailActions): Rail {
  const current = signal('live');
  const withheld = signal<ReadonlySet<string>>(new Set());
  const theme = signal(findTheme());
  function apply(next: Theme): void {
    theme.value = next;
    document.documentElement.dataset['theme'] = next;
    actions.theme(next);
  }
  function changeTheme(): void {
    apply(theme.value === 'light' ? 'dark' : 'light');
    preferences.update({ theme: theme.value });
  }
  apply(theme.value);
  followTheme(apply);
  return {
    element: drawn(<RailEntries {...{ actions, current, withheld, theme, changeTheme }} />),
    mark(page) {
      current.value = page;
    },
    setOffered(page, offered) {
      if (withheld.value.has(page) !== offered) return;
      const others = [...withheld.value].filter((each) => each !== page);
      withheld.value = new Set(offered ? others : [...others, page]);
    },
  };
}
