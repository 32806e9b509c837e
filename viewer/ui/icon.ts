/** The icons: strokes on a 16 px grid in the text colour. */

/** The stroke of each icon. */
export const ICON_PATHS = {
  logo: 'M3 13h6M6.2 13 4.5 8l4.5-3.5 2.8 2.8',
  simulation: 'M4 2.5v5M4 10.5v3M8 2.5v2M8 7.5v6M12 2.5v6M12 11.5v2M2.5 9h3M6.5 6h3M10.5 10h3',
  live: 'M1.5 8.5h2.3l1.7-4 2.7 7.5 2.2-5 1 1.5h3',
  paths: 'M3 13c6 0 4-10 10-10M3 13h.01M13 3h.01',
  chevron: 'M6 4l4 4-4 4',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.3',
  branch: 'M4 2.5v11M4 7h5.5a2 2 0 0 1 2 2v4.5',
  grid: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  routine: 'M3 4h10M3 8h6M3 12h8M11 9l2 2-2 2',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 13.5 13.5',
  first: 'M4 3.5v9M12 3.5v9L6 8z',
  last: 'M12 3.5v9M4 3.5v9L10 8z',
  save: 'M8 2.5v7M5 6.5l3 3 3-3M3 13h10',
  send: 'M8 10V2.5M5 5.5l3-3 3 3M3 13h10',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  sun:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z' +
    'M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1' +
    'M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  leave: 'M6.5 2.5h-3v11h3M7 8h6.5M11 5.5 13.5 8 11 10.5',
  play: 'M5 3.5v9l7.5-4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.5v6.5h8V6.5',
  loop: 'M3 8V6.5a2 2 0 0 1 2-2h7.5M10.5 2.5l2 2-2 2M13 8v1.5a2 2 0 0 1-2 2H3.5M5.5 13.5l-2-2 2-2',
  loopFrom: 'M7 3H4v10h3M13 8H7.5M10 5.5 7.5 8l2.5 2.5',
  loopTo: 'M9 3h3v10H9M3 8h5.5M6 5.5 8.5 8 6 10.5',
  video: 'M2 4.5h8.5v7H2zM10.5 7.2 14 5v6l-3.5-2.2',
  close: 'M4 4l8 8M12 4l-8 8',
  lock: 'M4 7.5h8v5.5H4zM5.5 7.5V5.5a2.5 2.5 0 0 1 5 0v2',
  done: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  step: 'M2.5 8h10.5M9.5 4.5 13 8l-3.5 3.5',
  warn: 'M8 2.5 14 13H2zM8 6.5v3M8 11v.5',
  fault: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v4M8 10.8v.4',
  link:
    'M7 9l2-2M6.2 11.2 4.8 12.6a2.4 2.4 0 0 1-3.4-3.4L4.2 6.4a2.4 2.4 0 0 1 3.4 0' +
    'M9.8 4.8l1.4-1.4a2.4 2.4 0 0 1 3.4 3.4l-2.8 2.8a2.4 2.4 0 0 1-3.4 0',
  help:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z' +
    'M6.3 6.4a1.7 1.7 0 1 1 2.6 1.5c-.6.4-.9.8-.9 1.4M8 11v.2',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.2v3.6M8 5v.2',
  io: 'M3 5.5h4a2.5 2.5 0 0 1 0 5H3M9 10.5h4M9 5.5h4',
  fit: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3',
  cube: 'M8 2 13.5 5v6L8 14 2.5 11V5zM2.5 5 8 8l5.5-3M8 8v6',
  camera: 'M2.5 5h2.5l1-1.5h4L11 5h2.5v8h-11zM8 6.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z',
  page: 'M4 2.5h5.5l3 3v8H4zM9.5 2.5v3h3',
  more: 'M4 8h.01M8 8h.01M12 8h.01',
  users:
    'M8 2.5a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM2.8 13.5c.4-2.6 2.4-4 5.2-4s4.8 1.4 5.2 4',
  workflow: 'M2.5 4h5M5.5 8h6M8.5 12h5',
  copy: 'M6 5.5h7.5v8H6zM10 5.5v-3H2.5v8H6',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 2.5v3.3H9.7',
  stop: 'M4.5 4.5h7v7h-7z',
  skip: 'M4 3.5v9L9.5 8zM12 3.5v9',
  hand: 'M8 2.5v6M8 2.5c1.4 0 1.4 1 1.4 1M3.5 8.5c.5 3 2 5 4.5 5s4.5-2 4.5-5',
  teach: 'M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.5l2 2 2-2M3.5 6l-2 2 2 2M12.5 6l2 2-2 2',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  remove: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
  undo: 'M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  redo: 'M10 3l3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H9',
} as const;

/** An icon that is one stroke. */
export type StrokeName = Exclude<keyof typeof ICON_PATHS, 'logo'>;
