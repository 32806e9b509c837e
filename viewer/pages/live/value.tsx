interface ValueProps {
  readonly unit: string;
  readonly isQuiet?: boolean;
  readonly children: string;
}

/** A number with its unit. */
export function Value({ unit, isQuiet = false, children }: ValueProps) {
  return (
    <span class="value">
      <span class={isQuiet ? 'number quiet' : 'number'}>{children}</span>
      <span class="unit">{unit}</span>
    </span>
  );
}
