/** Where a page has what is on it, and in what a later layout differs from an earlier one. */
import type { Page } from '@playwright/test';

/** A visible element: what it is, where it is (px), and the styles that a sheet may change. */
export interface LaidOut {
  readonly name: string;
  readonly box: readonly number[];
  readonly style: string;
}

/**
 * Reads the layout of all that is visible. Numbers in texts are left out, because times run, and so
 * are the rows of lists of what has happened on the twin, which every visit makes longer.
 */
export function layoutOf(page: Page): Promise<LaidOut[]> {
  return page.evaluate(() => {
    const STYLES = [
      ...['display', 'position', 'color', 'background-color', 'font-size', 'font-weight'],
      ...['line-height', 'text-align', 'padding', 'margin', 'gap', 'border-width'],
      ...['border-color', 'border-radius', 'align-items', 'justify-content', 'opacity'],
    ];
    const ownText = (element: Element) =>
      [...element.childNodes]
        .map((node) => (node instanceof Text ? node.data.trim() : ''))
        .join(' ')
        .trim();
    const nameOf = (element: Element) => {
      const classes = [...element.classList].map((name) => `.${name}`).join('');
      const role = element.role ? `[${element.role}]` : '';
      const text = ownText(element) || element.ariaLabel || '';
      const words = text.replace(/[-−]?\d+(?:[.:]\d+)*/g, '#').slice(0, 60);
      return `${element.localName}${classes}${role}${words && ` “${words}”`}`;
    };
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      // A drawing is one thing.
      if (element.parentElement?.closest('svg')) return [];
      if (element.parentElement?.closest('.simulation-log, .simulation-journal')) return [];
      // What stands in the scene follows the camera, which stays where it was put.
      if (element.parentElement?.closest('.stage, .plan-marks')) return [];
      const isVisible = element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true });
      const { x, y, width, height } = element.getBoundingClientRect();
      if (!isVisible || width * height === 0) return [];
      const computed = getComputedStyle(element);
      return {
        name: nameOf(element),
        box: [x, y, width, height].map((px) => Math.round(2 * px) / 2),
        style: STYLES.map((name) => `${name}: ${computed.getPropertyValue(name)}`).join('; '),
      };
    });
  });
}

function grouped(layout: readonly LaidOut[]): Map<string, LaidOut[]> {
  const groups = new Map<string, LaidOut[]>();
  for (const one of layout) groups.set(one.name, [...(groups.get(one.name) ?? []), one]);
  return groups;
}

/** The declarations of a style that another one does not have. */
function others(style: string, other: string): string {
  const known = new Set(other.split('; '));
  return style
    .split('; ')
    .filter((one) => !known.has(one))
    .join('; ');
}

/** What appeared, went, moved or changed its style, a line each. */
export function differences(before: readonly LaidOut[], now: readonly LaidOut[]): string[] {
  const [old, shown] = [grouped(before), grouped(now)];
  return [...new Set([...old.keys(), ...shown.keys()])].flatMap((name) => {
    const [then, present] = [old.get(name) ?? [], shown.get(name) ?? []];
    const count = present.length - then.length;
    if (count > 0) return [`appeared: ${name} at ${present.at(-1)!.box}`];
    if (count < 0) return [`went: ${name} at ${then.at(-1)!.box}`];
    return then.flatMap((one, i) => {
      const { box, style } = present[i]!;
      if (`${box}` !== `${one.box}`) return [`moved: ${name} from ${one.box} to ${box}`];
      return style === one.style
        ? []
        : [`restyled: ${name} from ${others(one.style, style)} to ${others(style, one.style)}`];
    });
  });
}
