/**
 * Changes of the settings that the robot keeps without power: each is durable before it is in
 * effect, and in effect before it is answered.
 */

import type { Refusal } from '../../../contract/refusal.ts';
import { type SettingCommand, settingAfter, settingsOf } from '../../robot/arm-settings.ts';
import type { CommandResult } from '../../robot/commands.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { Robot } from '../../robot/robot.ts';
import type { Database } from '../../store/database.ts';
import type { Guard, LateError } from '../../store/guard.ts';

interface KeptSettingsParts {
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly database: Database;
}

export class KeptSettings {
  private readonly parts: KeptSettingsParts;
  private last: Promise<unknown> = Promise.resolve();

  constructor(parts: KeptSettingsParts) {
    this.parts = parts;
  }

  /** Executes a command after those before it. Rejects with StorageError if it cannot be stored. */
  apply<Given extends SettingCommand>(
    command: Given,
    recheck: Guard,
  ): Promise<CommandResult<Given['kind']> | Refusal<LateError>> {
    const done = this.last.then(() => this.keep(command, recheck));
    this.last = done.catch(() => {});
    return done;
  }

  private async keep<Given extends SettingCommand>(
    command: Given,
    recheck: Guard,
  ): Promise<CommandResult<Given['kind']> | Refusal<LateError>> {
    const { robot, loop, database } = this.parts;
    const name = command.kind;
    const next = settingAfter(command, robot.memory);
    if ('refused' in next) return next as CommandResult<Given['kind']>;
    const refusal = await database.change((draft) => {
      const found = recheck() ?? robot.refusalOf(command);
      if (!found) Object.assign(draft, { [name]: next });
      return found;
    });
    if (refusal) return refusal as CommandResult<Given['kind']>;
    const late = loop.apply(command);
    // Lock or state were lost while the disk was written: the robot has not changed.
    if (late) {
      await database.change((draft) => {
        Object.assign(draft, { [name]: settingsOf(robot.memory)[name] });
      });
    }
    return late;
  }
}
