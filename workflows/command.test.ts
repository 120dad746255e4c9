import { describe, expect, test } from 'vitest';
import { Deployment } from '../src/api/builtin/index.ts';
import { PlatformError } from '../src/base/index.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import { ApiError } from '../src/kube/client/errors.ts';
import { command, type Outcome } from './command.ts';
import { workflows } from './registry.ts';
import { aWorkload } from './testing/objects.ts';
import { aScene, told } from './testing/scene.ts';

const never = (): never => {
  throw new Error('no cluster is called');
};
const asked = (...words: readonly string[]): Promise<Outcome> => command(words, { env: {}, connected: never });

describe('a command line', () => {
  test.each([['nope'], [''], ['toString'], []])('without an existing workflow ends with 2: %s', async (...words) => {
    expect(await asked(...words)).toEqual({
      code: 2,
      text: expect.stringMatching(/^no workflow ".*"; there are: .*rollback-deployment/) as string,
    });
  });

  test.each([[['--dryrun']], [['--dry-run', 'more']], [['--dry-run', '--undo']]])(
    'with words that mean nothing ends with 2: %s',
    async (more) => {
      const text = 'scale-replicas takes nothing but --dry-run, --undo or --help, and one of them at most';
      expect(await asked('scale-replicas', ...more)).toEqual({ code: 2, text });
    },
  );

  test.each(['--help', '-h', 'help'])('%s prints the usage and all workflows', async (word) => {
    const { code, text } = await asked(word);
    expect(code).toBe(0);
    expect(text).toMatch(/^usage: node workflows\/main\.ts NAME/);
    for (const name of Object.keys(workflows)) expect(text).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });

  test('--help of one workflow lists its parameters', async () => {
    const { code, text } = await asked('raise-memory-limits', '--help');
    expect(code).toBe(0);
    expect(text).toMatch(/^ {2}MAX_LIMIT +optional: no limit is raised above it; "4Gi" when absent$/m);
    expect(text).toMatch(/^ {2}TARGET_RESOURCE_NAME +required: /m);
  });
});

describe('the message of a failed run:', () => {
  const down = (code: 'Unavailable' | 'Internal', message: string): KubeClient =>
    new Proxy({} as KubeClient, { get: () => () => Promise.reject(new PlatformError(code, message)) });
  const unknown = new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 401,
    reason: 'Unauthorized',
    message: 'Unauthorized',
  });

  interface Case {
    readonly what: string;
    readonly words?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** The rights of the run. */
    readonly by?: string;
    readonly client?: KubeClient;
    readonly code: number;
    readonly says: RegExp;
  }

  test.each<Case>([
    { what: 'it is done', code: 0, says: /^Deployment shop\/web scaled from 2 to 3 replicas$/ },
    { what: 'it was so already', env: { REPLICAS: '2' }, code: 0, says: /^Deployment shop\/web already has 2 replicas$/ },
    { what: 'a parameter is missing', env: { REPLICAS: '' }, code: 2, says: /^REPLICAS is not set$/ },
    { what: 'a parameter is wrong', env: { REPLICAS: '500' }, code: 2, says: /^REPLICAS is "500"; it must be a number from 1 to 50$/ },
    { what: 'the kind is wrong', env: { TARGET_RESOURCE_KIND: 'Pod' }, code: 2, says: /it must be Deployment or StatefulSet$/ },
    {
      what: 'the target is not there',
      env: { TARGET_RESOURCE_NAME: 'gone' },
      code: 3,
      says: /^Deployment shop\/gone is not scaled: it does not exist$/,
    },
    { what: 'there is nothing to undo', words: ['--undo'], code: 3, says: /it has no undo record$/ },
    {
      what: 'rights are missing',
      by: 'restore-configmap',
      code: 1,
      says: /restore-configmap" cannot get resource "deployments".* \(the account has not all the rights .* ClusterRole of workflows\/scale-replicas\/workflow\.yaml\)$/,
    },
    {
      what: 'the credentials are not accepted',
      client: new Proxy({} as KubeClient, { get: () => () => Promise.reject(unknown) }),
      code: 1,
      says: /^Unauthorized \(the server does not accept the credentials: the token is wrong, expired/,
    },
    {
      what: 'the server does not answer',
      client: down('Unavailable', 'GET /x:\n connect ECONNREFUSED'),
      code: 1,
      says: /^GET \/x: connect ECONNREFUSED \(the server did not answer, .*it is safe to run this again/,
    },
    { what: 'an unexpected error', client: down('Internal', 'a bug'), code: 1, says: /^a bug$/ },
  ])('$what ends with $code', async ({ words = [], env = {}, by = 'scale-replicas', client: given, code, says }) => {
    const { client, as } = await aScene();
    await client.create(Deployment, aWorkload() as never);
    const all = told('Deployment', 'web', { REPLICAS: '3', ...env });
    const end = await command(['scale-replicas', ...words], { env: all, connected: (work) => work(given ?? as(by)) });
    expect({ code: end.code, lines: end.text.split('\n').length }).toEqual({ code, lines: 1 });
    expect(end.text).toMatch(says);
    expect(end.isWord ?? false, 'only what a run says goes into the status of its pod').toBe(!end.text.includes('takes nothing but'));
  });
});
