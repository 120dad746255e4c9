import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { routes } from '../contract/index.ts';
import { openApiDocument } from './openapi.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}
const document = openApiDocument('1.2.3') as unknown as Document;
const text = JSON.stringify(document);

describe('the OpenAPI document', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text) as Record<string, unknown>);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('has every route once, by the name of its operation', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(operations.toSorted()).toEqual(Object.keys(routes).toSorted());
  });

  test('refers only to schemas that it has', () => {
    const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(referred.length).toBeGreaterThan(50);
    for (const name of referred) expect(Object.keys(document.components.schemas)).toContain(name);
  });

  test('shows nothing of Kubernetes that clients would not know', () => expect(text).not.toContain('x-kubernetes'));
});
