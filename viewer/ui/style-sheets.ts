/** Style sheets that are loaded with the page that needs them. */

/** Style sheets that are loaded or loading, by URL. */
const sheets = new Map<string, Promise<unknown>>();

/** Adds an empty style sheet behind the others. */
export function adoptSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  return sheet;
}

/**
 * Loads a sheet that overrides those before it; a link would not override the script's own sheet.
 * An exported page carries its sheets as data, which its policy allows in links only.
 */
async function loadSheet(href: string): Promise<void> {
  if (href.startsWith('data:')) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    const load = new Promise((resolve) => link.addEventListener('load', resolve));
    document.head.append(link);
    await load;
    return;
  }
  const sheet = adoptSheet();
  const reply = await fetch(href, { headers: { Accept: 'text/css' } }).catch(() => null);
  if (reply?.ok) return sheet.replaceSync(await reply.text());
  sheets.delete(href);
  document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(sheet), 1);
  throw new Error(`style sheet ${href} could not be loaded`);
}

/** Adds style sheets to the document, each once; rejects when one fails to load. */
export function loadStyles(urls: readonly URL[]): Promise<unknown> {
  const loads = urls.map(({ href }) => {
    const load = sheets.get(href) ?? loadSheet(href);
    sheets.set(href, load);
    return load;
  });
  return Promise.all(loads);
}
