import { describe, expect, test } from 'vitest';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { Listed } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { aWorkflow } from '../testing/a-workflow.ts';
import { anExecution, listed, UNREADABLE } from '../testing/builders.ts';
import { workflowIdOf } from './find-entry.ts';
import { readCatalogue } from './read-catalogue.ts';

type Catalogue = Listed<RemediationWorkflow>;
const other = aWorkflow({ name: 'other', status: { workflowId: 'other' } });
const disabled = aWorkflow({ status: { catalogStatus: 'Disabled' } });

/** A reader over what the cache and the server have; it notes where the server was asked. */
function aReader(cached: Catalogue, served: Catalogue) {
  const asked: string[] = [];
  const reader = {
    list: (_: unknown, { value }: { readonly value: string }): Catalogue =>
      cached.kind === 'value' ? listed(...cached.value.filter((entry) => workflowIdOf(entry) === value)) : cached,
    fetchList: (_: unknown, { namespace }: { readonly namespace: string }) => {
      asked.push(namespace);
      return Promise.resolve(served);
    },
  };
  return { reader: reader as unknown as Reader, asked };
}

describe('the catalogue', () => {
  test.each([
    {
      name: 'a plan that can be run, and is not about to',
      cached: listed(other, aWorkflow()),
      isNext: false,
      asks: false,
      kept: ['rollback'],
    },
    { name: 'a plan that is about to run', cached: listed(aWorkflow()), isNext: true, asks: true, kept: ['served'] },
    { name: 'a workflow that the cache does not have', cached: listed(other), isNext: false, asks: true, kept: ['served'] },
    { name: 'a workflow that was withdrawn', cached: listed(disabled), isNext: false, asks: true, kept: ['served'] },
    { name: 'a cache that cannot be read', cached: UNREADABLE, isNext: true, asks: false, kept: undefined },
  ])('$name: the server is asked $asks', async ({ cached, isNext, asks, kept }) => {
    const { reader, asked } = aReader(cached, listed(other, aWorkflow({ name: 'served' })));
    const seen = await readCatalogue(reader, anExecution(), isNext);
    expect(asked).toEqual(asks ? ['sickbay-system'] : []);
    const names = seen.kind === 'value' ? seen.value.map(({ metadata }) => metadata.name) : undefined;
    expect(names).toEqual(kept?.map((name) => (name === 'rollback' ? 'rollback-deployment' : name)));
  });

  test('a server that does not answer is not an empty catalogue', async () => {
    const { reader } = aReader(listed(), UNREADABLE);
    expect(await readCatalogue(reader, anExecution(), false)).toEqual(UNREADABLE);
  });
});
