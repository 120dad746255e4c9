import type { LeftMachine, PowerCycleSeen, Trouble } from './observed.ts';
import type { Words } from './status.ts';

/** What stands between us and the host, for people. */
export const troubleWords = ({ fault, message }: Trouble, meanwhile = ''): Words => ({
  reason: reasonOf(fault),
  message: meanwhile === '' ? message : `${meanwhile}: ${message}`,
  isWarning: true,
});

function reasonOf(fault: Trouble['fault']): string {
  if (fault === 'NoAccess') return 'BmcAccessMissing';
  return fault === 'TooLate' ? 'CommandTooLate' : `Bmc${fault}`;
}

/** Why the Machine is left alone; somebody should look, unless it is well. */
export const leftWords = ({ reason, why }: LeftMachine): Words => ({ reason, message: why, isWarning: reason !== 'MachineHealthy' });

/** That it is being switched off, and the how manieth time. */
export const poweringOff = (retryCount: number): Words => ({
  reason: 'PoweringOff',
  message: `waiting for the host to switch off${retryCount === 0 ? '' : ` (retry ${retryCount})`}`,
});

/** These words, or what is wrong where something is. */
export function wordsOr({ power, trouble }: PowerCycleSeen, words: Words): Words {
  if (power.kind === 'fault') return troubleWords(power, words.message);
  return trouble ? troubleWords(trouble, words.message) : words;
}
