/** Size limits of files, functions, parameter lists and lines. */
import { functionsOf } from './functions.mjs';
import { isGenerated, isTest, liesIn } from './tree.mjs';

const FILE_LINES = 500;
const FUNCTION_LINES = 60;
const PERCENTILE_LINES = 45;
const COLUMNS = 100;
/** Files of the product without tests. */
const PRODUCT_FILES = 550;
const PRODUCT = /^(contract|physics|bridge|server|viewer|testing)\/.*\.ts$/;

/**
 * At most three parameters; more go into an object. Numeric kernels may take more, because an
 * object argument would allocate on every call.
 */
const PARAMETERS = 3;
const KERNEL_PARAMETERS = 8;
const KERNELS = ['physics', 'viewer/scene'];

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {Map<string, { value: number, say: string }>} Places
 */

/** @param {Tree} tree */
function written(tree) {
  return [...tree.files.values()].filter(({ path }) => !isGenerated(path));
}

/** @param {Tree} tree */
export function fileSizes(tree) {
  /** @type {Places} */
  const places = new Map();
  const files = written(tree);
  for (const { path, lines } of files) {
    const value = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    const say = `${value} lines; split it by topic (at most ${FILE_LINES})`;
    if (value > FILE_LINES) places.set(path, { value, say });
  }
  return { checked: files.length, places };
}

/** The number of product files is limited. @param {Tree} tree */
export function productFiles(tree) {
  const isProduct = (/** @type {string} */ path) => PRODUCT.test(path) && !isTest(path);
  const count = [...tree.files.keys()].filter(isProduct).length;
  const problem =
    `${count} product files (at most ${PRODUCT_FILES}); merge files of fewer than 40 lines ` +
    'into their importers';
  return { checked: count, problems: count > PRODUCT_FILES ? [problem] : [] };
}

/** @param {Tree} tree */
export function lineWidths(tree) {
  /** @type {Places} */
  const places = new Map();
  const files = written(tree);
  for (const { path, lines } of files) {
    const long = lines.flatMap((line, at) => ([...line].length > COLUMNS ? [at + 1] : []));
    const say = `lines over ${COLUMNS} columns: ${long.join(', ')}; break them`;
    if (long.length > 0) places.set(path, { value: long.length, say });
  }
  return { checked: files.length, places };
}

/** @param {Tree} tree */
export function functionSizes(tree) {
  /** @type {Places} */
  const places = new Map();
  const lengths = [];
  for (const source of written(tree)) {
    for (const { name, line, length } of functionsOf(source)) {
      lengths.push(length);
      if (length <= FUNCTION_LINES) continue;
      const say = `${length} lines at line ${line}; extract functions (at most ${FUNCTION_LINES})`;
      keepLargest(places, `${source.path}#${name}`, { value: length, say });
    }
  }
  const percentile = percentile95(lengths);
  const say = `the 95th percentile is ${percentile} lines (at most ${PERCENTILE_LINES})`;
  if (percentile > PERCENTILE_LINES) places.set('95th percentile', { value: percentile, say });
  return { checked: lengths.length, places };
}

/** @param {Tree} tree */
export function parameterCounts(tree) {
  /** @type {Places} */
  const places = new Map();
  let checked = 0;
  for (const source of written(tree)) {
    const limit = KERNELS.some((folder) => liesIn(source.path, folder))
      ? KERNEL_PARAMETERS
      : PARAMETERS;
    for (const { name, line, parameters } of functionsOf(source)) {
      checked++;
      if (parameters <= limit) continue;
      const say = `${parameters} parameters at line ${line}; take an object (at most ${limit})`;
      keepLargest(places, `${source.path}#${name}`, { value: parameters, say });
    }
  }
  return { checked, places };
}

/**
 * @param {Places} places
 * @param {string} place
 * @param {{ value: number, say: string }} found
 */
function keepLargest(places, place, found) {
  if ((places.get(place)?.value ?? 0) < found.value) places.set(place, found);
}

/**
 * The smallest length that at least 95 % of the functions do not exceed.
 * @param {number[]} lengths
 */
export function percentile95(lengths) {
  const sorted = [...lengths].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}
