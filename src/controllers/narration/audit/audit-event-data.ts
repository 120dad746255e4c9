import { clip, type JsonObject } from '../../../base/index.ts';

const LONGEST_TEXT = 1_024;

/** A text that fits into an event. */
export const short = (text: string | undefined): string | undefined => text && clip(text, LONGEST_TEXT);

/** The data of an event, without what is not known. */
export const compact = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined && value !== ''));
