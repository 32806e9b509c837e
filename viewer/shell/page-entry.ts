import type { ArmView } from '../link/arm-view.ts';
import type { StrokeName } from '../ui/icon.ts';
import type { Page, PageParts } from './page.ts';

/** A page other than the Live page. */
export interface PageEntry {
  readonly name: string;
  /** Name in the rail. */
  readonly label: string;
  readonly icon: StrokeName;
  /** Whether this user and this arm have the page; always, if absent. */
  readonly offered?: (view: ArmView) => boolean;
  load(parts: PageParts): Promise<Page>;
}
