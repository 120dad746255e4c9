import { clip } from '../../../base/index.ts';

const HIDDEN = '********';

/** No channel shows more, and what is searched has a limit: every part of a pattern that may repeat has one too. */
const LONGEST = 128 * 1024;

/** What looks like a credential, whatever wrote it. The first group, where there is one, stays. */
const CREDENTIALS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  // A token of a ServiceAccount or another JWT.
  /\beyJ[\w-]{8,1024}\.[\w-]{1,16384}\.[\w-]+/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\bsk-[\w-]{20,}/g,
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gi,
  // The password in an address.
  /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,128}:)[^\s/@]{1,256}(?=@)/gi,
  /\b((?:[\w-]{0,64}(?:password|passwd|secret|token|api[_-]?key|access[_-]?key))["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"',;&]{4,}/gi,
];

/** The text without what looks like a credential: logs and error messages of applications are quoted in notifications, and those go far. */
export const redactCredentials = (text: string): string =>
  CREDENTIALS.reduce(
    (left, pattern) => left.replaceAll(pattern, (_, kept: unknown) => `${typeof kept === 'string' ? kept : ''}${HIDDEN}`),
    clip(text, LONGEST),
  );
