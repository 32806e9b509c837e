/**
 * `npm run check release`: makes everything that a release publishes in the folder release/ and
 * tries it: the tarball, the wheel, the bill of materials (CycloneDX and SPDX), the notes from
 * CHANGELOG.md, checksums; with --image the image of the Dockerfile, too. It publishes nothing;
 * .github/workflows/release.yml does, for a tag.
 * `npm run generate release-cut -- VERSION`: writes a new version into every file that names it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { tarballProblems } from './package/tarball.mjs';
import { sbomOf, sbomProblems } from './release/bill-of-materials.mjs';
import {
  cutChangelog,
  filesWithText,
  isCut,
  sectionOf,
  versionsIn,
  withVersion,
} from './release/changelog.mjs';
import { runInForeground } from './setup/process.mjs';
import { exitCodeOf, readyUrl } from './setup/start.mjs';
import { makeWheel } from './setup/wheel.mjs';

const OUT = 'release';
const CHANGELOG = 'CHANGELOG.md';
const NOTES = 'notes.md';

/** @param {string} path */
const read = (path) => readFileSync(path, 'utf8');
/** @returns {{ name: string, version: string }} */
const manifest = () => JSON.parse(read('package.json'));

/** Writes a new version into every file that names the present one. @param {string} version */
function cut(version) {
  const { version: last } = manifest();
  const date = new Date().toISOString().slice(0, 10);
  const changelog = cutChangelog(read(CHANGELOG), { version, last, date });
  const named = filesWithText().filter((path) => versionsIn(path, read(path)).length > 0);
  for (const path of named) writeFileSync(path, withVersion(path, read(path), version));
  writeFileSync(CHANGELOG, changelog);
  console.log(`${version}: ${named.length} files and ${CHANGELOG}`);
  console.log(`Commit them, tag the commit v${version} and push the tag: the workflow publishes.`);
  return 0;
}

/** Packs the built program; the problems of the tarball are returned. */
function packed() {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', OUT], {
    encoding: 'utf8',
  });
  const [made] = JSON.parse(output.slice(output.indexOf('[\n')));
  const files = made.files.map((/** @type {{ path: string }} */ file) => file.path);
  console.log(
    `ok   ${made.filename}: ${files.length} files, ${(made.size / 2 ** 20).toFixed(1)} MB`,
  );
  return { name: made.filename, problems: tarballProblems(process.cwd(), files) };
}

/** Writes the bill of materials in both formats. */
function billsOfMaterials() {
  const lock = JSON.parse(read('package-lock.json'));
  const problems = [];
  const names = [];
  for (const format of /** @type {const} */ (['cyclonedx', 'spdx'])) {
    const sbom = sbomOf(format, manifest(), lock);
    const name = `armtwin.${format}.json`;
    writeFileSync(join(OUT, name), `${JSON.stringify(sbom, null, 2)}\n`);
    const { packages, problems: found } = sbomProblems(format, sbom, lock);
    problems.push(...found);
    names.push(name);
    console.log(`${found.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${packages} packages`);
  }
  return { names, problems };
}

/** Writes the notes of the version, or of Unreleased before it is cut. */
function notes() {
  const { name, version } = manifest();
  const text =
    sectionOf(read(CHANGELOG), version) ?? sectionOf(read(CHANGELOG), 'Unreleased') ?? '';
  const tag = process.env['GITHUB_REF_NAME'];
  const isTag = process.env['GITHUB_REF_TYPE'] === 'tag';
  const problems = text === '' ? [`CHANGELOG.md has no entries for ${version}`] : [];
  if (isTag && tag !== `v${version}`) problems.push(`the tag is ${tag}, the version ${version}`);
  if (isTag && !isCut(read(CHANGELOG), version)) {
    const advice = 'cut it with npm run generate release-cut';
    problems.push(`CHANGELOG.md has no section ${version} with a date; ${advice}`);
  }
  // The package has the scope of its publisher; the alias keeps the imports of the documents.
  const alias = name.startsWith('@')
    ? `\n\nInstall: \`npm install armtwin@npm:${name}@${version}\``
    : '';
  writeFileSync(join(OUT, NOTES), `${text}${alias}\n`);
  console.log(
    `ok   ${NOTES}: ${text.split('\n').filter((line) => line.startsWith('- ')).length} entries`,
  );
  return problems;
}

/** @param {string[]} names */
function checksums(names) {
  const lines = names.map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(OUT, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(OUT, 'SHA256SUMS'), lines.join(''));
  console.log(`ok   SHA256SUMS: ${names.length} files`);
}

/** Installs the tarball in an empty folder and starts the twin in it. @param {string} name */
async function tryTarball(name) {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-release-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', resolve(OUT, name)];
    execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
    const flags = ['--port', '0', '--token', 'release', '--log-level', 'silent'];
    const program = join(folder, 'node_modules', manifest().name, 'tools/armtwin.mjs');
    const child = spawn(process.execPath, [program, ...flags], { cwd: folder });
    const ended = exitCodeOf(child);
    const { ok } = await fetch(`${await readyUrl(child)}/readyz`);
    child.kill('SIGTERM');
    const code = await ended;
    console.log(`ok   ${name}: installed, ready, ended with ${code}`);
    return ok && code === 0
      ? []
      : [`${name}: /readyz ${ok ? 'answers' : 'fails'}, exit code ${code}`];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the wheel and uses it in an empty virtual environment. */
async function wheelTried() {
  const path = makeWheel(OUT);
  if (path === null) return { names: [], problems: ['the wheel cannot be made'] };
  const code = await runInForeground(['tools/wheel.mjs', path]);
  console.log(`     ${basename(path)}: ${(statSync(path).size / 2 ** 20).toFixed(1)} MB`);
  return { names: [basename(path)], problems: code === 0 ? [] : [`${basename(path)} fails`] };
}

/** @param {boolean} withImage */
async function make(withImage) {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  const tarball = packed();
  const bills = billsOfMaterials();
  const problems = [...tarball.problems, ...bills.problems, ...notes()];
  problems.push(...(await tryTarball(tarball.name)));
  const wheel = await wheelTried();
  problems.push(...wheel.problems);
  if (withImage && (await runInForeground(['tools/container.mjs'])) !== 0) {
    problems.push('the image fails');
  }
  checksums([tarball.name, ...wheel.names, ...bills.names, NOTES]);
  for (const problem of problems) console.log(`FAIL ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

async function main() {
  const [flag, version = ''] = process.argv.slice(2);
  if (flag !== '--cut') return make(flag === '--image');
  try {
    return cut(version);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

process.exitCode = await main();
