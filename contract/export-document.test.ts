/** An embedded document is read back unchanged, for any content. */
import { describe, expect, it } from 'vitest';
import { DOCUMENT_ID, type ExportDocument, embedDocument } from './export-document.ts';

const PAGE = `<body><script type="application/json" id="${DOCUMENT_ID}">null</script></body>`;
const shown = (name: string): ExportDocument => ({
  kind: 'toolpath',
  name,
  made_by: 'armtwin 1.2.3',
  text: '{"<!--": "$&"}',
});

describe('embedDocument', () => {
  it.each(['plain', '</script><script>alert(1)</script>', '<!--', '$1 $& $`', '\u2028 "quotes"'])(
    'carries the name %j and ends no element',
    (name) => {
      const page = embedDocument(PAGE, shown(name));
      const [, carried] = /application\/json" id="[^"]+">(.*?)<\/script>/s.exec(page)!;
      expect(carried).not.toContain('<');
      expect(JSON.parse(carried!)).toEqual(shown(name));
      expect(page.endsWith('</script></body>')).toBe(true);
    },
  );

  it('throws for a page without the placeholder', () => {
    expect(() => embedDocument('<body></body>', shown('x'))).toThrow(/no empty element/);
  });
});
