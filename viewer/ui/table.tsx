import type { ComponentChild, JSX } from 'preact';

type Data = Readonly<Record<`data-${string}`, string | number | undefined>>;

interface TableProps<Item> {
  readonly class: string;
  /** Its name, for screen readers. */
  readonly caption: string;
  readonly of: readonly Item[];
  /** What tells the items apart. */
  readonly id: (item: Item) => string | number;
  /**
   * The columns by their heads. The first one is the head of its row; one without a head has
   * buttons, and a name for screen readers.
   */
  readonly columns: Readonly<Record<string, (item: Item) => ComponentChild>>;
  /** What a row has beside its cells. */
  readonly row?: (item: Item) => JSX.IntrinsicElements['tr'] & Data;
}

/** A table with a row for each item. */
export function Table<Item>({ class: name, caption, of, id, columns, row }: TableProps<Item>) {
  const [[, first] = [], ...others] = Object.entries(columns);
  return (
    <table class={name}>
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          {Object.keys(columns).map((head) => (
            <th key={head} scope="col">
              {head || <span class="sr-only">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.map((item) => (
          <tr key={id(item)} {...row?.(item)}>
            <th scope="row">{first?.(item)}</th>
            {others.map(([head, cell]) => (
              <td key={head} class={head === '' ? 'row-actions' : undefined}>
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
