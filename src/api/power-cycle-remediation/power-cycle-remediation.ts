import { AGE, defineKind } from '../define-kind.ts';
import { REMEDIATION } from '../parts/group.ts';
import { phaseNames } from '../phases.ts';
import type { ObjectOf } from '../resource.ts';
import { conditions, enumOf, flag, int32, int64, partial, text, time } from '../schema/index.ts';
import { powerCyclePhases } from './phases.ts';
import { powerCycleRemediationSample } from './sample.ts';
import { powerCycleSpec } from './spec.ts';

export const powerCycleRemediationSpec = powerCycleSpec('How the host is power-cycled.');

/** The identity of a host is cut to this length before it is recorded. */
export const LONGEST_ADDRESS = 300;
export const LONGEST_SYSTEM = 500;

export const powerCycleRemediationStatus = partial('Progress of the request.', {
  phase: enumOf('Current step.', phaseNames(powerCyclePhases)),
  retryCount: int32('Retries so far; 1 during the first one.', { min: 0 }),
  attemptsNeverOff: int32(
    'Attempts in which the host of the Machine never reported that it is off; they do not count for deleteAfterRetries.',
    {
      min: 0,
    },
  ),
  phaseStartTime: time('When the phase was entered.'),
  powerOffRequestedAt: time('When the host was last commanded to switch off; recorded before the command is sent.'),
  powerOnRequestedAt: time('When the host was last commanded to switch on; recorded before the command is sent.'),
  switchOnOwed: flag(
    'Whether the host was commanded to switch off and was not seen on since; the request is not removed before it is seen on.',
  ),
  host: partial(
    'Address of that host, as the Secret had it then; while the host has to be switched on again, no other host is read or commanded.',
    {
      address: text('Of its management controller: scheme, host and port.', { max: LONGEST_ADDRESS }),
      system: text('Path of its system, where the Secret names one.', { max: LONGEST_SYSTEM }),
    },
  ),
  anotherHost: flag(
    'Whether that host is not the host of the Machine: its Node still ran while the host was off. The host is not switched off again.',
  ),
  taintedNode: text('Node that was tainted as out of service while its host was off, and may still be tainted.', { min: 1, max: 253 }),
  nextAttemptTime: time('When the next attempt begins.'),
  escalatedFailure: time(
    'Start of the failure for which the owner was asked to remediate; the owner is not asked again for the same failure.',
  ),
  message: text('The state in one sentence, for people.'),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  conditions: conditions(['Ready']),
});

/** An external machine remediation of the same name as its Machine, created from a template by a MachineHealthCheck. */
export const PowerCycleRemediation = defineKind({
  ...REMEDIATION,
  kind: 'PowerCycleRemediation',
  plural: 'powercycleremediations',
  shortNames: ['pcr'],
  description:
    'Power-cycles the host of the Machine of the same name until the Machine is healthy again and the health check deletes the request.',
  spec: powerCycleRemediationSpec,
  status: powerCycleRemediationStatus,
  phases: powerCyclePhases,
  columns: [
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Retries', type: 'integer', path: '.status.retryCount' },
    { name: 'Strategy', type: 'string', path: '.spec.strategy' },
    AGE,
  ],
  sample: powerCycleRemediationSample,
});
export type PowerCycleRemediation = ObjectOf<typeof PowerCycleRemediation>;
