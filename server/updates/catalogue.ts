/** The software versions that can be installed, in the order they must be (decision D32). */
import type { Update } from '../../contract/types.ts';

/** A step may carry several changelogs: each version in between has its own. */
export const CATALOGUE: readonly Update[] = [
  {
    version: '4.10.0',
    changelogs: [
      { version: '4.9.1', content: 'Steadier telemetry while the arm is moved by hand.' },
      { version: '4.10.0', content: 'Required before any later version: new storage format.' },
    ],
  },
  {
    version: '4.11.2',
    changelogs: [
      { version: '4.11.0', content: 'Shorter start-up after a power cycle.' },
      { version: '4.11.2', content: 'Corrected the daily schedule across midnight.' },
    ],
  },
];
