/** The settings that the robot keeps without power: collision detection and the daily schedule. */

import type { Refusal } from '../../contract/refusal.ts';
import type { ArmSettings } from '../store/records.ts';
import type { Of } from './commands.ts';
import type { RobotMemory } from './memory.ts';
import { adoptSchedule, type ScheduleMoment, scheduleOf } from './schedule.ts';

/** The settings in a memory of the robot. */
export function settingsOf({
  detection,
  schedule,
}: Pick<RobotMemory, 'detection' | 'schedule'>): ArmSettings {
  const { enabled, start_time, stop_time } = schedule;
  return {
    collision_detection: { enabled: detection.enabled, sensitivity: detection.sensitivity },
    scheduler: { enabled, start_time, stop_time },
  };
}

/** Takes over what was set before the robot had no power; what was never set stays. */
export function adoptSettings(
  memory: RobotMemory,
  { collision_detection, scheduler }: ArmSettings,
  moment: ScheduleMoment,
): void {
  if (collision_detection) Object.assign(memory.detection, collision_detection);
  if (scheduler) adoptSchedule(memory.schedule, scheduler, moment);
}

/** The commands that change a setting; each has the name of its setting. */
export type SettingCommand = Of<keyof ArmSettings>;

/** The setting as it is after a command; refuses what the command gives and cannot be set. */
export function settingAfter(
  command: SettingCommand,
  memory: Readonly<RobotMemory>,
): NonNullable<ArmSettings[keyof ArmSettings]> | Refusal<'invalid_arguments'> {
  if (command.kind === 'scheduler') return scheduleOf(command);
  const { enabled, sensitivity = memory.detection.sensitivity } = command;
  return { enabled, sensitivity };
}
