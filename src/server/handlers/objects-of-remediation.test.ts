import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { KubeObject } from '../../api/meta.ts';
import { PlatformError } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { RemediationFamily } from '../views/timeline.ts';
import { objectsOfRemediation, yamlOf } from './objects-of-remediation.ts';

const request = {
  ...RemediationRequest.sample,
  metadata: { ...RemediationRequest.sample.metadata, uid: 'u', resourceVersion: '7' },
} as RemediationRequest;
const family: RemediationFamily = { request, notifications: [] } as unknown as RemediationFamily;

describe('the YAML of an object', () => {
  test('begins as manifests do, and leaves out which client wrote which field', () => {
    const text = yamlOf({ ...request, metadata: { ...request.metadata, managedFields: [{ manager: 'kubectl' }] } } as KubeObject);
    expect(text).toMatch(/^apiVersion: kubernaut.ai\/v1alpha1\nkind: RemediationRequest\nmetadata:\n/);
    expect(text).not.toContain('managedFields');
    expect(parse(text)).toEqual(request);
  });

  test('is cut off where it is longer than people read', () => {
    const text = yamlOf({ ...request, spec: { ...request.spec, originalPayload: 'x'.repeat(1_000_000) } } as KubeObject);
    expect(text.length).toBeLessThan(263_000);
    expect(text).toMatch(/# … cut off after 256 KiB$/);
  });
});

describe('the objects of a remediation', () => {
  test('are read with the rights of the caller; one that may not be read says why', async () => {
    const client = { get: () => Promise.reject(new PlatformError('Forbidden', 'vera may not get it')) } as unknown as KubeClient;
    expect(await objectsOfRemediation(client, family)).toEqual({
      objects: [{ kind: 'RemediationRequest', name: request.metadata.name, problem: 'vera may not get it' }],
    });
  });

  test('are as they are stored now, not as they are cached', async () => {
    const stored = { ...request, spec: { ...request.spec, severity: 'low' } };
    const client = { get: () => Promise.resolve(stored) } as unknown as KubeClient;
    const { objects } = await objectsOfRemediation(client, family);
    expect(parse(objects[0]?.yaml ?? '')).toMatchObject({ spec: { severity: 'low' } });
  });
});
