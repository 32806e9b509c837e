/**
 * Reads the part of XML that robot descriptions use: elements, attributes, comments and character
 * data. Text between elements has no meaning in them and is skipped. Document types, and with them
 * entities of a document's own, are refused.
 */
import { UrdfError } from './urdf-error.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Where it begins, from 1. */
  readonly line: number;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
}

const NAME = '[A-Za-z_:][\\w:.-]*';
const TOKEN = new RegExp(
  [
    '<!--(?:(?!--)[\\s\\S])*-->',
    '<\\?[\\s\\S]*?\\?>',
    '<!\\[CDATA\\[[\\s\\S]*?\\]\\]>',
    `</(?<end>${NAME})\\s*>`,
    `<(?<start>${NAME})(?<attributes>(?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<empty>/?)>`,
    '[^<]+',
  ].join('|'),
  'y',
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g');
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};
/** Characters that XML does not have; a terminal would take some for commands. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** Deeper documents are no robots. */
const DEEPEST = 100;

function decoded(value: string, line: number): string {
  return value.replace(/&([^;&\s]*);?/g, (whole, name: string) => {
    const code = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
    const point = code ? Number.parseInt(code[1] ?? code[2]!, code[1] ? 16 : 10) : -1;
    const isCharacter =
      point >= 0 && point <= 0x10ffff && !NO_CHARACTER.test(String.fromCodePoint(point));
    if (!whole.endsWith(';') || !(Object.hasOwn(ENTITIES, name) || isCharacter)) {
      throw new UrdfError(`Line ${line}: “${whole}” is no character of XML; write & as &amp;.`);
    }
    return ENTITIES[name] ?? String.fromCodePoint(point);
  });
}

function attributesOf(text: string, line: number): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single = ''] of text.matchAll(ATTRIBUTE)) {
    if (Object.hasOwn(attributes, name)) {
      throw new UrdfError(`Line ${line}: the attribute ${name} is given twice.`);
    }
    attributes[name] = decoded(double ?? single, line);
  }
  return attributes;
}

/** The root element of a document. Throws a `UrdfError` that names the line. */
export function parseXml(document: string): XmlElement {
  const text = document.replace(/^\uFEFF/, '');
  const top: OpenElement = { name: '', attributes: {}, children: [], line: 1 };
  const open = [top];
  let at = 0;
  let line = 1;
  const fail = (reason: string): never => {
    throw new UrdfError(`Line ${line}: ${reason}`);
  };
  const odd = NO_CHARACTER.exec(text);
  if (odd) {
    line = text.slice(0, odd.index).split('\n').length;
    fail(`it holds ${JSON.stringify(odd[0])}, which is no character of XML.`);
  }
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) {
      const isType = text.startsWith('<!DOCTYPE', at);
      const reason = isType
        ? 'a robot description has no document type; remove it.'
        : `this is no XML: ${JSON.stringify(text.slice(at, at + 40))}.`;
      return fail(reason);
    }
    const { start, end, attributes = '', empty } = match.groups!;
    const parent = open.at(-1)!;
    if (start !== undefined) {
      const element = {
        name: start,
        attributes: attributesOf(attributes, line),
        children: [],
        line,
      };
      parent.children.push(element);
      if (empty === '') open.push(element);
      if (open.length > DEEPEST) fail(`elements are more than ${DEEPEST} deep.`);
    } else if (end !== undefined) {
      if (parent.name !== end) fail(`</${end}> ends no element; <${parent.name}> is open.`);
      open.pop();
    } else if (parent === top && /^[^<\s]|^\s+\S/.test(match[0])) {
      fail('there is text outside of the document.');
    }
    at += match[0].length;
    line += match[0].split('\n').length - 1;
  }
  const last = open.at(-1)!;
  if (open.length > 1) throw new UrdfError(`<${last.name}> of line ${last.line} has no end.`);
  if (top.children.length !== 1) throw new UrdfError('The file must hold one element <robot>.');
  return top.children[0]!;
}
