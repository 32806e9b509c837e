/** Checks the files of the npm tarball against package.json. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const NOT_SHIPPED = /\.(test|cases|spec|bench)\.|\.tsbuildinfo$|(^|\/)(node_modules|\.git)\//;

/**
 * The files and folders that a page links to, without anchors.
 * @param {string} path of the page @param {string} text
 */
function linksOf(path, text) {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^([a-z]+:|#)/.test(target))
    .map((target) => normalize(join(dirname(path), String(target.split('#')[0]))));
}

/**
 * The links of packed pages to files that only the repository has: a user of the package cannot
 * follow them.
 * @param {readonly string[]} files in the tarball
 * @param {(path: string) => string} read
 */
export function deadLinks(files, read) {
  const problems = [];
  for (const page of files.filter((file) => file.endsWith('.md'))) {
    for (const link of linksOf(page, read(page))) {
      const folder = link.endsWith('/') ? link : `${link}/`;
      if (files.some((file) => file === link || file.startsWith(folder))) continue;
      problems.push(
        `${page} links to ${link}, which is not in the tarball: ` +
          `name it as \`${link}\` without a link, or pack it (files of package.json)`,
      );
    }
  }
  return problems;
}

/**
 * Paths that an exports entry names, by condition.
 * @param {unknown} entry
 * @returns {[string, string][]}
 */
function targets(entry) {
  return Object.entries(/** @type {Record<string, string>} */ (entry));
}

/**
 * The problems of a tarball packed from `root`; empty when there are none.
 * @param {string} root of the package
 * @param {readonly string[]} files in the tarball
 * @param {(path: string) => string} [read]
 */
export function tarballProblems(
  root,
  files,
  read = (path) => readFileSync(join(root, path), 'utf8'),
) {
  const packed = new Set(files);
  const manifest = JSON.parse(read('package.json'));
  const problems = [];
  for (const [path, entry] of Object.entries(manifest.exports ?? {})) {
    if (typeof entry === 'string') {
      // Data: one file, or a folder of files.
      const [start = ''] = entry.replace('./', '').split('*');
      if (!files.some((file) => file.startsWith(start))) {
        problems.push(`exports ${path}: ${entry} is not in the tarball`);
      }
      continue;
    }
    const conditions = targets(entry);
    for (const [condition, target] of conditions) {
      if (!packed.has(target.replace('./', ''))) {
        problems.push(`exports ${path} ${condition}: ${target} is not in the tarball`);
      }
    }
    if (conditions[0]?.[0] !== 'types') problems.push(`exports ${path}: types must come first`);
    if (conditions.at(-1)?.[0] !== 'default') {
      problems.push(`exports ${path}: default must come last`);
    }
  }
  for (const [name, path] of Object.entries(manifest.bin ?? {})) {
    if (!packed.has(String(path))) problems.push(`bin ${name}: ${path} is not in the tarball`);
    else if (!read(String(path)).startsWith('#!/usr/bin/env node\n')) {
      problems.push(`bin ${name}: ${path} does not begin with #!/usr/bin/env node`);
    }
  }
  for (const file of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']) {
    if (!packed.has(file)) problems.push(`${file} is not in the tarball`);
  }
  problems.push(
    ...deadLinks(files, read),
    ...files.filter((file) => NOT_SHIPPED.test(file)).map((file) => `${file} must not be shipped`),
  );
  if (manifest.type !== 'module') problems.push('type must be module');
  if (!manifest.engines?.node) problems.push('engines.node is missing');
  return problems;
}
