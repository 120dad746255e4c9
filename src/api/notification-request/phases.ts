import type { Phases } from '../phases.ts';

export type NotificationPhase = 'Pending' | 'Sending' | 'Retrying' | 'Sent' | 'PartiallySent' | 'Failed';

export const notificationPhases: Phases<NotificationPhase> = {
  field: 'phase',
  initial: 'Pending',
  terminal: ['Sent', 'PartiallySent', 'Failed'],
  transitions: {
    Pending: ['Sending', 'Failed'],
    Sending: ['Retrying', 'Sent', 'PartiallySent', 'Failed'],
    Retrying: ['Sent', 'PartiallySent', 'Failed'],
    Sent: [],
    PartiallySent: [],
    Failed: [],
  },
};
