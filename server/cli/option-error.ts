/** Options that do not fit together, or whose file cannot be used: nothing has started. */
export class OptionError extends Error {}
