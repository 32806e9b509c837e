/** The tabs that stand in for columns on a narrow screen: one panel at a time. */
import { button, element, setAttribute } from './element.ts';

const TABS = [
  ['joints', 'Joints'],
  ['io', 'I/O'],
  ['plots', 'Plots'],
  ['events', 'Events'],
  ['tool', 'Run'],
] as const;

/** Tab buttons that set `data-tab` on `target`; style sheets do the rest. */
export function createTabs(target: HTMLElement): HTMLElement {
  const bar = element('div', { class: 'tabs', role: 'tablist' });
  const choose = (chosen: string): void => {
    target.dataset['tab'] = chosen;
    for (const tab of bar.children) {
      setAttribute(tab, 'aria-selected', String(tab.getAttribute('data-for') === chosen));
    }
  };
  for (const [key, words] of TABS) {
    bar.append(button({ class: 'tab', role: 'tab', 'data-for': key }, () => choose(key), words));
  }
  choose('joints');
  return bar;
}
