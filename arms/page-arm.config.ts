/**
 * Plugin of the builds of pages and their workers: they get their arm from the page, in place of
 * reading it from a file.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export const PAGE_ARM = fileURLToPath(new URL('./page-arm.ts', import.meta.url));

export const pageArm: Plugin = {
  name: 'page-arm',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('/given-arm.ts') ? PAGE_ARM : null),
};
