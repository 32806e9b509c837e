import { recordedToolpath } from '../planning/recorded-toolpath.ts';
import type { Command } from '../robot/commands.ts';
import type { RecordedCommand } from './recording-format.ts';

/** A command as recordings have it. */
export function recordedCommand(command: Command): RecordedCommand {
  if (command.kind !== 'load') return command;
  return { ...command, toolpath: recordedToolpath(command.toolpath) };
}
