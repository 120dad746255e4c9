import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import type { Stored, Work, WorkMeta } from '../object.ts';
import { generateName } from './generate-name.ts';
import { nameProblems, prefixProblems, type NameRule } from './names.ts';
import { storedMetadata } from './stored-metadata.ts';
import { validateMetadata, validateMetadataUpdate } from './validate-metadata.ts';

const work = (metadata: WorkMeta): Work => ({ apiVersion: 'v1', kind: 'Thing', metadata });
const RULES = { nameRule: 'subdomain', strictMetadata: false } as const;
const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

describe('names', () => {
  test.each<{ rule: NameRule; good: readonly string[]; bad: readonly string[] }>([
    { rule: 'subdomain', good: ['a', 'a.b-c.d', '0', 'a'.repeat(253)], bad: ['', 'A', 'a_b', '-a', 'a-', 'a..b', '.a', 'a'.repeat(254)] },
    { rule: 'label', good: ['a', '0-a', 'a'.repeat(63)], bad: ['', 'a.b', 'A', 'a'.repeat(64)] },
    { rule: 'label1035', good: ['a', 'a-0'], bad: ['0a', 'a.b', ''] },
    { rule: 'path', good: ['system:node', 'A b'], bad: ['.', '..', 'a/b', 'a%b'] },
  ])('$rule', ({ rule, good, bad }) => {
    expect(good.filter((name) => nameProblems(rule, name).length > 0)).toEqual([]);
    expect(bad.filter((name) => nameProblems(rule, name).length === 0)).toEqual([]);
  });

  test('a prefix may end where a name may not', () => {
    expect(prefixProblems('subdomain', 'web-')).toEqual([]);
    expect(prefixProblems('subdomain', 'Web-')).toHaveLength(1);
  });

  test('names by chance fit a label, whatever their base', () => {
    const random = seededRandom(3);
    for (const base of ['a-', 'b'.repeat(80)]) expect(nameProblems('label', generateName(base, random))).toEqual([]);
  });
});

describe('metadata that is kept', () => {
  test.each([
    { given: { name: 'a', labels: { x: '' } }, kept: { name: 'a', labels: { x: '' } }, reason: 'what says something' },
    { given: { name: '', uid: '', generation: 0 }, kept: {}, reason: 'nothing that says nothing' },
    { given: { managedFields: [{}], selfLink: 'x' }, kept: {}, reason: 'nothing of what we do not manage' },
    { given: { deletionGracePeriodSeconds: 0 }, kept: { deletionGracePeriodSeconds: 0 }, reason: 'no grace, which is something' },
    { given: undefined, kept: {}, reason: 'nothing where there is none' },
  ])('$reason', ({ given, kept }) => expect(storedMetadata(given)).toEqual(kept));
});

describe('judging metadata', () => {
  test.each<{ reason: string; metadata: WorkMeta; fields: readonly string[] }>([
    {
      reason: 'all is well',
      metadata: {
        name: 'a',
        labels: { 'x.io/y': 'Z_1.z' },
        annotations: { 'X.io/Y': '{}' },
        finalizers: ['x.io/y'],
        ownerReferences: [OWNER],
      },
      fields: [],
    },
    { reason: 'no name', metadata: {}, fields: ['metadata.name'] },
    { reason: 'a bad prefix', metadata: { name: 'a', generateName: 'A_' }, fields: ['metadata.generateName'] },
    { reason: 'a bad label key', metadata: { name: 'a', labels: { 'a b': 'c' } }, fields: ['metadata.labels'] },
    { reason: 'a bad label value', metadata: { name: 'a', labels: { a: 'b c' } }, fields: ['metadata.labels'] },
    { reason: 'a label value that is too long', metadata: { name: 'a', labels: { a: 'b'.repeat(64) } }, fields: ['metadata.labels'] },
    {
      reason: 'annotations that are too large',
      metadata: { name: 'a', annotations: { a: 'x'.repeat(256 * 1024) } },
      fields: ['metadata.annotations'],
    },
    { reason: 'a finalizer that is none', metadata: { name: 'a', finalizers: ['a b'] }, fields: ['metadata.finalizers'] },
    {
      reason: 'finalizers that contradict',
      metadata: { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] },
      fields: ['metadata.finalizers'],
    },
    {
      reason: 'an owner without identity',
      metadata: { name: 'a', ownerReferences: [{ ...OWNER, uid: '' }] },
      fields: ['metadata.ownerReferences.uid'],
    },
    {
      reason: 'an Event as owner',
      metadata: { name: 'a', ownerReferences: [{ ...OWNER, kind: 'Event' }] },
      fields: ['metadata.ownerReferences'],
    },
    {
      reason: 'two controllers',
      metadata: {
        name: 'a',
        ownerReferences: [
          { ...OWNER, controller: true },
          { ...OWNER, uid: 'v', controller: true },
        ],
      },
      fields: ['metadata.ownerReferences'],
    },
  ])('$reason', ({ metadata, fields }) => {
    expect(validateMetadata(work(metadata), RULES).map(({ field }) => field)).toEqual(fields);
  });

  const old = work({ name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: 't', finalizers: ['x/y'] }) as unknown as Stored;
  const going = { ...old, metadata: { ...old.metadata, deletionTimestamp: 't' } } as Stored;
  test.each([
    { reason: 'nothing', before: old, change: {}, fields: [] },
    { reason: 'the UID', before: old, change: { uid: 'v' }, fields: ['metadata.uid'] },
    { reason: 'a deletion', before: old, change: { deletionTimestamp: 't' }, fields: ['metadata.deletionTimestamp'] },
    { reason: 'a new finalizer', before: old, change: { finalizers: ['x/y', 'z'] }, fields: [] },
    { reason: 'a new finalizer on what goes', before: going, change: { finalizers: ['x/y', 'z'] }, fields: ['metadata.finalizers'] },
    { reason: 'a finalizer less on what goes', before: going, change: { finalizers: [] }, fields: [] },
  ])('a change of $reason', ({ before, change, fields }) => {
    const changed = work({ ...before.metadata, ...change });
    expect(validateMetadataUpdate(changed, before, RULES).map(({ field }) => field)).toEqual(fields);
  });
});
