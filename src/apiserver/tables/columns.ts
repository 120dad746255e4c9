import type { Instant } from '../../base/index.ts';
import type { Stored } from '../object.ts';

/** The definition of a column: metav1.TableColumnDefinition. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
}

/** A condition of a row, such as that its object has completed. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

/** How objects of a kind become rows. */
export interface Columns {
  readonly definitions: readonly ColumnDefinition[];
  cells(object: Stored, now: Instant): readonly unknown[];
  conditions?(object: Stored): readonly RowCondition[];
}

/** One column of a built-in kind. */
export interface TableColumn {
  readonly name: string;
  readonly type?: 'string' | 'integer' | 'boolean' | 'date';
  readonly format?: 'name';
  readonly description: string;
  readonly wide?: true;
  cell(object: Stored, now: Instant): unknown;
}

/** Columns from a list. */
export function columnsOf(columns: readonly TableColumn[], rest: Pick<Columns, 'conditions'> = {}): Columns {
  return {
    definitions: columns.map(({ name, type = 'string', format = '', description, wide }) => ({
      name,
      type,
      format,
      description,
      priority: wide ? 1 : 0,
    })),
    cells: (object, now) => columns.map((column) => column.cell(object, now)),
    ...rest,
  };
}
