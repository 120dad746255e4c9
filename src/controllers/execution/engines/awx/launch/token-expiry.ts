import { parseTime, type Instant } from '../../../../../base/index.ts';
import type { AwxItem } from '../client/awx-api.ts';

const NOTE = /^token until (\S+)$/;

/** What the credential says of the token in it: nobody else knows. */
export const tokenNote = (expires: string | undefined): string => (expires ? `token until ${expires}` : '');

/** When the token that was handed out ends; undefined when none was, or nothing is known of it. */
export function tokenExpiry(credentials: readonly AwxItem[]): Instant | undefined {
  const notes = credentials.map(({ fields }) =>
    typeof fields['description'] === 'string' ? NOTE.exec(fields['description'])?.[1] : undefined,
  );
  return parseTime(notes.find((expires) => expires !== undefined));
}
