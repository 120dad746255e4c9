import { describe, expect, test } from 'vitest';
import { aServer, objectOf, statusOf } from '../testing/harness.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const POD = { containers: [{ name: 'main', image: 'shop' }], restartPolicy: 'Never' };
const aJob = (labels?: object, own?: object): object => ({
  metadata: { name: 'job', ...(own && { labels: own }) },
  spec: { template: { ...(labels && { metadata: { labels } }), spec: POD } },
});

describe('a Job', () => {
  test.each([
    { reason: 'none of its own', job: aJob(), labels: { 'job-name': 'job' } },
    { reason: 'those of its pods', job: aJob({ app: 'shop' }), labels: { app: 'shop', 'job-name': 'job' } },
    { reason: 'its own', job: aJob({ app: 'shop' }, { own: 'yes' }), labels: { own: 'yes' } },
  ])('has labels: $reason', async ({ job, labels }) => {
    const server = await aServer();
    const { metadata } = await server.create(JOBS, job);
    expect(metadata.labels).toMatchObject(labels);
    expect(metadata.labels).not.toHaveProperty(labels.own === undefined ? 'own' : 'app');
  });

  test('without labels gets those of its pods again', async () => {
    const server = await aServer();
    await server.create(JOBS, aJob(undefined, { own: 'yes' }));
    const changed = objectOf(await server.merge(`${JOBS}/job`, { metadata: { labels: null } }));
    expect(changed.metadata.labels).toMatchObject({ 'job-name': 'job' });
  });

  test.each([
    { reason: 'of its pods', job: aJob(), fields: ['metadata.name', 'spec.template.labels'] },
    { reason: 'of both', job: aJob({ app: 'shop' }), fields: ['metadata.name', 'metadata.labels', 'spec.template.labels'] },
  ])('with a name that is no label is told about those $reason', async ({ job, fields }) => {
    const server = await aServer();
    const answer = await server.call('POST', JOBS, { ...job, metadata: { name: 'b_/' } });
    expect(new Set(statusOf(answer).details?.causes?.map(({ field }) => field))).toEqual(new Set(fields));
  });

  test.each([
    { reason: 'says nothing', options: {}, warnings: 1 },
    { reason: 'lets pods go', options: { propagationPolicy: 'Orphan' }, warnings: 0 },
    { reason: 'lets pods go the old way', options: { orphanDependents: true }, warnings: 0 },
  ])('warns of pods that stay when a deletion $reason', async ({ options, warnings }) => {
    const server = await aServer();
    await server.create(JOBS, aJob());
    const one = await server.remove(`${JOBS}/job`, { ...options, dryRun: ['All'] });
    const many = await server.remove(JOBS, { ...options, dryRun: ['All'] });
    expect([one, many].map((answer) => (answer.warnings ?? []).length)).toEqual([warnings, warnings]);
  });
});
