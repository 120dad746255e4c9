import { parseTime, type Instant } from '../../../../../base/index.ts';
import type { AwxItem } from '../client/awx-api.ts';

const NOTE = /^token until (\S+)$/;

/** Reads the expiry of the token in the credential: it is stored nowhere else. */
export const tokenNote = (expires: string | undefined): string => (expires ? `token until ${expires}` : '');

/** When the issued token expires; undefined when none was issued, or its expiry is unknown. */
export function tokenExpiry(credentials: readonly AwxItem[]): Instant | undefined {
  const notes = credentials.map(({ fields }) =>
    typeof fields['description'] === 'string' ? NOTE.exec(fields['description'])?.[1] : undefined,
  );
  return parseTime(notes.find((expires) => expires !== undefined));
}
