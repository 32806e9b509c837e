/** The code blocks of docs/tutorial.md: the files that it saves, its commands and their output. */
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ name: string, text: string }} SavedFile a file in the folder `../first`
 * @typedef {{ text: string, output: string | null }} Commands `output`: null where none is shown
 */

/** @returns {{ files: SavedFile[], commands: Commands[] }} */
export function tutorialBlocks() {
  const page = readFileSync('docs/tutorial.md', 'utf8');
  const files = [];
  const commands = [];
  for (const block of page.matchAll(/```(\w*)\n(.*?)```/gs)) {
    const [all, language, text] = block.map(String);
    const before = page.slice(0, block.index);
    if (language === 'sh') {
      const shown = page.slice(block.index + String(all).length).match(/^\n\n```\n(.*?)```/s);
      commands.push({ text: String(text), output: shown?.[1] ?? null });
    } else if (language !== '') {
      // The words above a file name the path to save it at.
      const [, name] = [...before.matchAll(/`\.\.\/first\/([\w.]+)`/g)].at(-1) ?? [];
      files.push({ name: String(name), text: String(text) });
    }
  }
  return { files, commands };
}

/** The toolpath of the page, once its error is corrected as the page says. */
export function correctedToolpath() {
  const { files, commands } = tutorialBlocks();
  const [, wrong = '', right = ''] =
    commands.map(({ text }) => /sed -i 's\/(.*?)\/(.*?)\/'/.exec(text)).find(Boolean) ?? [];
  const { text = '' } = files.find(({ name }) => name === 'pick.json') ?? {};
  if (!text.includes(wrong))
    throw new Error('docs/tutorial.md corrects what its toolpath does not have');
  return text.replace(wrong, right);
}
