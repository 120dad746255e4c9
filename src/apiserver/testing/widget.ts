import type { JsonObject } from '../../base/index.ts';

/** A schema that uses every feature that the server supports. */
const WIDGET_SCHEMA = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['color'],
      'x-kubernetes-validations': [
        { rule: '!has(self.max) || self.size <= self.max', message: 'size must not exceed max' },
        { rule: 'self.color == oldSelf.color', message: 'color is immutable', fieldPath: '.color', reason: 'FieldValueForbidden' },
      ],
      properties: {
        color: { type: 'string', enum: ['red', 'blue'] },
        name: { type: 'string', maxLength: 5, minLength: 2, pattern: '^[a-z]+$' },
        size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
        max: { type: 'integer' },
        small: { type: 'integer', format: 'int32' },
        ratio: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true, multipleOf: 0.5 },
        port: {
          'x-kubernetes-int-or-string': true,
          maxLength: 20,
          'x-kubernetes-validations': [{ rule: "type(self) == int ? self > 1 : self.matches('^[0-9]+%$')" }],
        },
        when: { type: 'string', format: 'date-time' },
        period: { type: 'string', format: 'duration' },
        tags: { type: 'array', maxItems: 3, minItems: 1, 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        parts: {
          type: 'array',
          maxItems: 10,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', maxLength: 20 },
              count: { type: 'integer', default: 1 },
              fixed: {
                type: 'string',
                maxLength: 20,
                'x-kubernetes-validations': [{ rule: 'self == oldSelf', messageExpression: "'was ' + oldSelf" }],
              },
            },
          },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        notes: { type: 'object', maxProperties: 2, minProperties: 1, additionalProperties: { type: 'string' } },
        maybe: { type: 'string', nullable: true },
        flag: { type: 'boolean' },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        odd: {
          type: 'object',
          properties: { namespace: { type: 'string' }, 'b-c': { type: 'string' }, n: { type: 'integer' } },
          'x-kubernetes-validations': [
            { rule: "!has(self.__namespace__) || self.__namespace__ == 'x'", fieldPath: '.namespace' },
            { rule: "!has(self.b__dash__c) || self.b__dash__c == 'y'", reason: 'FieldValueDuplicate' },
            { rule: 'self.n > 1', reason: 'FieldValueRequired' },
          ],
        },
        sticky: {
          type: 'string',
          maxLength: 20,
          'x-kubernetes-validations': [
            { rule: '!oldSelf.hasValue() || oldSelf.value() == self', optionalOldSelf: true, message: 'sticky stays' },
          ],
        },
        one: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
        any: { type: 'string', anyOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
        not: { type: 'string', not: { enum: ['x'] } },
        all: { type: 'string', allOf: [{ minLength: 2 }, { pattern: 'z' }] },
      },
    },
    status: {
      type: 'object',
      properties: { phase: { type: 'string', enum: ['A', 'B'] }, count: { type: 'integer' } },
    },
  },
} as const satisfies JsonObject;

/** The CRD of widgets. */
export const WIDGET_CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.color' }],
        schema: { openAPIV3Schema: WIDGET_SCHEMA },
      },
    ],
  },
} as const satisfies JsonObject;

/** The path of a namespace's widgets. */
export const widgets = (namespace = 'default'): string => `/apis/example.com/v1/namespaces/${namespace}/widgets`;

/** A widget: red, unless its spec says otherwise. */
export const aWidget = (
  name: string,
  rest: { readonly metadata?: JsonObject; readonly spec?: unknown; readonly status?: JsonObject } = {},
): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...rest.metadata },
  spec:
    rest.spec === undefined || typeof rest.spec !== 'object' || rest.spec === null
      ? (rest.spec ?? { color: 'red' })
      : { color: 'red', ...rest.spec },
  ...(rest.status && { status: rest.status }),
});
