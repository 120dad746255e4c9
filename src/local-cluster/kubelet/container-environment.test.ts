import { describe, expect, test } from 'vitest';
import type { Container } from '../../api/builtin/index.ts';
import { environmentOf, expand, type Sources } from './container-environment.ts';
import { programOf } from './container-program.ts';

const OBJECTS = new Map<string, Record<string, string>>([
  ['configmap/settings', { LEVEL: 'debug', start: 'sleep 2; exit 7' }],
  ['secret/token', { key: 's3cret' }],
]);
const sources: Sources = {
  namespace: 'shop',
  read: (kind, name) => OBJECTS.get(`${kind}/${name}`),
};
const container = (extra: Partial<Container>): Container => ({ name: 'app', image: 'busybox:1', ...extra });
const from = (ref: object): Container => container({ env: [{ name: 'X', valueFrom: ref }] });

describe('the environment of a container', () => {
  test.each([
    ['a missing Secret', from({ secretKeyRef: { name: 'gone', key: 'k' } }), 'secret "gone" not found'],
    ['a missing ConfigMap', from({ configMapKeyRef: { name: 'gone', key: 'k' } }), 'configmap "gone" not found'],
    ['a missing key', from({ configMapKeyRef: { name: 'settings', key: 'k' } }), "couldn't find key k in ConfigMap shop/settings"],
    ['a missing whole', container({ envFrom: [{ secretRef: { name: 'gone' } }] }), 'secret "gone" not found'],
  ] as const)('%s is a problem in the words of the kubelet', (_what, wanted, problem) => {
    expect(environmentOf(wanted, sources)).toEqual({ problem });
    expect(programOf(wanted, { containers: [wanted] }, () => false, sources)).toEqual({
      kind: 'refused',
      reason: 'CreateContainerConfigError',
      message: problem,
    });
  });

  test('what is optional may be missing', () => {
    expect(environmentOf(from({ secretKeyRef: { name: 'gone', key: 'k', optional: true } }), sources)).toEqual({ variables: new Map() });
    expect(environmentOf(container({ envFrom: [{ configMapRef: { name: 'gone', optional: true } }] }), sources)).toEqual({
      variables: new Map(),
    });
  });

  test('env wins over envFrom, and may use what stands before it', () => {
    const wanted = container({
      envFrom: [{ prefix: 'S_', configMapRef: { name: 'settings' } }],
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 'token', key: 'key' } } },
        { name: 'B', value: '$(A) $(NONE) $$(A)' },
        { name: 'S_LEVEL', value: 'info' },
      ],
    });
    const found = environmentOf(wanted, sources);
    expect('variables' in found && Object.fromEntries(found.variables)).toEqual({
      S_LEVEL: 'info',
      S_start: 'sleep 2; exit 7',
      A: 's3cret',
      B: 's3cret $(NONE) $(A)',
    });
  });

  test('a command is expanded before it is read', () => {
    const wanted = container({
      command: ['sh', '-c', '$(START)'],
      env: [{ name: 'START', valueFrom: { configMapKeyRef: { name: 'settings', key: 'start' } } }],
    });
    expect(programOf(wanted, { containers: [wanted] }, () => false, sources)).toEqual({
      kind: 'script',
      durationMs: 2_000,
      exitCode: 7,
      isConfigured: true,
    });
    expect(expand('$(A)', new Map())).toBe('$(A)');
  });

  test('variables that double each other are refused before they are made', () => {
    const doubled = Array.from({ length: 40 }, (_, i) => ({ name: `V${i + 1}`, value: `$(V${i})$(V${i})` }));
    const bomb = container({ command: ['echo', '$(V40)'], env: [{ name: 'V0', value: 'x'.repeat(64) }, ...doubled] });
    expect(JSON.stringify(bomb).length).toBeLessThan(2_048);
    const problem = 'argument list too long: with variable V14 there are more than 1048576 characters';
    expect(environmentOf(bomb, sources)).toEqual({ problem });
    expect(programOf(bomb, { containers: [bomb] }, () => false, sources)).toMatchObject({
      kind: 'refused',
      reason: 'CreateContainerConfigError',
      message: problem,
    });
  });

  test('a command that repeats a long variable is refused as well', () => {
    const bomb = container({ command: ['echo', '$(V)'.repeat(5_000)], env: [{ name: 'V', value: 'x'.repeat(2 ** 20 - 1) }] });
    expect(programOf(bomb, { containers: [bomb] }, () => false, sources)).toMatchObject({
      kind: 'refused',
      message: 'argument list too long: with the command and its arguments there are more than 1048576 characters',
    });
  });
});
