/**
 * Words that grew in this project and that people who know Kubernetes do not use. None of them has an ordinary use here,
 * so each is refused wherever people read: code, comments, test titles, messages, documentation.
 */
import type { Offence, SourceFile } from './offences.ts';

interface PrivateWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

const word = (pattern: string, instead: string): PrivateWord => ({
  pattern: new RegExp(`(?<![\\w/-])(?:${pattern})(?![\\w-])`, 'gi'),
  instead,
});

/** Each private word, and what to write instead of it. */
const PRIVATE_WORDS: readonly PrivateWord[] = [
  word('ill', 'unhealthy'),
  word('mend|mends|mended|mending', 'remediate, repair or fix'),
  word('nobody|somebody|anybody|whoever|whomever', 'the actor: the operator, the owner, the approver, another controller, the check'),
  word('anew', 'again, or recreated'),
  word('(?:taken|takes|taking|took) in(?! total)|take in(?! total)', 'received, accepted'),
  word('let go|lets go|letting go', 'release, resume'),
  word('hand(?:s|ed|ing)? out', 'request remediation'),
  word('call(?:s|ed|ing)? roll|roll call', 'list the targets'),
  word('patience', 'timeout, or retry delay'),
  word('on record|on the record', 'recorded in status, or in the audit trail'),
  word('took back|taken back|takes? back|taking back', 'roll back, undo, withdraw or delete'),
  word('left behind|leaves? behind|stray|strays', 'orphaned'),
  word("on the (?:server|cluster)'s word", 'from a live read'),
  word('comes? too late|of yesterday', 'stale, expired'),
];

/** Files whose words are not ours, or that must name the words. */
const EXEMPT = /^docs\/(?:requirements\/|rulings\.md)|^scripts\/conventions\/|^CHANGELOG\.md$|^LICENSE$|^package-lock\.json$/;

/** Where the file uses a private word. */
export const privateWordsIn = (file: SourceFile): readonly PrivateUse[] =>
  EXEMPT.test(file.path)
    ? []
    : file.text.split('\n').flatMap((line, index) => PRIVATE_WORDS.flatMap((each) => usesOf(each, file.path, line, index + 1)));

/** A private word, and whether users of Sickbay see it: in documentation, and in the texts of the product. */
export interface PrivateUse extends Offence {
  readonly isVisible: boolean;
}

function usesOf({ pattern, instead }: PrivateWord, path: string, text: string, line: number): readonly PrivateUse[] {
  return [...text.matchAll(pattern)].map(({ 0: used, index }) => ({
    path,
    line,
    message: `"${used}": write ${instead}`,
    isVisible: isProse(path) || (isProduct(path) && isQuoted(text, index)),
  }));
}

const isProse = (path: string): boolean => !/\.(?:tsx?|mjs)$/.test(path);

const isProduct = (path: string): boolean =>
  /^(?:src|workflows|console)\//.test(path) && !/\.test\.ts$|\/testing\/|^src\/testkit\//.test(path);

/** Whether the place lies in a text of the program rather than in a comment. */
const isQuoted = (text: string, at: number): boolean =>
  !/^\s*(?:\*|\/\*|\/\/)/.test(text) && /['"`]/.test(text.slice(0, at)) && !/\/\/ /.test(text.slice(0, at));

/**
 * What lint refuses: every private word that users see, and those of a room with more of them than its backlog allows.
 * @param uses of all files
 * @param backlog by room: the first folders of a path, as in `src/controllers/execution`
 */
export function refusedWords(uses: readonly PrivateUse[], backlog: Readonly<Record<string, number>>): readonly Offence[] {
  const hidden = Map.groupBy(
    uses.filter(({ isVisible }) => !isVisible),
    ({ path }) => roomOf(path),
  );
  const tooMany = [...hidden].filter(([room, found]) => found.length > (backlog[room] ?? 0)).flatMap(([, found]) => found);
  return [...uses.filter(({ isVisible }) => isVisible), ...tooMany];
}

/** `src/controllers/x` and `src/testkit/x` for files there, `src/x` and `test/x` for others, else the first folder. */
export function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const depth = folders[1] === 'controllers' || folders[1] === 'testkit' ? 3 : 2;
  return folders.slice(0, depth).join('/');
}
