import type { AuditVerification } from '../../../../src/server/contract/index.ts';

type Known = Omit<AuditVerification, 'findings'>;

const counted = (count = 0): string => `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`;

/** What is known of the trail's proof, in a sentence or two. */
export const proofText = (proof: Known): string => TEXTS[proof.state](proof);

const TEXTS: Readonly<Record<AuditVerification['state'], (proof: Known) => string>> = {
  NotChained: () => 'The trail is kept in memory: it ends with this process and proves nothing.',
  Pending: () => 'The trail is being verified.',
  Unreadable: ({ message }) => `The trail could not be verified: ${message ?? 'no reason is known'}.`,
  Broken: ({ events }) => `The trail of ${counted(events)} was tampered with.`,
  Verified: ({ events, adopted = 0, checkpoint }) =>
    [
      `${counted(events)}: none was changed, none is missing between them.`,
      checkpoint ? `Complete up to event ${checkpoint.sequence} by a checkpoint.` : 'No checkpoint proves its end.',
      ...(adopted > 0 ? [`${adopted.toLocaleString('en')} are older than the chain.`] : []),
    ].join(' '),
};
