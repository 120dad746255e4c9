import type { HostFault, IneligibleMachine, PowerCycleSeen } from './observed.ts';
import type { ReadyReport } from './status.ts';

/** Why the host cannot be switched, after what is being waited for. */
export const faultReport = ({ fault, message }: HostFault, meanwhile = ''): ReadyReport => ({
  reason: reasonOf(fault),
  message: meanwhile === '' ? message : `${meanwhile}: ${message}`,
  isWarning: true,
});

function reasonOf(fault: HostFault['fault']): string {
  if (fault === 'NoAccess') return 'BmcAccessMissing';
  return fault === 'TooLate' ? 'CommandTooLate' : `Bmc${fault}`;
}

/** Why the Machine is not power-cycled. Only a healthy Machine needs no attention. */
export const ineligibleReport = ({ reason, message }: IneligibleMachine): ReadyReport => ({
  reason,
  message,
  isWarning: reason !== 'MachineHealthy',
});

export const machineUnreadable = (message: string): ReadyReport => ({ reason: 'MachineUnreadable', message, isWarning: true });

export const poweringOffReport = (retryCount: number): ReadyReport => ({
  reason: 'PoweringOff',
  message: `waiting for the host to switch off${retryCount === 0 ? '' : ` (retry ${retryCount})`}`,
});

/** The report, or the fault of the host where there is one. */
export function reportOrFault({ power, commandFailure }: PowerCycleSeen, report: ReadyReport): ReadyReport {
  if (power.kind === 'fault') return faultReport(power, report.message);
  return commandFailure ? faultReport(commandFailure, report.message) : report;
}
