import { clip } from '../base/index.ts';
import type { BmcAccess } from './bmc.ts';

const LONGEST_QUOTE = 300;

/**
 * What a management controller said, as it may be told: without the password, and not too long. The password is taken out first: of one that the
 * end of the quote cuts through, the beginning would stay.
 */
export const quote = (said: string, access: BmcAccess, longest = LONGEST_QUOTE): string => clip(withoutPassword(said, access), longest);

/** Some management controllers repeat the request in their response. */
const withoutPassword = (said: string, access: BmcAccess): string =>
  access.password === '' ? said : spellings(access).reduce((rest, spelling) => rest.replaceAll(spelling, '********'), said);

/** The password as it is, as it was sent, and encoded for JSON and URLs. The longest first, since it may contain a shorter one. */
function spellings({ username, password }: BmcAccess): readonly string[] {
  const sent = Buffer.from(`${username}:${password}`).toString('base64');
  const inJson = JSON.stringify(password).slice(1, -1);
  const inAddress = encodeURIComponent(password.toWellFormed());
  // Some omit the padding of base64.
  return [password, inJson, inAddress, sent.replace(/=+$/, '')].toSorted((one, other) => other.length - one.length);
}
