import { isObject } from '../../base/index.ts';
import { tooLong, type FieldError } from '../field-error.ts';
import type { ValidationContext } from '../kinds/kind.ts';
import type { Work } from '../object.ts';

/** How much the values of a ConfigMap, or of a Secret, may hold together. */
const LARGEST_DATA = 1024 * 1024;

/** A ConfigMap as a whole: its values, and its binary ones as they are decoded. */
export const validateConfigMap = ({ data, binaryData }: Work, { metadata }: ValidationContext): readonly FieldError[] =>
  within(metadata, '[]', textBytes(data) + decodedBytes(binaryData));

export const validateSecret = ({ data }: Work, { metadata }: ValidationContext): readonly FieldError[] =>
  within(metadata, 'data', decodedBytes(data));

const within = (errors: readonly FieldError[], field: string, bytes: number): readonly FieldError[] =>
  bytes <= LARGEST_DATA ? errors : [...errors, tooLong(field, LARGEST_DATA)];

const textBytes = (data: unknown): number => sum(data, (text) => Buffer.byteLength(text));
const decodedBytes = (data: unknown): number => sum(data, (text) => Buffer.byteLength(text, 'base64'));

const sum = (data: unknown, bytesOf: (text: string) => number): number =>
  isObject(data) ? Object.values(data).reduce<number>((bytes, value) => bytes + (typeof value === 'string' ? bytesOf(value) : 0), 0) : 0;
