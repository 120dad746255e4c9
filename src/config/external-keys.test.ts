import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../base/index.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import type { Settings } from '../controllers/settings.ts';
import { parseConfig } from './parse-config.ts';

function settingsOf(text: string): Settings | undefined {
  const parsed = parseConfig(text);
  return parsed.kind === 'valid' ? parsed.settings : undefined;
}

describe('what an assessment goes by', () => {
  test('[EM-047, EM-050, EM-052, EM-054, EM-057, EM-060, EM-114, EM-115, EM-116, EM-117] by default', () => {
    const { stabilizationMs, validityMs, assessment, external } = DEFAULT_SETTINGS;
    expect({ stabilizationMs, validityMs, assessment }).toEqual({
      stabilizationMs: 5 * MINUTE,
      validityMs: 30 * MINUTE,
      assessment: { maxConcurrentReconciles: 5 },
    });
    expect(external).toEqual({
      prometheusEnabled: true,
      alertManagerEnabled: true,
      connectionTimeoutMs: 10 * SECOND,
      prometheusLookbackMs: 30 * MINUTE,
      scrapeIntervalMs: 60 * SECOND,
    });
  });

  test('[EM-063] all of it can be set', () => {
    const file = `
assessment: { stabilizationWindow: 2m, validityWindow: 1h, maxConcurrentReconciles: 7 }
external:
  prometheusUrl: https://prometheus.monitoring:9090/prefix
  prometheusEnabled: false
  alertManagerUrl: http://10.0.0.1:9093
  alertManagerEnabled: false
  connectionTimeout: 3s
  tlsCaFile: /etc/ca.pem
  tokenFile: /var/run/secrets/token
  prometheusLookback: 10m
  scrapeInterval: 15s
`;
    expect(settingsOf(file)).toEqual({
      ...DEFAULT_SETTINGS,
      stabilizationMs: 2 * MINUTE,
      validityMs: HOUR,
      assessment: { maxConcurrentReconciles: 7 },
      external: {
        prometheusUrl: 'https://prometheus.monitoring:9090/prefix',
        prometheusEnabled: false,
        alertManagerUrl: 'http://10.0.0.1:9093',
        alertManagerEnabled: false,
        connectionTimeoutMs: 3 * SECOND,
        tlsCaFile: '/etc/ca.pem',
        tokenFile: '/var/run/secrets/token',
        prometheusLookbackMs: 10 * MINUTE,
        scrapeIntervalMs: 15 * SECOND,
      },
    });
  });

  test.each([
    ['[EM-056] prometheusLookback: 59s', false],
    ['[EM-056] prometheusLookback: 1m', true],
    ['[EM-059] scrapeInterval: 4s', false],
    ['[EM-059] scrapeInterval: 5s', true],
    ['connectionTimeout: 0s', false],
    ['prometheusUrl: prometheus:9090', false],
    ['prometheusUrl: http://me:secret@prometheus:9090', false],
    ['prometheusUrl: http://prometheus:9090/?q=1', false],
    ['prometheusUrl: ""', true],
    ['alertManagerUrl: ftp://alertmanager', false],
    ['tlsCaFile: ca.pem', false],
    ['tokenFile: ""', true],
  ])('%s is allowed: %s', (text, isAllowed) =>
    expect(settingsOf(`external: { ${text.replace(/^\[.*\] /, '')} }`) !== undefined).toBe(isAllowed),
  );
});
