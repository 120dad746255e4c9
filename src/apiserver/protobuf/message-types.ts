import { readFileSync } from 'node:fs';
import { lazy } from '../../base/index.ts';

/** One numbered field of a message. */
export interface MessageField {
  /** Its name in JSON; empty for a message whose fields are inlined. */
  readonly name: string;
  /** `string`, `bool`, `int`, `bytes`, a special value or another message. */
  readonly type: string;
  readonly many: 'no' | 'list' | 'map';
  /** Whether a zero value is written in JSON: for optional pointers and for required fields. */
  readonly keepsZero: boolean;
}

/** By number. */
export type MessageType = ReadonlyMap<number, MessageField>;

/** Written by scripts/generate-protobuf.ts. */
const texts = lazy(
  () =>
    JSON.parse(readFileSync(new URL('./fields.json', import.meta.url), 'utf8')) as Readonly<
      Record<string, Readonly<Record<string, string>>>
    >,
);

/** All message types by name, each read when it is first wanted. */
const types = lazy(() => new Map(Object.entries(texts()).map(([name, fields]) => [name, lazy(() => read(fields))])));

/** @example messageType('apps/v1.Deployment') */
export const messageType = (name: string): MessageType | undefined => types().get(name)?.();

const read = (fields: Readonly<Record<string, string>>): MessageType =>
  new Map(Object.entries(fields).map(([number, text]) => [Number(number), fieldOf(text)]));

const FORM = /^(?<name>[^:]*):(?<mark>[?!]?)(?<many>\[\]|\{\}|)(?<type>.+)$/;
const MANY = { '[]': 'list', '{}': 'map', '': 'no' } as const;

function fieldOf(text: string): MessageField {
  const { name = '', mark = '', many = '', type = '' } = FORM.exec(text)?.groups ?? {};
  return { name, type, many: MANY[many as keyof typeof MANY], keepsZero: mark !== '' };
}
