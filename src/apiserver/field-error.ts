/** Why a field is refused: the reasons of metav1.StatusCause. */
export type FieldReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTypeInvalid'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound';

/** One thing that is wrong with an object. */
export interface FieldError {
  readonly reason: FieldReason;
  /** As kube-apiserver writes it: `spec.parts[0].name`. */
  readonly field: string;
  /** The message of a cause, without the field. */
  readonly message: string;
}

export const requiredField = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  message: detail === '' ? 'Required value' : `Required value: ${detail}`,
});

export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

/** `value` names the type that was found. */
export const wrongType = (field: string, value: string, detail: string): FieldError => ({
  reason: 'FieldValueTypeInvalid',
  field,
  message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
});

export const notSupported = (field: string, value: unknown, supported: readonly unknown[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown(value)}: supported values: ${supported.map(shown).join(', ')}`,
});

export const tooLong = (field: string, limit: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${limit} bytes`,
});

export const tooMany = (field: string, count: number, limit: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field,
  message: `Too many: ${count}: must have at most ${limit} items`,
});

export const duplicate = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${shown(value)}`,
});

export const forbiddenField = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${detail}`,
});

/** A value as JSON, cut where it would make the message unreadable. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > 4096 ? `${text.slice(0, 4096)}…` : text;
}
