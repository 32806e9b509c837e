/** Formats the tables of docs/fleets.md: the cost of one twin, of many, and of rehearsals. */

/**
 * @typedef {{ plant: string, doing: string, processor: number, memory_mb: number,
 *   lateness_p99_ms: number }} Cost
 */

/**
 * @typedef {{ toolpaths: number, variations: number, worked: number, processor_s: number,
 *   wall_s: number, cores: number, date: string }} RehearsalCost
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
  const head = '| twins | fast plant | rigid-body engine (rapier) |\n| --- | --- | --- |';
  return `${head}\n${rows.join('\n')}`;
}

/** @param {Cost[]} costs */
function costTable(costs) {
  const head = '| plant | doing | processor | resident memory |\n| --- | --- | --- | --- |';
  return `${head}\n${costs.map(costRow).join('\n')}`;
}

/** @param {number} seconds */
function durationText(seconds) {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(0)} h`;
}

/**
 * The slice measured by `npm run bench rehearse`, and what more would take in proportion.
 * @param {RehearsalCost} cost
 */
function rehearsalTable({ toolpaths, variations, worked, processor_s, cores, date }) {
  const each = variations / toolpaths;
  const slice =
    `${toolpaths} × ${each}, measured on ${date}: ` +
    `${worked} of ${variations} variations worked`;
  const rows = [1000, 1_000_000].map((count) => {
    const needed_s = (processor_s * count) / toolpaths;
    const on = (/** @type {number} */ many) => durationText(needed_s / many);
    const name = `${count.toLocaleString('en')} × ${each}, in proportion`;
    return `| ${name} | ${on(1)} | ${on(cores)} | ${on(100)} |`;
  });
  const all = `on ${cores} cores, if all are busy`;
  return [
    `| toolpaths × variations | processor time | ${all} | on 100 cores |`,
    '| --- | --- | --- | --- |',
    `| ${slice} | ${durationText(processor_s)} | ${durationText(processor_s / cores)} | – |`,
    ...rows,
  ].join('\n');
}

/**
 * Replaces the tables of the page between their marker comments.
 * @param {string} page
 * @param {Cost[]} costs
 * @param {RehearsalCost} rehearsal
 */
export function withTables(page, costs, rehearsal) {
  const tables = {
    cost: costTable(costs),
    sums: sumTable(costs),
    rehearsals: rehearsalTable(rehearsal),
  };
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(\n<!-- end -->)`);
    if (!place.test(text))
      throw new Error(`docs/fleets.md has no marker comment for the table ${name}`);
    return text.replace(place, (_whole, start, end) => `${start}${table}${end}`);
  }, page);
}
