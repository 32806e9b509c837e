/**
 * `npm run generate walkthroughs`: traces the files that four paths run through and writes
 * docs/walkthroughs.md. `--check` writes nothing. Both fail when a path runs through more files
 * than tools/walkthroughs/counts.json accepts; `--lower` writes smaller numbers there. Names choose
 * some of the paths, for a check.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { packageCommand } from './setup/process.mjs';
import { COMPILED, traceProcess } from './walkthroughs/coverage.mjs';
import { countProblems, filesOf, walkthroughPage } from './walkthroughs/page.mjs';
import { clickRun } from './walkthroughs/page-run.mjs';
import { build, goTo, workflowRun } from './walkthroughs/paths.mjs';

const COUNTS = 'tools/walkthroughs/counts.json';
const PAGE = 'docs/walkthroughs.md';

const PATHS = {
  go_to: { title: 'A go_to, from the call to the arrival', run: goTo },
  build: { title: 'The build of a toolpath', run: build },
  workflow_run: { title: 'A workflow run, up to its first signed delivery', run: workflowRun },
  click_run: { title: 'A click on Run in the page, up to the pose on the screen', run: clickRun },
};

const flags = process.argv.slice(2).filter((one) => one.startsWith('--'));
const names = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const isCheck = flags.includes('--check');
const chosen = Object.entries(PATHS).filter(
  ([name]) => names.length === 0 || !isCheck || names.includes(name),
);

const compiler = [packageCommand('typescript/bin/tsc'), '-p', 'tsconfig.build.json'];
const plain = [
  '--noEmit',
  'false',
  '--incremental',
  'false',
  '--tsBuildInfoFile',
  'null',
  '--outDir',
  COMPILED,
];
execFileSync(process.execPath, [...compiler, ...plain], { stdio: 'inherit' });
const trace = await traceProcess(process.cwd());
/** @type {import('./walkthroughs/page.mjs').Walkthrough[]} */
const walkthroughs = [];
/** @type {Record<string, number>} */
const counts = {};
for (const [name, { title, run }] of chosen) {
  const stages = await run(trace);
  const walkthrough = { title, stages: stages.map((one) => ({ ...one, files: [...one.files] })) };
  walkthroughs.push(walkthrough);
  counts[name] = filesOf(walkthrough).size;
  console.log(`${name}: ${counts[name]} files`);
}
trace.close();

const written = JSON.parse(readFileSync(COUNTS, 'utf8'));
if (flags.includes('--lower')) {
  for (const [name, count] of Object.entries(counts))
    written[name] = Math.min(count, written[name] ?? count);
  writeFileSync(COUNTS, `${JSON.stringify(written, null, 2)}\n`);
}
if (!isCheck)
  writeFileSync(
    PAGE,
    walkthroughPage(walkthroughs, (path) => readFileSync(path, 'utf8')),
  );
const problems = countProblems(counts, written);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
