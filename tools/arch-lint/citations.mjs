/**
 * Every citation in comments, schemas and documents resolves: a section (`§4.5`, `webhooks §2.3`)
 * to docs/reference, a decision (`D7`) to docs/decisions, a requirement (`A97`, `H3`) to
 * contract/requirements.ts, a link of a document to a file and a heading in it, and the path
 * of a file that a document names as code (`server/main.ts`) to a file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {{ sections: Set<string>, webhooks: Set<string>, decisions: Set<string>,
 *   requirements: Set<string> }} Anchors
 */

const SECTIONS = /(webhooks\s+|RFC \d+\s+)?(§\d+(?:\.\d+)*(?:(?:,| and| to)\s+§\d+(?:\.\d+)*)*)/g;
const IDS = /(?<![\w#/.-])([DAH][1-9]\d{0,2})\b(?!\.\d)/g;
const UNNUMBERED = /\bspec(?:ification)? \d[\d.]*|\bfacts(?:\/| (?:file|page)|,? §)|\bthe facts\b/g;
const HEADING = /^#+ §(\S+) /gm;
const ADVICE = {
  section: 'cite a section of docs/reference/arm-api.md, or `webhooks §x.y`',
  webhooks: 'cite a section of docs/reference/webhooks.md',
  decision: 'cite a decision of docs/decisions, or write it there',
  requirement: 'cite an id of contract/requirements.ts',
  unnumbered: 'cite a section as §x.y; cite measurements by a page of docs/decisions or a paper',
};

/** @param {string} text @param {RegExp} pattern */
const matches = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, one = '']) => one));

/**
 * The anchors that citations can refer to.
 * @param {{ arm: string, webhooks: string, decisions: string, requirements: string }} pages
 * @returns {Anchors}
 */
export function anchorsOf({ arm, webhooks, decisions, requirements }) {
  return {
    sections: matches(arm, HEADING),
    webhooks: matches(webhooks, HEADING),
    decisions: matches(decisions, /^## (D\d+) /gm),
    requirements: matches(requirements, /^ {2}([AH]\d+): '/gm),
  };
}

/**
 * The dangling citations of a text: offset, citation and what to do.
 * @param {string} text
 * @param {Anchors} anchors
 */
export function danglingIn(text, anchors) {
  /** @type {{ offset: number, cited: string, advice: string }[]} */
  const found = [];
  let checked = 0;
  const expect = (/** @type {boolean} */ holds, /** @type {typeof found[number]} */ problem) => {
    checked++;
    if (!holds) found.push(problem);
  };
  for (const { 1: document = '', 2: list = '', index } of text.matchAll(SECTIONS)) {
    if (document.startsWith('RFC')) continue;
    const isHook = document !== '';
    for (const [cited] of list.matchAll(/§[\d.]*\d/g)) {
      const known = (isHook ? anchors.webhooks : anchors.sections).has(cited.slice(1));
      expect(known, { offset: index, cited, advice: isHook ? ADVICE.webhooks : ADVICE.section });
    }
  }
  for (const { 1: cited = '', index } of text.matchAll(IDS)) {
    const isDecision = cited.startsWith('D');
    const known = (isDecision ? anchors.decisions : anchors.requirements).has(cited);
    const advice = isDecision ? ADVICE.decision : ADVICE.requirement;
    expect(known, { offset: index, cited, advice });
  }
  for (const { 0: cited, index } of text.matchAll(UNNUMBERED)) {
    expect(false, { offset: index, cited, advice: ADVICE.unnumbered });
  }
  return { checked, found };
}

/** A comment as plain text of the same length. @param {string} value */
const plain = (value) => value.replace(/\n\s*\*?/g, (start) => ' '.repeat(start.length));

/** The anchor that GitHub gives a heading. @param {string} heading */
function slug(heading) {
  const words = heading.replace(/[`*]/g, '').trim().toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/ /g, '-');
}

/** @param {string} text */
function headingAnchors(text) {
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...named, ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, one = '']) => slug(one))]);
}

/**
 * The broken links of a document. `read` returns the text of a file, or null when there is none.
 * @param {string} path
 * @param {string} text
 * @param {(path: string) => string | null} read
 */
export function brokenLinks(path, text, read) {
  /** @type {{ offset: number, cited: string, advice: string }[]} */
  const found = [];
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)];
  for (const { 1: target = '', index } of links) {
    if (/^[a-z]+:/.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const at = file === '' ? path : normalize(join(dirname(path), file));
    const there = read(at);
    if (there === null) found.push({ offset: index, cited: target, advice: `there is no ${at}` });
    else if (anchor !== undefined && !headingAnchors(there).has(anchor))
      found.push({ offset: index, cited: target, advice: `${at} has no heading for #${anchor}` });
  }
  return { checked: links.length, found };
}

/**
 * The paths of files that a document names as code and that are not there; a path with a word in
 * capitals (`docs/NAME.md`) stands for many.
 * @param {string} text
 * @param {(path: string) => boolean} exists
 */
export function missingPaths(text, exists) {
  const named = [...text.matchAll(/`(\.?\w[\w.-]*\/[\w./-]+\.[a-z]+)`/g)];
  const paths = named.filter(([, path = '']) => {
    const [folder = ''] = path.split('/');
    return exists(folder) && !/\b[A-Z]{2,}\b/.test(path);
  });
  const missing = paths.filter(([, path = '']) => !exists(path));
  return {
    checked: paths.length,
    found: missing.map(({ 1: cited = '', index }) => {
      return { offset: index, cited, advice: 'name the file where it is now' };
    }),
  };
}

/** @param {string} root @param {string} folder @param {string} end @returns {string[]} */
function filesIn(root, folder, end) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return folder === '.' ? [] : filesIn(root, path, end);
    return entry.name.endsWith(end) ? [path] : [];
  });
}

/** @param {string} root @param {string} path */
function readOrNull(root, path) {
  if (!existsSync(join(root, path))) return null;
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}

/** Checks comments, schemas and documents. @param {Tree} tree */
export function citations(tree) {
  const read = (/** @type {string} */ path) => readOrNull(tree.root, path);
  const exists = (/** @type {string} */ path) => existsSync(join(tree.root, path));
  const text = (/** @type {string} */ path) => read(path) ?? '';
  const decisions = filesIn(tree.root, 'docs/decisions', '.md').map(text).join('\n');
  const anchors = anchorsOf({
    arm: text('docs/reference/arm-api.md'),
    webhooks: text('docs/reference/webhooks.md'),
    decisions,
    requirements: text('contract/requirements.ts'),
  });
  /** @type {string[]} */
  const problems = [];
  let checked = 0;
  const report = (
    /** @type {string} */ path,
    /** @type {ReturnType<typeof danglingIn>} */ result,
    /** @type {(offset: number) => number} */ lineAt,
  ) => {
    checked += result.checked;
    for (const { offset, cited, advice } of result.found)
      problems.push(`${path}:${lineAt(offset)}: ${cited} resolves to nothing; ${advice}`);
  };
  for (const { path, comments, lineAt } of tree.files.values()) {
    for (const { value, start } of comments)
      report(path, danglingIn(plain(value), anchors), (offset) => lineAt(start + 2 + offset));
  }
  const documents = [...filesIn(tree.root, '.', '.md'), ...filesIn(tree.root, 'docs', '.md')];
  for (const path of [...documents, ...filesIn(tree.root, 'contract/schema', '.json')]) {
    const body = text(path);
    const lineAt = (/** @type {number} */ offset) => body.slice(0, offset).split('\n').length;
    const hookPage = path === 'docs/reference/webhooks.md';
    const cited = hookPage ? body.replace(HEADING, (one) => ' '.repeat(one.length)) : body;
    report(path, danglingIn(cited, anchors), lineAt);
    if (!path.endsWith('.md')) continue;
    report(path, brokenLinks(path, body, read), lineAt);
    report(path, missingPaths(body, exists), lineAt);
  }
  return { checked, problems };
}
