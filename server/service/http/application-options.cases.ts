/** Options of an application with fakes around it: no viewer, no stream, nothing amiss. */
import type { ApplicationOptions } from './application-options.ts';

export const QUIET_OPTIONS = {
  streams: [],
  notReady: () => null,
  onBug: () => {},
  viewer: null,
  docsPage: null,
  documents: {},
  allowedOrigins: [],
  storageFault: () => null,
  notReadyReasons: () => [],
} satisfies Partial<ApplicationOptions>;
