/** The menu of a toolpath in the list: rename, duplicate, share and delete. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Toolpath, ToolpathHead, User } from '../../contract/types.generated.ts';
import { Button } from '../ui/buttons.tsx';
import { type LibraryActions, NAME_MAX } from './library-actions.ts';

/** Width of the menu, and the height that it needs at most. */
const MENU_PX = 180;

/** The toolpath whose menu is open, and the button that opened it. */
export interface OpenedMenu {
  readonly head: ToolpathHead;
  readonly opener: HTMLElement;
}

/** What has been deleted, for an undo. */
export interface DeletedToolpath {
  readonly name: string;
  readonly toolpath: Toolpath;
}

interface LibraryMenuProps {
  /** Null while no menu is open. */
  readonly opened: Signal<OpenedMenu | null>;
  readonly actions: LibraryActions;
  /** Of the signed-in user, with whom nothing is to be shared. */
  readonly userId: number | null;
  readonly onDeleted: (deleted: DeletedToolpath) => void;
}

interface MenuItemProps {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function MenuItem(props: MenuItemProps) {
  return <Button class="library-action" role="menuitem" {...props} />;
}

interface RenameFormProps {
  readonly name: string;
  readonly rename: (name: string) => void;
}

function RenameForm({ name, rename }: RenameFormProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current!.select(), []);
  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    rename(input.current!.value);
  }
  return (
    <form class="library-rename" onSubmit={submit}>
      <input
        ref={input}
        class="field"
        aria-label="Name"
        maxLength={NAME_MAX}
        required
        defaultValue={name}
      />
      <button type="submit" class="primary small">
        Rename
      </button>
    </form>
  );
}

interface MenuContentProps extends Omit<LibraryMenuProps, 'opened'> {
  readonly of: OpenedMenu;
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

/** The items; those that ask for more are replaced by the question. */
function MenuContent({ of: { head }, isOpen, close, actions, ...props }: MenuContentProps) {
  const asked = useSignal<'name' | readonly User[] | null>(null);
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    content.current!.querySelector<HTMLElement>('input, button')?.focus();
  }, [asked.value]);
  /** Closes the menu and acts. */
  const item = (action: () => unknown) => () => {
    close();
    void action();
  };
  async function askUser(): Promise<void> {
    const reply = await actions.users();
    // The menu may be closed by now, or be that of another toolpath.
    if (!isOpen()) return;
    // The notice says why the users are not known.
    if (!reply) close();
    else asked.value = reply.users.filter(({ id }) => id !== props.userId);
  }
  async function remove(): Promise<void> {
    const toolpath = await actions.remove(head);
    if (toolpath) props.onDeleted({ name: head.name, toolpath });
  }
  function items() {
    const { value } = asked;
    if (value === 'name') {
      const rename = (name: string) => item(() => actions.rename(head, name))();
      return <RenameForm name={head.name} rename={rename} />;
    }
    if (value?.length === 0) return <p class="empty">There is no other user.</p>;
    if (value) {
      return value.map((user) => (
        <MenuItem key={user.id} onClick={item(() => actions.share(head, user))}>
          {user.email}
        </MenuItem>
      ));
    }
    return (
      <>
        <MenuItem
          onClick={() => {
            asked.value = 'name';
          }}
        >
          Rename
        </MenuItem>
        <MenuItem onClick={item(() => actions.duplicate(head))}>Duplicate</MenuItem>
        <MenuItem onClick={askUser}>Share</MenuItem>
        <MenuItem onClick={item(remove)}>Delete</MenuItem>
      </>
    );
  }
  return (
    <div ref={content} class="mounted">
      {items()}
    </div>
  );
}

/** The place of the menu beside its opener, within the window. */
function placeBeside(opener: HTMLElement): { readonly top: string; readonly left: string } {
  const { bottom, right } = opener.getBoundingClientRect();
  return {
    top: `${Math.min(bottom + 2, innerHeight - MENU_PX)}px`,
    left: `${Math.max(right - MENU_PX, 8)}px`,
  };
}

/** The menu beside its opener; Escape and a press elsewhere close it. */
export function LibraryMenu({ opened, ...props }: LibraryMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { value: of } = opened;
  const place = useMemo(() => (of ? placeBeside(of.opener) : {}), [of]);
  function close(): void {
    const { value: last } = opened;
    opened.value = null;
    last?.opener.focus();
  }
  useEffect(() => {
    function onPress({ target }: PointerEvent): void {
      const { value: now } = opened;
      if (!now || !(target instanceof Node)) return;
      if (!menu.current!.contains(target) && !now.opener.contains(target)) close();
    }
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, []);
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  }
  return (
    <div
      ref={menu}
      class="glass library-menu"
      role="menu"
      hidden={!of}
      style={place}
      onKeyDown={onKey}
    >
      {of && (
        <MenuContent
          key={of.head.id}
          {...props}
          of={of}
          isOpen={() => opened.value === of}
          close={close}
        />
      )}
    </div>
  );
}
