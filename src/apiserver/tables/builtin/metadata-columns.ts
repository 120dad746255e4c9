import type { TableColumn } from '../columns.ts';
import { ageAt } from '../read-field.ts';

/** Columns of what all objects have. */

export const NAME: TableColumn = {
  name: 'Name',
  format: 'name',
  description: 'Name of the object, which no other of its kind has in the same namespace.',
  cell: ({ metadata }) => metadata.name,
};

export const AGE_COLUMN: TableColumn = {
  name: 'Age',
  description: 'Time since the object was created.',
  cell: (object, now) => ageAt(object, 'metadata.creationTimestamp', now),
};

export const CREATED_AT: TableColumn = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was created.',
  cell: ({ metadata }) => metadata.creationTimestamp,
};
