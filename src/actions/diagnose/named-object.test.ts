import { afterEach, describe, expect, test } from 'vitest';
import { RehearsalStage } from '../testing/rehearsal-stage.ts';
import { fetchNamed, parseNamedObject } from './named-object.ts';

const named = (...words: readonly string[]) => {
  const { resource, key } = parseNamedObject(words, 'shop');
  return `${resource.kind} ${key.namespace}/${key.name}`;
};

describe('an object as a person names it', () => {
  test.each([
    { words: ['deployment/checkout'], want: 'Deployment shop/checkout' },
    { words: ['deploy', 'checkout'], want: 'Deployment shop/checkout' },
    { words: ['Deployments/checkout'], want: 'Deployment shop/checkout' },
    { words: ['deployments.apps/checkout'], want: 'Deployment shop/checkout' },
    { words: ['deploy.v1.apps/checkout'], want: 'Deployment shop/checkout' },
    { words: ['PVC/data'], want: 'PersistentVolumeClaim shop/data' },
    { words: ['no/worker-1'], want: 'Node /worker-1' },
    { words: ['ns/shop'], want: 'Namespace /shop' },
  ])('$words', ({ words, want }) => expect(named(...words)).toBe(want));

  test.each([
    { words: ['checkout'], want: '"checkout" is not KIND/NAME, as in deployment/checkout' },
    { words: ['deploy/'], want: 'is not KIND/NAME' },
    { words: ['deploy/a/b'], want: 'is not KIND/NAME' },
    { words: ['deploy', 'a', 'b'], want: 'is not KIND/NAME' },
    { words: ['widget/a'], want: 'unknown kind "widget": diagnose knows Deployment, ' },
    { words: ['deployments.example.com/a'], want: 'unknown kind "deployments.example.com"' },
    { words: ['constructor/a'], want: 'unknown kind "constructor"' },
  ])('$words is refused', ({ words, want }) => expect(() => named(...words)).toThrow(want));
});

describe('an object that is not there', () => {
  let stage: RehearsalStage;
  afterEach(() => stage.close());
  const fetch = (word: string, namespace = 'shop') => fetchNamed(stage.reader, parseNamedObject([word], namespace));

  test.each([
    { word: 'deploy/chekout', namespace: 'shop', want: 'there is no Deployment shop/chekout; in the namespace shop there is checkout' },
    { word: 'sts/db', namespace: 'shop', want: 'there is no StatefulSet shop/db, nor any other StatefulSet in the namespace shop' },
    { word: 'deploy/a', namespace: 'shpo', want: 'there is no Deployment shpo/a: there is no namespace shpo; -n names another' },
    { word: 'cert/a', namespace: 'shop', want: 'the cluster does not serve certificates.cert-manager.io' },
  ])('$word in $namespace', async ({ word, namespace, want }) => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    await expect(fetch(word, namespace)).rejects.toThrow(want);
  });
});
