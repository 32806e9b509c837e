import { type ExportDocument, embedDocument } from '../../contract/export-document.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { saveFile } from '../ui/user-file.ts';

const HTTP_NOT_FOUND = 404;

/** Why the server did not send the page of an export, and what to do. */
function exportProblem(response: Response | null): string {
  if (response?.status === HTTP_NOT_FOUND) {
    return 'Export failed: the server does not provide export.html. Rebuild the viewer.';
  }
  const cause = response && !response.ok ? `refused (HTTP ${response.status})` : 'did not respond';
  return `Export failed: the server ${cause}. Check the connection, then try again.`;
}

/** Downloads a single-file page that shows a document offline; a failure becomes a notice. */
export async function downloadPage(
  arm: ArmStore,
  file: string,
  document: ExportDocument,
): Promise<void> {
  const response = await fetch('export.html').catch(() => null);
  // A connection may also be lost in the middle of the page.
  const template = response?.ok ? await response.text().catch(() => null) : null;
  if (!response || template === null) {
    const text = exportProblem(response);
    arm.set({ notice: { text, code: '' } });
    return;
  }
  const version = response.headers.get('X-Armtwin')?.split(';')[0] ?? '';
  const made_by = document.made_by.replace('armtwin', `armtwin ${version}`.trim());
  const page = embedDocument(template, { ...document, made_by });
  saveFile(`${file}.html`, page, 'text/html');
}
