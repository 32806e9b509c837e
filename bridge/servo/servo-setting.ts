/** A setting of a servo by the name of its register, and how a family writes and reads it. */

/** A setting or limit of a servo: the name of its register, and the value. */
export interface ServoSetting {
  readonly name: string;
  readonly value: number;
}

/** How a family writes a setting into a servo without torque, and reads it. */
export interface SettingAccess {
  write(id: number, setting: ServoSetting): Promise<unknown>;
  read(id: number, name: string): Promise<number | null>;
}
