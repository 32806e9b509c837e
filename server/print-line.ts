import { logOutput } from './service/metrics/log-output.ts';

export function printLine(text: string): void {
  logOutput().write(`${text}\n`);
}
