import { describe, expect, test } from 'vitest';
import type { Container, PodSpec } from '../../api/builtin/index.ts';
import { programOf, repositoryOf } from './container-program.ts';

const runs = (image: string): boolean => repositoryOf(image) === 'sickbay/workflows';
const read = (container: Partial<Container>, spec: Partial<PodSpec> = {}) => {
  const whole = { name: 'app', image: 'busybox', ...container };
  return programOf(whole, { containers: [whole], ...spec }, runs);
};

const sh = (text: string): readonly string[] => ['sh', '-c', text];
const scripts: readonly (readonly [readonly string[], number | undefined, number])[] = [
  [sh('sleep 3600'), 3_600_000, 0],
  [['sleep', '5'], 5_000, 0],
  [['/bin/sleep', '1.5'], 1_500, 0],
  [['sleep', '2m'], 120_000, 0],
  [['sleep', 'infinity'], undefined, 0],
  [sh('sleep inf'), undefined, 0],
  [sh('exit 1'), 0, 1],
  [sh('exit'), 0, 0],
  [sh('sleep 1; exit 1'), 1_000, 1],
  [['/bin/sh', '-c', 'sleep 1 && sleep 2;exit 42'], 3_000, 42],
  [sh('sleep 1; exit 3; sleep 100'), 1_000, 3],
  [sh('sleep 1; sleep infinity; exit 3'), undefined, 0],
  [sh('exec sleep 7'), 7_000, 0],
  [sh('sleep 1\nexit 2\n'), 1_000, 2],
  [['/bin/true'], 0, 0],
  [['false'], 0, 1],
  [sh('echo hello; exit 1'), 0, 1],
  [['echo', 'hello'], 0, 0],
  [sh('head -c 8m /dev/zero | tail | sleep 60'), 60_000, 0],
];

describe('what a container does', () => {
  test.each(scripts)('%j is read', (command, durationMs, exitCode) => {
    expect(read({ command })).toEqual({ kind: 'script', durationMs, exitCode });
  });

  test('command and arguments are read as one', () => {
    expect(read({ command: ['sh'], args: ['-c', 'sleep 2; exit 1'] })).toEqual({ kind: 'script', durationMs: 2_000, exitCode: 1 });
    expect(read({ args: ['sleep', '2'] })).toEqual({ kind: 'script', durationMs: 2_000, exitCode: 0 });
  });

  const unread = [
    undefined,
    ['nginx', '-g'],
    sh('echo $HOME; exit 1'),
    sh('echo hello > /tmp/x; exit 1'),
    sh('sleep 1 | cat'),
    sh('exit $CODE'),
    sh('false; sleep 5'),
    ['sleep', '-1'],
    ['sh', '-c'],
  ];
  test.each(unread)('a service of which %j is not understood runs for ever', (command) => {
    expect(read({ ...(command && { command }) })).toEqual({ kind: 'script', durationMs: undefined, exitCode: 0 });
  });

  test.each(['Never', 'OnFailure'] as const)('a task that is not understood is refused (restartPolicy %s)', (restartPolicy) => {
    const program = read({ image: 'registry:5000/tool:1', command: ['tool'] }, { restartPolicy });
    expect(program).toMatchObject({ kind: 'refused', reason: 'ErrImagePull' });
    expect(program).toHaveProperty('message', expect.stringContaining('registry:5000/tool:1'));
  });

  test('a task that is understood is not', () => {
    expect(read({ command: ['sleep', '1'] }, { restartPolicy: 'Never' })).toMatchObject({ kind: 'script' });
  });
});

describe('what runs as a process', () => {
  const image = 'sickbay/workflows:0.1.0';

  test('an image that is here, by its entrypoint', () => {
    expect(read({ image, args: ['sleep', '5'] })).toEqual({ kind: 'process' });
  });

  const refused: readonly (readonly [string, Partial<Container>, string])[] = [
    ['a command of its own', { command: ['node'] }, 'use args'],
    ['a value from elsewhere', { env: [{ name: 'TOKEN', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }, 'TOKEN'],
    ['variables from elsewhere', { envFrom: [{ configMapRef: { name: 'settings' } }] }, 'envFrom'],
  ];
  test.each(refused)('not with %s', (_what, container, hint) => {
    const program = read({ image, ...container }, { restartPolicy: 'Never' });
    expect(program).toMatchObject({ kind: 'refused', reason: 'CreateContainerConfigError' });
    expect(program).toHaveProperty('message', expect.stringContaining(hint));
  });

  test('a script that is understood needs no process', () => {
    expect(read({ image, command: ['sleep', '5'] })).toMatchObject({ kind: 'script' });
  });

  test('only one of a pod', () => {
    const containers = [
      { name: 'one', image },
      { name: 'two', image },
    ];
    expect(containers.map((container) => programOf(container, { containers }, runs).kind)).toEqual(['process', 'refused']);
  });
});

test.each([
  ['sickbay/workflows:0.1.0', 'sickbay/workflows'],
  ['sickbay/workflows', 'sickbay/workflows'],
  ['localhost:5000/sickbay/workflows', 'localhost:5000/sickbay/workflows'],
  ['localhost:5000/sickbay/workflows:1@sha256:abc', 'localhost:5000/sickbay/workflows'],
  ['sickbay/workflows@sha256:abc', 'sickbay/workflows'],
])('%s is of %s', (image, repository) => {
  expect(repositoryOf(image)).toBe(repository);
});
