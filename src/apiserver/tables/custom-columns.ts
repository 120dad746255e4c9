import { parseTime, type Instant } from '../../base/index.ts';
import type { CrdColumn, CrdVersion } from '../kinds/crd.ts';
import type { Stored } from '../object.ts';
import { NAME } from './builtin/metadata-columns.ts';
import { columnsOf, type Columns } from './columns.ts';
import { humanDuration } from './human-duration.ts';
import { jsonPath } from './json-path.ts';

const AGE: CrdColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Time since creation.' };

/** The columns that a CRD declares for one of its versions; the age where it declares none. */
export function customColumns({ additionalPrinterColumns = [] }: CrdVersion): Columns {
  const columns = additionalPrinterColumns.length > 0 ? additionalPrinterColumns : [AGE];
  const finders = columns.map(finder);
  const name = columnsOf([NAME]);
  return {
    definitions: [...name.definitions, ...columns.map(definitionOf)],
    cells: (object, now) => [...name.cells(object, now), ...finders.map((find) => find(object, now))],
  };
}

const definitionOf = ({ name, type, format = '', description = '', priority = 0, jsonPath: path }: CrdColumn) => ({
  name,
  type,
  format,
  description: description === '' ? `Custom resource definition column (in JSONPath format): ${path}` : description,
  priority,
});

function finder({ type, jsonPath: text }: CrdColumn): (object: Stored, now: Instant) => unknown {
  const find = jsonPath(text) ?? (() => []);
  return (object, now) => {
    const [found] = find(object);
    return found === undefined ? null : cellOf(type, found, now);
  };
}

/** A value as a cell of a column's type; null for a value of another type. */
function cellOf(type: string, value: unknown, now: Instant): unknown {
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? age(value, now) : null;
    default:
      return null;
  }
}

const textOf = (value: unknown): string => {
  if (value === null) return '<no value>';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function age(text: string, now: Instant): string {
  const at = parseTime(text);
  return at === undefined ? '<invalid>' : humanDuration(now - at);
}
