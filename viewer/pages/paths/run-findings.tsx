interface RunFindingsProps {
  readonly findings: readonly string[];
}

/** What happened in the replayed run: what touched what, how hard, and which joint stopped it. */
export function RunFindings({ findings }: RunFindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul class="notes" aria-label="What happened in the run">
      {findings.map((finding, i) => (
        <li key={i}>{finding}</li>
      ))}
    </ul>
  );
}
