/** Formats the tables of docs/fleets.md: the cost of one twin and of many. */

/**
 * @typedef {{ plant: string, doing: string, processor: number, memory_mb: number,
 *   lateness_p99_ms: number }} Cost
 */

/** The assumed machine, a common cloud instance. */
const CORES = 8;
const MEMORY_MB = 32_000;
/** Shares of the machine for twins; the rest covers bursts of planning and the system. */
const FULL_PROCESSOR = 0.6;
const FULL_MEMORY = 0.85;
/** The default pod limit of a Kubernetes node. */
const PODS = 110;

/** @param {Cost} cost */
function costRow({ plant, doing, processor, memory_mb }) {
  const share = `${(100 * processor).toFixed(1)} % of a core`;
  return `| ${plant} | ${doing} | ${share} | ${memory_mb.toFixed(0)} MB |`;
}

/** The number of twins of this cost on one machine. @param {Cost} cost */
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
    if (!found) throw new Error(`docs/figures/fleet.json has no figures for ${plant}, running`);
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
 * Replaces the tables of the page between their marker comments.
 * @param {string} page
 * @param {Cost[]} costs
 */
export function withTables(page, costs) {
  const tables = { cost: costTable(costs), sums: sumTable(costs) };
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(\n<!-- end -->)`);
    if (!place.test(text))
      throw new Error(`docs/fleets.md has no marker comment for the table ${name}`);
    return text.replace(place, (_whole, start, end) => `${start}${table}${end}`);
  }, page);
}
