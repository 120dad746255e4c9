import { enumOf, text, type Rule } from '../schema/index.ts';

/** Every severity that is accepted; medium equals warning, low equals info. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'warning', 'info', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const severity = (description: string) => enumOf(`${description} (medium equals warning, low equals info)`, SEVERITIES);

export const targetType = () =>
  enumOf('Where the resource lives; only kubernetes is acted upon.', ['kubernetes', 'aws', 'azure', 'gcp', 'datadog']);

export const fingerprint = (rules: readonly Rule[] = []) =>
  text('64 hex digits that are equal for signals about the same top owner.', { max: 64, pattern: '^[a-f0-9]{64}$', rules });

export const signalName = () => text('Name of the alert or event reason.', { max: 253 });

export const signalMode = () => enumOf('Whether the signal reports a fault or predicts one.', ['reactive', 'proactive']);

export const clusterID = () => text('Cluster that the resource lives in; empty for the local one.', { max: 253 });
