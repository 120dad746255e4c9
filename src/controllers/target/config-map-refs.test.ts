import { describe, expect, test } from 'vitest';
import type { Container, PodSpec } from '../../api/builtin/index.ts';
import { configMapRefs } from './index.ts';
import { aTarget } from './testing/builders.ts';

const main: Container = { name: 'main', image: 'shop:3' };
const all: Container = { ...main, envFrom: [{ configMapRef: { name: 'settings' } }] };
const one: Container = { ...main, env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'flags', key: 'a' } } }] };
const volume = (source: object): Partial<PodSpec> => ({ volumes: [{ name: 'v', ...source }] });

describe('configMapRefs', () => {
  test.each<[string, Partial<PodSpec>, readonly string[]]>([
    ['nothing', {}, []],
    ['[EM-189] a volume', volume({ configMap: { name: 'files' } }), ['files']],
    [
      '[EM-190] projected sources',
      volume({ projected: { sources: [{ configMap: { name: 'b' } }, { configMap: { name: 'a' } }, { secret: { name: 's' } }] } }),
      ['a', 'b'],
    ],
    ['a projected volume without sources', volume({ projected: {} }), []],
    ['[EM-191] all keys in the environment', { containers: [all] }, ['settings']],
    ['[EM-192] one key in the environment', { containers: [one] }, ['flags']],
    ['[EM-193] init containers', { initContainers: [all, one] }, ['flags', 'settings']],
    ['[EM-193] ephemeral containers', { ephemeralContainers: [all, one] }, ['flags', 'settings']],
    ['one that may be missing', volume({ configMap: { name: 'files', optional: true } }), ['files']],
    ['[EM-195] the same one in several places', { ...volume({ configMap: { name: 'settings' } }), containers: [all, all] }, ['settings']],
    ['a reference without a name', volume({ configMap: {} }), []],
    ['a reference with an empty name', volume({ configMap: { name: '' } }), []],
    ['values that stand in the spec', { containers: [{ ...main, env: [{ name: 'A', value: 'settings' }] }] }, []],
    ['a name that every object has', volume({ configMap: { name: 'constructor' } }), ['constructor']],
    [
      '[EM-196] Secrets',
      {
        ...volume({ secret: { secretName: 'certs' } }),
        containers: [
          {
            ...main,
            envFrom: [{ secretRef: { name: 'all' } }],
            env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'one', key: 'a' } } }],
          },
        ],
      },
      [],
    ],
  ])('%s', (_, pods, names) => expect(configMapRefs(aTarget(pods))).toEqual(names));

  const pods = { containers: [all] };
  const template = { template: { spec: pods } };
  test.each<[string, unknown, readonly string[]]>([
    ['Pod', pods, ['settings']],
    ['Deployment', template, ['settings']],
    ['StatefulSet', template, ['settings']],
    ['DaemonSet', template, ['settings']],
    ['ReplicaSet', template, ['settings']],
    ['Job', template, ['settings']],
    ['CronJob', { jobTemplate: { spec: template } }, ['settings']],
    ['Service', template, []],
    ['Node', pods, []],
  ])('[EM-194] of a %s', (kind, spec, names) => expect(configMapRefs({ ...aTarget(), kind, spec } as never)).toEqual(names));

  test.each(['Pod', 'Deployment', 'CronJob'])('a %s without pods to make has none', (kind) => {
    expect(configMapRefs({ ...aTarget(), kind, spec: {} } as never)).toEqual([]);
    expect(configMapRefs({ ...aTarget(), kind, spec: undefined } as never)).toEqual([]);
  });
});
