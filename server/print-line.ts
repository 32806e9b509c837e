import { logOutput } from './service/logging/log-output.ts';

export function printLine(text: string): void {
  logOutput().write(`${text}\n`);
}
