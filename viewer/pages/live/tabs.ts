import { button, element, setAttribute } from '../../ui/element.ts';

/** Tabs of the narrow layout, which shows one panel at a time. */
const TABS = [
  ['joints', 'Joints'],
  ['io', 'I/O'],
  ['plots', 'Plots'],
  ['events', 'Events'],
  ['tool', 'Run'],
] as const;

/** Tab buttons that set `data-tab` on `target`; the style sheet shows the matching panels. */
export function createTabs(target: HTMLElement): HTMLElement {
  const bar = element('div', { class: 'tabs', role: 'tablist' });
  const select = (selected: string): void => {
    target.dataset['tab'] = selected;
    for (const tab of bar.children) {
      setAttribute(tab, 'aria-selected', String(tab.getAttribute('data-for') === selected));
    }
  };
  for (const [key, label] of TABS) {
    bar.append(button({ class: 'tab', role: 'tab', 'data-for': key }, () => select(key), label));
  }
  select('joints');
  return bar;
}
