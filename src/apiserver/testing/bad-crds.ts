import type { JsonObject } from '../../base/index.ts';
import { mergePatch } from '../patch/merge-patch.ts';

/** A CRD that must be refused, and why. */
export interface BadCrd {
  readonly reason: string;
  readonly crd: JsonObject;
  /** A field that both servers must name. */
  readonly field: string;
}

const VERSION = {
  name: 'v1',
  served: true,
  storage: true,
  subresources: { status: {} },
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } } },
};

/** A plain CRD that is accepted. */
export const GADGET_CRD: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'gadgets', kind: 'Gadget' }, versions: [VERSION] },
};

const changed = (patch: JsonObject): JsonObject => mergePatch(GADGET_CRD, patch) as JsonObject;
const ofVersions = (...versions: readonly JsonObject[]): JsonObject => changed({ spec: { versions } });
const ofVersion = (patch: JsonObject): JsonObject => ofVersions(mergePatch(VERSION, patch) as JsonObject);
const ofSchema = (schema: JsonObject): JsonObject => ofVersion({ schema: { openAPIV3Schema: schema } });
const ofSpec = (spec: JsonObject): JsonObject => ofSchema({ properties: { spec } });
const ofField = (schema: JsonObject): JsonObject => ofSpec({ properties: { b: schema } });

const ROOT = 'spec.validation.openAPIV3Schema';
const SPEC = `${ROOT}.properties[spec]`;
const B = `${SPEC}.properties[b]`;

/** One CRD per rule about CRDs that the server checks. */
export const BAD_CRDS: readonly BadCrd[] = [
  { reason: 'a name that is not plural and group', crd: changed({ metadata: { name: 'x' } }), field: 'metadata.name' },
  { reason: 'names that are none', crd: changed({ spec: { names: { kind: 'foo bar', plural: 'Foos' } } }), field: 'spec.names.plural' },
  { reason: 'a short name that is none', crd: changed({ spec: { names: { shortNames: ['A B'] } } }), field: 'spec.names.shortNames[0]' },
  { reason: 'an unknown scope', crd: changed({ spec: { scope: 'Any' } }), field: 'spec.scope' },
  { reason: 'no stored version', crd: ofVersion({ storage: false }), field: 'spec.versions' },
  { reason: 'a version twice', crd: ofVersions(VERSION, { ...VERSION, storage: false }), field: 'spec.versions' },
  { reason: 'two stored versions', crd: ofVersions(VERSION, { ...VERSION, name: 'v2' }), field: 'spec.versions' },
  { reason: 'a bad version name', crd: ofVersion({ name: 'V_1' }), field: 'spec.versions[0].name' },
  { reason: 'no schema', crd: ofVersion({ schema: null }), field: 'spec.versions[0].schema.openAPIV3Schema' },
  { reason: 'a field without type', crd: ofSpec({ properties: { b: {} } }), field: `${B}.type` },
  { reason: 'an unknown type', crd: ofField({ type: 'foo' }), field: `${B}.type` },
  { reason: 'a list without items', crd: ofField({ type: 'array' }), field: `${B}.items` },
  { reason: 'a default of another type', crd: ofField({ type: 'string', default: 5 }), field: `${B}.default` },
  { reason: 'a default outside its own pattern', crd: ofField({ type: 'string', pattern: '^a$', default: 'b' }), field: `${B}.default` },
  { reason: 'a pattern that is none', crd: ofField({ type: 'string', pattern: '(' }), field: `${B}.pattern` },
  { reason: 'a root that is no object', crd: ofSchema({ type: 'string', properties: null }), field: `${ROOT}.type` },
  {
    reason: 'members and a map at once',
    crd: ofField({ type: 'object', properties: { x: { type: 'string' } }, additionalProperties: { type: 'string' } }),
    field: `${B}.additionalProperties`,
  },
  { reason: 'unique items', crd: ofField({ type: 'array', uniqueItems: true, items: { type: 'string' } }), field: `${B}.uniqueItems` },
  { reason: 'types in a branch', crd: ofField({ type: 'string', anyOf: [{ type: 'integer' }] }), field: `${B}.anyOf[0].type` },
  { reason: 'a reference', crd: ofField({ $ref: '#/x' }), field: `${B}.$ref` },
  {
    reason: 'rules about metadata',
    crd: ofSchema({ properties: { metadata: { type: 'object', properties: { foo: { type: 'string' } } } } }),
    field: `${ROOT}.properties[metadata]`,
  },
  {
    reason: 'a keyed list without keys',
    crd: ofField({ type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'string' } }),
    field: `${B}.x-kubernetes-list-map-keys`,
  },
  {
    reason: 'a keyed list whose key may be absent',
    crd: ofField({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' } } },
    }),
    field: `${B}.items.properties[k].default`,
  },
  {
    reason: 'a selectable field that is not there',
    crd: ofVersion({ selectableFields: [{ jsonPath: '.spec.q' }] }),
    field: 'spec.selectableFields[0].jsonPath',
  },
  {
    reason: 'an empty rule',
    crd: ofSpec({ 'x-kubernetes-validations': [{ rule: '' }] }),
    field: `${SPEC}.x-kubernetes-validations[0].rule`,
  },
  {
    reason: 'a rule that does not parse',
    crd: ofSpec({ 'x-kubernetes-validations': [{ rule: 'self.(' }] }),
    field: `${SPEC}.x-kubernetes-validations[0].rule`,
  },
  {
    reason: 'a rule with an unknown function',
    crd: ofSpec({ 'x-kubernetes-validations': [{ rule: 'frobnicate(self)' }] }),
    field: `${SPEC}.x-kubernetes-validations[0].rule`,
  },
  {
    reason: 'a rule with an unknown field',
    crd: ofSpec({ 'x-kubernetes-validations': [{ rule: 'self.nope == 1' }] }),
    field: `${SPEC}.x-kubernetes-validations[0].rule`,
  },
  {
    reason: 'a rule that compares unlike types',
    crd: ofSpec({ 'x-kubernetes-validations': [{ rule: 'self.a == 1' }] }),
    field: `${SPEC}.x-kubernetes-validations[0].rule`,
  },
  {
    reason: 'a rule that is no truth',
    crd: ofSpec({ 'x-kubernetes-validations': [{ rule: '1' }] }),
    field: `${SPEC}.x-kubernetes-validations[0].rule`,
  },
  {
    reason: 'a message that is no text',
    crd: ofSpec({ 'x-kubernetes-validations': [{ rule: 'true', messageExpression: '1' }] }),
    field: `${SPEC}.x-kubernetes-validations[0].messageExpression`,
  },
  {
    reason: 'a rule about the past of items that have none',
    crd: ofField({
      type: 'array',
      maxItems: 3,
      items: { type: 'string', maxLength: 3, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
    }),
    field: `${B}.items.x-kubernetes-validations[0].rule`,
  },
];
