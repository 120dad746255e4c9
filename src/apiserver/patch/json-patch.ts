import { isObject, sameJson } from '../../base/index.ts';

/** A patch that is invalid or does not fit the document. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** RFC 6902, as lenient as kube-apiserver is. Shares everything that the patch does not touch; throws JsonPatchError. */
export function jsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  let result = document;
  for (const operation of operations) result = step(result, readOperation(operation));
  return result;
}

function readOperation(value: unknown): Operation {
  if (!isObject(value) || typeof value.op !== 'string' || typeof value.path !== 'string')
    throw new JsonPatchError('an operation needs op and path');
  return value as unknown as Operation;
}

function step(document: unknown, { op, path, from, value }: Operation): unknown {
  switch (op) {
    case 'add':
      return edit(document, tokensOf(path), add(value));
    case 'remove':
      return edit(document, tokensOf(path), remove);
    case 'replace':
      return edit(document, tokensOf(path), replace(value));
    case 'move':
      return edit(edit(document, tokensOf(from), remove), tokensOf(path), add(read(document, tokensOf(from))));
    case 'copy':
      return edit(document, tokensOf(path), add(orNull(lookUp(document, tokensOf(from)))));
    case 'test':
      if (!sameJson(orNull(lookUp(document, tokensOf(path))), orNull(value))) throw new JsonPatchError(`testing value ${path} failed`);
      return document;
    default:
      throw new JsonPatchError(`unexpected kind: ${op}`);
  }
}

/** An absent value counts as null. */
const orNull = (value: unknown): unknown => value ?? null;

function tokensOf(path: string | undefined): readonly string[] {
  if (path === undefined || (path !== '' && !path.startsWith('/'))) throw new JsonPatchError(`not a pointer: ${String(path)}`);
  if (path === '') return [];
  return path
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Changes one member of a container, which is a copy already. */
type Edit = (container: Record<string, unknown> | unknown[], token: string) => void;

/** Copies the way down to the container of the last token and edits that. */
function edit(document: unknown, tokens: readonly string[], change: Edit): unknown {
  const [token, ...rest] = tokens;
  if (token === undefined) {
    const whole: Record<string, unknown> = { document };
    change(whole, 'document');
    return whole.document;
  }
  const container = copyOf(document);
  if (rest.length === 0) change(container, token);
  else put(container, token, edit(read(document, [token]), rest, change));
  return container;
}

function copyOf(value: unknown): Record<string, unknown> | unknown[] {
  if (Array.isArray(value)) return [...(value as readonly unknown[])];
  if (isObject(value)) return { ...value };
  throw new JsonPatchError('no such path');
}

function put(container: Record<string, unknown> | unknown[], token: string, value: unknown): void {
  if (Array.isArray(container)) container[indexIn(container, token)] = value;
  else container[token] = value;
}

const add =
  (value: unknown): Edit =>
  (container, token) => {
    if (!Array.isArray(container)) container[token] = value;
    else if (token === '-') container.push(value);
    else container.splice(token === String(container.length) ? container.length : indexIn(container, token), 0, value);
  };

const replace =
  (value: unknown): Edit =>
  (container, token) =>
    put(container, token, value);

const remove: Edit = (container, token) => {
  if (Array.isArray(container)) container.splice(indexIn(container, token), 1);
  else if (token in container) delete container[token];
  else throw new JsonPatchError(`no such member: ${token}`);
};

function indexIn(list: readonly unknown[], token: string): number {
  const index = /^(0|-?[1-9]\d*)$/.test(token) ? Number(token) : NaN;
  const at = index < 0 ? list.length + index : index;
  if (!(at >= 0 && at < list.length)) throw new JsonPatchError(`no such item: ${token}`);
  return at;
}

function read(document: unknown, tokens: readonly string[]): unknown {
  const found = lookUp(document, tokens);
  if (found === undefined) throw new JsonPatchError(`no such path: /${tokens.join('/')}`);
  return found;
}

function lookUp(document: unknown, tokens: readonly string[]): unknown {
  let at: unknown = document;
  for (const token of tokens) {
    if (Array.isArray(at)) at = (at as readonly unknown[])[indexIn(at, token)];
    else if (isObject(at)) at = at[token];
    else throw new JsonPatchError(`no such path: /${tokens.join('/')}`);
  }
  return at;
}
