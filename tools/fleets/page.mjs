/** The tables of the page on fleets: what one twin costs, and what that makes of many. */

/**
 * @typedef {{ plant: string, doing: string, processor: number, memory_mb: number,
 *   lateness_p99_ms: number }} Cost
 */

/** The machine that the sums are about: what clouds rent everywhere. */
const CORES = 8;
const MEMORY_MB = 32_000;
/** Shares that twins may fill: builds come in bursts, and the machine has work of its own. */
const FULL_PROCESSOR = 0.6;
const FULL_MEMORY = 0.85;
/** Kubernetes' own default for pods on a node. */
const PODS = 110;

/** @param {Cost} cost */
function costRow({ plant, doing, processor, memory_mb }) {
  const share = `${(100 * processor).toFixed(1)} % of a core`;
  return `| ${plant} | ${doing} | ${share} | ${memory_mb.toFixed(0)} MB |`;
}

/** How many twins of this cost a machine holds. @param {Cost} cost */
export function twinsOnMachine({ processor, memory_mb }) {
  const byProcessor = (CORES * FULL_PROCESSOR) / processor;
  const byMemory = (MEMORY_MB * FULL_MEMORY) / memory_mb;
  return Math.floor(Math.min(byProcessor, byMemory, PODS) + 1e-9);
}

/** @param {number} value */
const amount = (value) => (value < 10 ? value.toFixed(1) : Math.ceil(value).toLocaleString('en'));

/** @param {Cost} cost @param {number} count */
function sumCells(cost, count) {
  const machines = Math.ceil(count / twinsOnMachine(cost)).toLocaleString('en');
  const cores = `${amount(count * cost.processor)} cores`;
  return `${cores}, ${amount((count * cost.memory_mb) / 1000)} GB, ${machines}`;
}

/** @param {Cost[]} costs */
function sumTable(costs) {
  const running = (/** @type {string} */ plant) => {
    const found = costs.find((cost) => cost.plant === plant && cost.doing === 'running');
    if (!found) throw new Error(`no figure of ${plant}, running`);
    return found;
  };
  const [fast, rapier] = [running('fast'), running('rapier')];
  const rows = [10, 1000, 100_000].map(
    (count) =>
      `| ${count.toLocaleString('en')} | ${sumCells(fast, count)} | ${sumCells(rapier, count)} |`,
  );
  const head = '| twins | fast plant | collision engine (rapier) |\n| --- | --- | --- |';
  return `${head}\n${rows.join('\n')}`;
}

/** @param {Cost[]} costs */
function costTable(costs) {
  const head = '| plant | doing | processor | resident memory |\n| --- | --- | --- | --- |';
  return `${head}\n${costs.map(costRow).join('\n')}`;
}

/**
 * The page with its tables made anew; they stand between marks, the words around them are its own.
 * @param {string} page
 * @param {Cost[]} costs
 */
export function withTables(page, costs) {
  const tables = { cost: costTable(costs), sums: sumTable(costs) };
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(\n<!-- end -->)`);
    if (!place.test(text)) throw new Error(`the page has no place for its table of ${name}`);
    return text.replace(place, (_whole, start, end) => `${start}${table}${end}`);
  }, page);
}
