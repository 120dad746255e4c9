import { describe, expect, test } from 'vitest';
import { aServer, objectOf } from '../testing/harness.ts';

const NAMESPACES = '/api/v1/namespaces';

describe('the deletion of a namespace', () => {
  test.each([
    { reason: 'no policy is given', options: {}, finalizers: ['x/own'] },
    { reason: 'no policy is given, but one was given before', given: ['orphan'], options: {}, finalizers: ['orphan'] },
    { reason: 'dependents are orphaned', options: { propagationPolicy: 'Orphan' }, finalizers: ['x/own', 'orphan'] },
    { reason: 'the old flag orphans dependents', options: { orphanDependents: true }, finalizers: ['x/own', 'orphan'] },
    { reason: 'the old flag deletes dependents first', options: { orphanDependents: false }, finalizers: ['x/own', 'foregroundDeletion'] },
    { reason: 'dependents are deleted first', options: { propagationPolicy: 'Foreground' }, finalizers: ['x/own', 'foregroundDeletion'] },
    { reason: 'no longer orphans dependents', given: ['orphan'], options: { propagationPolicy: 'Background' }, finalizers: undefined },
    { reason: 'still orphans dependents', given: ['orphan'], options: { propagationPolicy: 'Orphan' }, finalizers: ['orphan'] },
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
