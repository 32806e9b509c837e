/**
 * Addresses of what is on the screen, as the fragment of the URL: page, id of what is open, and
 * parameters such as step, time and camera. `#paths/12?step=/timeline/3&t=4.20`. An address
 * without a page is the Live page. Pure, apart from `createHistory`.
 */
import { NO_PLACE, type Place } from '../ui/place.ts';

export interface Address extends Place {
  readonly page: string;
}
/** Changes of parameters alone are written at most this often: browsers limit them. */
const WRITE_MS = 400;

/** The address of a fragment; null for one that is no address. */
export function parseAddress(fragment: string): Address | null {
  const [, page = '', id, query = ''] =
    /^#?([a-z]+)(?:\/(\d{1,15}))?(?:\?(.*))?$/.exec(fragment) ?? [];
  if (!page) return null;
  const params = Object.fromEntries(new URLSearchParams(query));
  return { page, id: id === undefined ? null : Number(id), params };
}

/** The fragment of an address; empty for the Live page without parameters. */
export function formatAddress({ page, id, params }: Address): string {
  const query = new URLSearchParams(params).toString().replaceAll('%2F', '/');
  const place = id === null ? page : `${page}/${id}`;
  const text = query ? `${place}?${query}` : place;
  return text === 'live' ? '' : `#${text}`;
}

export interface AddressHistory {
  /** Writes the address: a new entry when page or id differ, else in place and later. */
  write(address: Address): void;
  /** Writes the address in place of the present entry, after an address was opened. */
  replace(address: Address): void;
}

/** Keeps the browser's history; `open` is called when the user goes back or forward. */
export function createHistory(open: (address: Address) => void): AddressHistory {
  const live: Address = { page: 'live', ...NO_PLACE };
  let last = parseAddress(location.hash) ?? live;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const here = () => location.pathname + location.search;
  addEventListener('popstate', () => {
    clearTimeout(timer);
    last = parseAddress(location.hash) ?? live;
    open(last);
  });
  return {
    replace(address) {
      clearTimeout(timer);
      last = address;
      history.replaceState(null, '', here() + formatAddress(address));
    },
    write(address) {
      const isElsewhere = address.page !== last.page || address.id !== last.id;
      const text = formatAddress(address);
      if (text === formatAddress(last)) return;
      clearTimeout(timer);
      last = address;
      if (isElsewhere) history.pushState(null, '', here() + text);
      else timer = setTimeout(() => history.replaceState(null, '', here() + text), WRITE_MS);
    },
  };
}
