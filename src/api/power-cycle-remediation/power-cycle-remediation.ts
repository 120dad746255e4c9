import { AGE, defineKind } from '../define-kind.ts';
import { REMEDIATION } from '../parts/group.ts';
import { phaseNames } from '../phases.ts';
import type { ObjectOf } from '../resource.ts';
import { conditions, enumOf, flag, int32, int64, partial, text, time } from '../schema/index.ts';
import { powerCyclePhases } from './phases.ts';
import { powerCycleRemediationSample } from './sample.ts';
import { powerCycleSpec } from './spec.ts';

export const powerCycleRemediationSpec = powerCycleSpec('How the host is power-cycled.');

/** What a host is known by is cut to this before it goes on record. */
export const LONGEST_ADDRESS = 300;
export const LONGEST_SYSTEM = 500;

export const powerCycleRemediationStatus = partial('How far it got.', {
  phase: enumOf('What is being done now.', phaseNames(powerCyclePhases)),
  retryCount: int32('Retries so far; 1 during the first one.', { min: 0 }),
  attemptsNeverOff: int32(
    'Attempts in which the host of the Machine never reported that it is off; they do not count for deleteAfterRetries.',
    {
      min: 0,
    },
  ),
  phaseStartTime: time('When the phase was entered.'),
  powerOffRequestedAt: time('When the host was last told to switch off; written down before it is told.'),
  powerOnRequestedAt: time('When the host was last told to switch on; written down before it is told.'),
  switchOnOwed: flag('Whether it was told to switch off and has not been seen on since; the request does not go before it has.'),
  host: partial('Where that host is, as the Secret said then; while it is owed to be on, no other is asked or told.', {
    address: text('Of its management controller: scheme, host and port.', { max: LONGEST_ADDRESS }),
    system: text('Path of its system, where the Secret names one.', { max: LONGEST_SYSTEM }),
  }),
  anotherHost: flag('Whether that is not the host of the Machine: its Node still ran while it was off. It is not switched off again.'),
  taintedNode: text('Node that was marked as out of service while its host was off, and still may be.', { min: 1, max: 253 }),
  nextAttemptTime: time('When the next attempt begins.'),
  escalatedFailure: time('Since when the Machine said that it fails when its owner was asked; it is asked for no other failure.'),
  message: text('What is going on, in a sentence.'),
  observedGeneration: int64('Generation that was last looked at.', { min: 0 }),
  conditions: conditions(['Ready']),
});

/** An external machine remediation of the same name as its Machine, created from a template by a MachineHealthCheck. */
export const PowerCycleRemediation = defineKind({
  ...REMEDIATION,
  kind: 'PowerCycleRemediation',
  plural: 'powercycleremediations',
  shortNames: ['pcr'],
  description:
    'Asks for the power cycle of the host behind the Machine of the same name, until it is well again and the health check deletes the request.',
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
