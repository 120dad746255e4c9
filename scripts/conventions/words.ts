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
  pattern: new RegExp(`(?<![\\w'/-])(?:${pattern})(?![\\w-])`, 'gi'),
  instead,
});

/** Each private word, and what to write instead of it. */
const PRIVATE_WORDS: readonly PrivateWord[] = [
  word('ill', 'unhealthy'),
  word('mend|mends|mended|mending', 'remediate, repair or fix'),
  word('nobody|somebody|anybody|whoever|whomever', 'the actor: the operator, the owner, the approver, another controller, the check'),
  word('anew', 'again, or recreated'),
  word('taken in|takes? in|taking in|took in', 'received, accepted'),
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
export const privateWordsIn = (file: SourceFile): readonly Offence[] =>
  EXEMPT.test(file.path)
    ? []
    : file.text.split('\n').flatMap((line, index) => PRIVATE_WORDS.flatMap((each) => usesOf(each, file.path, line, index + 1)));

const usesOf = ({ pattern, instead }: PrivateWord, path: string, text: string, line: number): readonly Offence[] =>
  [...text.matchAll(pattern)].map(([used]) => ({ path, line, message: `"${used}": write ${instead}` }));
