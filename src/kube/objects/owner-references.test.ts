import { describe, expect, test } from 'vitest';
import type { OwnerReference } from '../../api/meta.ts';
import { controllerOf, isOwnedBy, ownerReference } from './owner-references.ts';
import { aWidget } from '../testing/widget.ts';

const owner = aWidget({ name: 'owner', version: 1, uid: 'u-1' });
const owned = (...ownerReferences: OwnerReference[]): ReturnType<typeof aWidget> => {
  const object = aWidget({ name: 'owned', version: 1 });
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
};
const reference = ownerReference(owner, { controller: true, blockOwnerDeletion: false });
const another: OwnerReference = { ...reference, uid: 'u-2', controller: false };

describe('owner references', () => {
  test('name the owner by kind, name and UID', () => {
    expect(reference).toEqual({
      apiVersion: 'client.example.com/v1',
      kind: 'Widget',
      name: 'owner',
      uid: 'u-1',
      controller: true,
      blockOwnerDeletion: false,
    });
  });

  test('the controller is the owner with controller: true', () => {
    expect(controllerOf(owned(another, reference))).toBe(reference);
    expect(controllerOf(owned(another))).toBeUndefined();
    expect(controllerOf(owner)).toBeUndefined();
  });

  test('ownership goes by UID, not by name', () => {
    expect(isOwnedBy(owned(another), 'u-2')).toBe(true);
    expect(isOwnedBy(owned(another), 'u-1')).toBe(false);
    expect(isOwnedBy(owner, 'u-1')).toBe(false);
  });
});
