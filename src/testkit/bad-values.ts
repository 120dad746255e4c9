import { clone, type JsonObject } from '../base/index.ts';
import { crdOf, type KindDefinition, type KubeObject } from '../api/index.ts';
import { applyEdits } from './bad-values/edits.ts';
import { faultsOf } from './bad-values/faults.ts';
import { violationsOf } from './bad-values/violations-of.ts';
import { walk } from './bad-values/walk.ts';

/** An object that the API must refuse, and the field that it must blame. */
export type BadValue = {
  readonly name: string;
  /** As `details.causes[].field` names it, e.g. `spec.parameters[0].type`. */
  readonly field: string;
  /** Message of the CEL rule that must object, where it is one. */
  readonly rule?: string;
  /** For a fault in the status: the object is there without fault, and this is written to its status. */
  readonly subresource?: 'status';
} & (
  | { readonly object: BadObject }
  /** `before` is stored (spec and status), and `after` is the update that is refused. */
  | { readonly before: BadObject; readonly after: BadObject }
);

/** Well formed as far as the envelope goes; below that anything. */
export type BadObject = Pick<KubeObject, 'apiVersion' | 'kind'> & {
  readonly metadata: { readonly name: string; readonly namespace?: string };
} & JsonObject;

/**
 * One object per rule of a kind's schema: everything that it requires, every type, enum, pattern, bound and CEL rule, each broken once in
 * every place. The kind's sample, or one of its variants, shows every field, so nothing is left out.
 */
export function badValues(kind: KindDefinition): readonly BadValue[] {
  return [...fromSchema(kind), ...fromRules(kind)];
}

function fromSchema(kind: KindDefinition): BadValue[] {
  const schema = crdOf(kind).spec.versions[0]?.schema?.openAPIV3Schema ?? {};
  const seen = new Set<string>();
  const found: BadValue[] = [];
  for (const base of validObjects(kind)) {
    for (const spot of walk(schema, base)) {
      if (seen.has(spot.field)) continue;
      seen.add(spot.field);
      for (const fault of faultsOf(spot)) {
        found.push({
          name: `${fault.field}: ${fault.what}`,
          field: fault.field,
          ...subresourceOf(fault.field),
          object: applyEdits(base, fault.edits),
        });
      }
    }
  }
  return found;
}

function fromRules(kind: KindDefinition): BadValue[] {
  const sample = sampleOf(kind);
  return violationsOf(kind).violations.map(({ rule, field, from, to }, i) => {
    const common = { name: `${field}: ${rule} (${i + 1})`, field, rule, ...subresourceOf(field) };
    if (from === undefined) return { ...common, object: applyEdits(sample, to) };
    const before = applyEdits(sample, from);
    return { ...common, before, after: applyEdits(before, to) };
  });
}

/** The sample, and the variants that show what it cannot show at the same time. All are accepted by the API. */
export const validObjects = (kind: KindDefinition): readonly BadObject[] => {
  const sample = sampleOf(kind);
  return [sample, ...violationsOf(kind).variants.map((edits) => applyEdits(sample, edits))];
};

const sampleOf = (kind: KindDefinition): BadObject => clone(kind.sample) as unknown as BadObject;

const subresourceOf = (field: string): { readonly subresource?: 'status' } => (/^status\b/.test(field) ? { subresource: 'status' } : {});
