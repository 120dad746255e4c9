import { clip } from '../../base/index.ts';

/** So many lines of a log are kept, and so much of each. */
const MOST_LINES = 5;
const LONGEST_LINE = 240;
/** So much of a line is searched for secrets: far more than is kept. */
const LONGEST_SEARCHED = 32 * 1024;
const HIDDEN = '********';

/** Control characters, and the escape sequences that colour a terminal. */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const UNSEEN = /\u001B\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** What looks like a secret: tokens by their form, values by the name before them, passwords in URLs. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{8,1024}\.[\w-]{1,16384}\.[\w-]*/g, HIDDEN],
  [/\b(AKIA|ASIA|ghp_|gho_|glpat-|xox[abp]-|sk-)[\w-]{10,}/g, HIDDEN],
  [/\b(bearer|basic)\s+[\w+/=.~-]{8,}/gi, `$1 ${HIDDEN}`],
  [/(:\/\/[^\s:/@]{0,128}:)[^\s@/]{1,256}@/g, `$1${HIDDEN}@`],
  [/((?:pass(?:word|wd|phrase)?|secret|token|api[-_]?key|credential|private[-_]?key)["']?\s*[:=]\s*["']?)[^\s"',;]{3,}/gi, `$1${HIDDEN}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*/g, HIDDEN],
];

/** What the kubelet or the runtime answers in place of a log that it does not have any more. */
const NOT_KEPT = /^(unable to retrieve container logs for \S+|failed to try resolving symlinks in path \S+: .*no such file or directory)$/i;

/** A log as a container wrote it: without the lines that stand in place of a log that is not kept. */
export const writtenLines = (log: string): string =>
  log
    .split(/\r?\n/)
    .filter((line) => !NOT_KEPT.test(line.trim()))
    .join('\n')
    .trim();

/** The last lines of a log as a person may read them in a status: shortened, without control characters and without what looks like a secret. */
export function lastLines(log: string): readonly string[] {
  return log
    .split(/\r?\n/)
    .map(plainText)
    .filter((line) => line !== '')
    .slice(-MOST_LINES);
}

/** One line of text from a cluster. */
export function plainText(text: string): string {
  const shown = clip(text, LONGEST_SEARCHED).replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim();
  return clip(
    SECRETS.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), shown),
    LONGEST_LINE,
  );
}
