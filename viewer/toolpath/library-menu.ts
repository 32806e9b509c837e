/**
 * The menu of a toolpath in the list: rename, duplicate, share and delete. A deletion can be undone
 * while its line is shown.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { Toolpath, ToolpathHead, User } from '../../contract/types.generated.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { failureNotice } from '../link/failure-notice.ts';
import { button, element, setAttribute, setText } from '../ui/element.ts';
import { baseOf } from './newer-version.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** How long a deletion can be undone (ms). */
const UNDO_MS = 10_000;
const NAME_MAX = 128;
/** Width of the menu, and the height that it needs at most. */
const MENU_PX = 180;

export interface LibraryMenuParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
}

export interface LibraryMenu {
  /** The menu, and the line that offers to undo a deletion. */
  readonly elements: readonly HTMLElement[];
  open(head: ToolpathHead, opener: HTMLElement): void;
}

/** "Sorter copy" of "Sorter", within the length of a name. */
export function copyName(name: string): string {
  const suffix = ' copy';
  return Array.from(name)
    .slice(0, NAME_MAX - suffix.length)
    .join('')
    .concat(suffix);
}

/** The calls of the menu; a refusal becomes a notice and undefined. */
function createActions({ store, arm, calls }: LibraryMenuParts) {
  async function run<Reply>(call: (client: ArmClient) => Promise<Reply>) {
    const outcome = await calls.call(call);
    arm.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
    return outcome.ok ? outcome.value : undefined;
  }
  const read = async (client: ArmClient, { id }: ToolpathHead): Promise<Toolpath> =>
    (await client.getToolpath({ toolpath_id: id })).toolpath.toolpath;
  const isOpen = ({ id }: ToolpathHead) => store.view().origin?.id === id;
  return {
    async rename(head: ToolpathHead, name: string): Promise<void> {
      const done = await run(async (client) =>
        client.updateToolpath(
          { toolpath_id: head.id },
          { name, toolpath: await read(client, head) },
        ),
      );
      const { origin } = store.view();
      // What is open was made from the content that the rename kept, or is older and reported so.
      const isBase = done !== undefined && origin?.base?.hash === done.toolpath.hash;
      if (done && isOpen(head)) {
        const base = isBase ? baseOf(done.toolpath) : origin?.base;
        store.set({ origin: { id: head.id, name, ...(base && { base }) } });
      }
    },
    duplicate: (head: ToolpathHead) =>
      run(async (client) => {
        const body = { name: copyName(head.name), toolpath: await read(client, head) };
        return client.createToolpath(body);
      }),
    /** Deletes it; returns its content for an undo. What is open stays open, unsaved. */
    async remove(head: ToolpathHead): Promise<Toolpath | undefined> {
      const toolpath = await run(async (client) => {
        const kept = await read(client, head);
        await client.deleteToolpath({ toolpath_id: head.id });
        return kept;
      });
      if (toolpath && isOpen(head)) store.set({ origin: { id: null, name: head.name } });
      return toolpath;
    },
    /** Saves it again; returns its new id. */
    async restore(name: string, toolpath: Toolpath): Promise<number | undefined> {
      return (await run((client) => client.createToolpath({ name, toolpath })))?.toolpath.id;
    },
    users: () => run((client) => client.listUsers()),
    async share(head: ToolpathHead, { id, email }: User): Promise<void> {
      const done = await run(async (client) => {
        const toolpath = await read(client, head);
        return client.shareToolpath({ name: head.name, user_id: id, toolpath });
      });
      const text = `“${head.name}” is shared with ${email}.`;
      if (done) arm.set({ notice: { text, code: '' } });
    },
  };
}

/** A restored toolpath comes into the list within this time (ms). */
const LISTED_MS = 2000;

/** Focuses the row of a toolpath once the list has it, else the first row. */
async function focusRow(box: ParentNode, id: number | undefined): Promise<void> {
  const end_ms = performance.now() + LISTED_MS;
  const row = () => box.querySelector<HTMLElement>(`.library-entry[data-id="${id}"]`);
  while (!row() && performance.now() < end_ms) await new Promise(requestAnimationFrame);
  // The user may have gone on.
  if (document.activeElement !== document.body) return;
  (row() ?? box.querySelector<HTMLElement>('.library-entry'))?.focus();
}

/**
 * The line after a deletion. It takes the focus, which the deleted row had, and stays while it has
 * it; the restored row gets it back.
 */
function createUndoLine(
  restore: (name: string, toolpath: Toolpath) => Promise<number | undefined>,
) {
  const text = element('span', { class: 'grow' });
  const undo = button({ class: 'plain small' }, () => act(), 'Undo');
  const line = element('div', { class: 'library-undo', role: 'status', hidden: true }, text, undo);
  let act = (): void => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = (): void => setAttribute(line, 'hidden', true);
  const hideLater = (): void => {
    if (line.contains(document.activeElement)) {
      line.addEventListener('focusout', hide, { once: true });
    } else hide();
  };
  function takeFocus(): void {
    const { activeElement } = document;
    const isFree = activeElement === document.body || line.parentElement?.contains(activeElement);
    if (isFree) undo.focus();
  }
  async function restoreRow(name: string, toolpath: Toolpath): Promise<void> {
    const box = line.parentElement!;
    hide();
    await focusRow(box, await restore(name, toolpath));
  }
  return {
    element: line,
    show(name: string, toolpath: Toolpath): void {
      setText(text, `“${name}” is deleted.`);
      setAttribute(line, 'hidden', false);
      clearTimeout(timer);
      timer = setTimeout(hideLater, UNDO_MS);
      act = () => void restoreRow(name, toolpath);
      takeFocus();
    },
  };
}

/** An empty menu beside its opener; Escape and a press elsewhere close it. */
function createPopup() {
  const menu = element('div', { class: 'glass library-menu', role: 'menu', hidden: true });
  let opener: HTMLElement | null = null;
  function close(): void {
    if (menu.hidden) return;
    setAttribute(menu, 'hidden', true);
    opener?.focus();
    opener = null;
  }
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  });
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !menu.contains(target) && !opener?.contains(target)) close();
  });
  return {
    element: menu,
    close,
    /** Whether it is open at this button. */
    isAt: (from: HTMLElement) => opener === from,
    fill(...content: readonly HTMLElement[]): void {
      menu.replaceChildren(...content);
      menu.querySelector<HTMLElement>('input, button')?.focus();
    },
    /** Opens it at a button; false if it was open there and closes. */
    openAt(from: HTMLElement): boolean {
      if (opener === from) {
        close();
        return false;
      }
      opener = from;
      const { bottom, right } = from.getBoundingClientRect();
      menu.style.top = `${Math.min(bottom + 2, innerHeight - MENU_PX)}px`;
      menu.style.left = `${Math.max(right - MENU_PX, 8)}px`;
      setAttribute(menu, 'hidden', false);
      return true;
    },
  };
}

/** Creates the menu, closed. */
export function createLibraryMenu(parts: LibraryMenuParts): LibraryMenu {
  const actions = createActions(parts);
  const undo = createUndoLine(actions.restore);
  const popup = createPopup();
  /** An item that closes the menu. */
  const item = (label: string, action: () => unknown, closes = true): HTMLElement => {
    const act = (): void => {
      if (closes) popup.close();
      void action();
    };
    return button({ class: 'library-action', role: 'menuitem' }, act, label);
  };
  function askName(head: ToolpathHead): void {
    const attributes = { class: 'field', value: head.name, maxlength: `${NAME_MAX}` };
    const input = element('input', { ...attributes, required: true, 'aria-label': 'Name' });
    const save = element('button', { type: 'submit', class: 'primary small' }, 'Rename');
    const form = element('form', { class: 'library-rename' }, input, save);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      popup.close();
      void actions.rename(head, input.value);
    });
    popup.fill(form);
    input.select();
  }
  async function askUser(head: ToolpathHead, from: HTMLElement): Promise<void> {
    const own = parts.arm.view().user_id;
    const reply = await actions.users();
    // The menu may be closed by now, or be that of another toolpath.
    if (!popup.isAt(from)) return;
    // The notice says why the users are not known.
    if (!reply) return popup.close();
    const users = reply.users.filter(({ id }) => id !== own);
    const rows = users.map((user) => item(user.email, () => actions.share(head, user)));
    const none = element('p', { class: 'empty' }, 'There is no other user.');
    popup.fill(...(rows.length > 0 ? rows : [none]));
  }
  async function remove(head: ToolpathHead): Promise<void> {
    const toolpath = await actions.remove(head);
    if (toolpath) undo.show(head.name, toolpath);
  }
  return {
    elements: [popup.element, undo.element],
    open(head, from) {
      if (!popup.openAt(from)) return;
      popup.fill(
        item('Rename', () => askName(head), false),
        item('Duplicate', () => actions.duplicate(head)),
        item('Share', () => askUser(head, from), false),
        item('Delete', () => remove(head)),
      );
    },
  };
}
