import type { ContactsReply } from '../../../contract/types.generated.ts';
import { decimal } from '../../ui/value-text.ts';

/** Contacts listed in the panel. */
const CONTACTS_MAX = 5;

/** A force limit of a body region; an exceeded one is marked by a word and by colour. */
function LimitCell({
  limit_n,
  peak_n,
}: {
  readonly limit_n: number | null;
  readonly peak_n: number;
}) {
  if (limit_n === null) return <td data-over="">not permitted</td>;
  const isOver = peak_n > limit_n;
  return <td data-over={isOver ? '' : undefined}>{`${isOver ? 'exceeds ' : ''}${limit_n} N`}</td>;
}

function Head({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The latest contacts, and the figures of ISO/TS 15066 beside the greatest of them (N). */
export function ContactsSection({
  of: { contacts, force_limits, note },
}: {
  readonly of: ContactsReply;
}) {
  const latest = contacts.slice(-CONTACTS_MAX).reverse();
  const peak_n = Math.max(0, ...latest.map(({ peak_force_n }) => peak_force_n));
  return (
    <section aria-label="Contacts">
      <h3>Contacts</h3>
      <table class="explain-table">
        <Head names={['At', 'What touched', 'Speed', 'Peak']} />
        <tbody>
          {latest.map(({ body, obstacle, peak_force_n, speed_m_s, at_s }) => (
            <tr key={`${at_s} ${body} ${obstacle}`}>
              <td>{decimal(at_s, 2)} s</td>
              <td>{`${body}, “${obstacle}”`}</td>
              <td>{decimal(Math.abs(speed_m_s) * 1000, 0)} mm/s</td>
              <td>{decimal(peak_force_n, 0)} N</td>
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>
          {decimal(peak_n, 0)} N compared with the force limits for people (ISO/TS 15066)
        </summary>
        <table class="explain-table">
          <Head names={['Body region', 'Quasi-static', 'Transient']} />
          <tbody>
            {force_limits.map(({ region, quasi_static_n, transient_n }) => (
              <tr key={region}>
                <td>{region}</td>
                <LimitCell limit_n={quasi_static_n} peak_n={peak_n} />
                <LimitCell limit_n={transient_n} peak_n={peak_n} />
              </tr>
            ))}
          </tbody>
        </table>
        <p class="sub">{note}</p>
      </details>
    </section>
  );
}
