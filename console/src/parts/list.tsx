import { Button } from '@mantine/core';

/** One column: its name, and what stands in it. */
export interface Column<T> {
  readonly name: string;
  readonly of: (item: T) => React.ReactNode;
  /** Left out where the window is narrow. */
  readonly isExtra?: boolean;
  readonly isNumber?: boolean;
}

interface ListProps<T> {
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
}

/** A table of a few hundred rows at most. */
export const List = <T,>({ name, columns, items, keyOf }: ListProps<T>) => (
  <div className="list-frame">
    <table className="list" aria-label={name}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" data-extra={column.isExtra} data-number={column.isNumber}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map((column) => (
              <td key={column.name} data-extra={column.isExtra} data-number={column.isNumber}>
                {column.of(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Reads the next page of a list. */
export function More({ list }: { readonly list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } }) {
  if (!list.hasNextPage) return undefined;
  return (
    <Button variant="default" size="xs" mt="sm" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Show more
    </Button>
  );
}
