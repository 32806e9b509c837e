/** The options and help of the commands for a servo bus. */
import { type Command, Option } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { CHOICES } from '../config.ts';
import { BUS_TEXT, familyOption, option, parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Adds the commands for a servo bus. */
export function addServoCommands(program: Command, handlers: CommandHandlers): void {
  const bus = () => option('--bus <name>', BUS_TEXT, 'BUS').makeOptionMandatory();
  program
    .command('emulate-bus')
    .description('emulate a bus with six servos and their arm, to test drivers')
    .option('--tcp <port>', 'TCP port on 127.0.0.1, 0 for a free one', parser(values.port))
    .addOption(
      new Option('--pty <link>', 'path of a pseudo terminal to create (needs socat)').conflicts(
        'tcp',
      ),
    )
    .option('--paired', 'eight servos: shoulder and elbow have a second one, ids 12 and 13')
    .addOption(familyOption(CHOICES.servoFamily[0]))
    .action((flags: Flags) => handlers.emulateBus(flags));
  program
    .command('calibrate')
    .description(
      'measure how the servos are mounted, with torque off, and write a calibration file',
    )
    .addOption(option('--bus <name>', BUS_TEXT, 'BUS'))
    .requiredOption('--out <file>', 'calibration file to write')
    .option('--ids <list>', 'servo ids from the base, e.g. 1,2,3,4,5,6, or 2+3 for two on a joint')
    .option('--gripper <id>', 'also measure the gripper, which this servo moves')
    .option('--one-by-one', 'switch the torque of one joint at a time off')
    .option('--drive', "also write the drives: only for an arm with the masses of the twin's model")
    .option('--import <file>', 'read the calibration of LeRobot or Interbotix instead')
    .option('--joints <names>', 'six names in that file, from the base on')
    .addOption(familyOption(CHOICES.servoFamily[0]))
    .action((flags: Flags) => handlers.calibrate(flags));
  program
    .command('doctor')
    .description('diagnose the servos on a bus; changes nothing without --fix')
    .option(
      '--fix',
      'first restore the protective settings of servos whose torque is off; moves nothing',
    )
    .addOption(bus())
    .addOption(
      option('--calibration <file>', 'calibration file of the expected servos', 'CALIBRATION'),
    )
    .addOption(familyOption())
    .action((flags: Flags) => handlers.doctor(flags));
  program
    .command('release')
    .description('take the torque off servos that hold an arm, which must be supported')
    .addOption(bus())
    .option('--arm-is-supported', 'the arm cannot fall: its servos may let go')
    .addOption(option('--calibration <file>', 'calibration file of the arm', 'CALIBRATION'))
    .addOption(familyOption())
    .action((flags: Flags) => handlers.release(flags));
}
