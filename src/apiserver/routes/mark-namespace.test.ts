import { describe, expect, test } from 'vitest';
import { aServer, objectOf } from '../testing/harness.ts';

const NAMESPACES = '/api/v1/namespaces';

describe('the deletion of a namespace', () => {
  test.each([
    { reason: 'nothing is said', options: {}, finalizers: ['x/own'] },
    { reason: 'nothing is said, but was before', given: ['orphan'], options: {}, finalizers: ['orphan'] },
    { reason: 'dependents are let go', options: { propagationPolicy: 'Orphan' }, finalizers: ['x/own', 'orphan'] },
    { reason: 'the old flag lets them go', options: { orphanDependents: true }, finalizers: ['x/own', 'orphan'] },
    { reason: 'the old flag does not', options: { orphanDependents: false }, finalizers: ['x/own', 'foregroundDeletion'] },
    { reason: 'dependents go first', options: { propagationPolicy: 'Foreground' }, finalizers: ['x/own', 'foregroundDeletion'] },
    { reason: 'no longer lets them go', given: ['orphan'], options: { propagationPolicy: 'Background' }, finalizers: undefined },
    { reason: 'still lets them go', given: ['orphan'], options: { propagationPolicy: 'Orphan' }, finalizers: ['orphan'] },
  ])('$reason', async ({ given = ['x/own'], options, finalizers }) => {
    const server = await aServer({ garbageCollection: 'manual' });
    await server.create(NAMESPACES, { metadata: { name: 'room', finalizers: given } });
    const marked = objectOf(await server.remove(`${NAMESPACES}/room`, options));
    expect(marked.metadata.finalizers).toEqual(finalizers);
    expect(marked).toMatchObject({ metadata: { deletionTimestamp: '2026-11-15T03:00:00Z' }, status: { phase: 'Terminating' } });
  });

  test('a second one changes nothing', async () => {
    const server = await aServer({ garbageCollection: 'manual' });
    await server.create(NAMESPACES, { metadata: { name: 'room' } });
    const marked = objectOf(await server.remove(`${NAMESPACES}/room`));
    expect(objectOf(await server.remove(`${NAMESPACES}/room`, { propagationPolicy: 'Orphan' }))).toBe(marked);
  });
});
