/** One CEL rule, as Kubernetes writes it in x-kubernetes-validations. A rule that names `oldSelf` judges the change, any other the value. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  /** A member below the schema that carries the rule, to be named in the refusal: `.spec.name`. */
  readonly fieldPath?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
}

/** The value never changes after it was first written. */
export const immutable = (what: string): Rule => ({ rule: 'self == oldSelf', message: `${what} is immutable` });

/**
 * A member that may be written once: from then on it neither changes nor goes away.
 * @example onceSet('executionRef.uid') on a status schema
 */
export function onceSet(path: string): Rule {
  const isSet = (root: string): string => present(root, path).concat(`${root}.${path} != ''`).join(' && ');
  return {
    rule: `!(${isSet('oldSelf')}) || (${present('self', path).concat(`self.${path} == oldSelf.${path}`).join(' && ')})`,
    message: `${path} is immutable once it is set`,
    fieldPath: `.${path}`,
  };
}

/**
 * Whether a rule holds only for objects whose member `when` says so.
 * @example frozenSince('postRCAContext', 'setAt'): the context is final from the moment its setAt is there
 */
export function frozenSince(member: string, mark: string): Rule {
  return {
    rule: `!(has(oldSelf.${member}) && has(oldSelf.${member}.${mark})) || (has(self.${member}) && self.${member} == oldSelf.${member})`,
    message: `${member} is immutable once ${mark} is set`,
    fieldPath: `.${member}`,
  };
}

/** `has()` for every step of a path, since CEL refuses to look behind a member that is not there. */
function present(root: string, path: string): string[] {
  const steps = path.split('.');
  return steps.map((_, i) => `has(${[root, ...steps.slice(0, i + 1)].join('.')})`);
}
