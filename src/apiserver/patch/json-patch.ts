import { DEEPEST_JSON, isDeeperThan, isObject, sameJson, setMember } from '../../base/index.ts';

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

/** What the `copy` operations of one patch may copy in all, as JSON: they could multiply a small document without end. */
const MOST_COPIED_BYTES = 3 * 1024 * 1024;

/** What one patch has done so far. */
interface Progress {
  /** Containers that this patch made, which it may change. */
  readonly own: WeakSet<object>;
  copiedBytes: number;
}

/** RFC 6902, as lenient as kube-apiserver is. Shares everything that the patch does not touch; throws JsonPatchError. */
export function jsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const progress: Progress = { own: new WeakSet(), copiedBytes: 0 };
  let result = document;
  for (const operation of operations) result = step(result, readOperation(operation), progress);
  if (isDeeperThan(result)) throw new JsonPatchError(`more than ${DEEPEST_JSON} levels`);
  return result;
}

function readOperation(value: unknown): Operation {
  if (!isObject(value) || typeof value.op !== 'string' || typeof value.path !== 'string')
    throw new JsonPatchError('an operation needs op and path');
  return value as unknown as Operation;
}

function step(document: unknown, { op, path, from, value }: Operation, progress: Progress): unknown {
  const { own } = progress;
  switch (op) {
    case 'add':
      return edit(document, tokensOf(path), { own, change: add(value) });
    case 'remove':
      return edit(document, tokensOf(path), { own, change: remove });
    case 'replace':
      return edit(document, tokensOf(path), { own, change: replace(value) });
    case 'move': {
      const moved = read(document, tokensOf(from));
      return edit(edit(document, tokensOf(from), { own, change: remove }), tokensOf(path), { own, change: add(moved) });
    }
    case 'copy':
      return edit(document, tokensOf(path), { own, change: add(copied(lookUp(document, tokensOf(from)), progress)) });
    case 'test':
      if (!sameJson(orNull(lookUp(document, tokensOf(path))), orNull(value))) throw new JsonPatchError(`testing value ${path} failed`);
      return document;
    default:
      throw new JsonPatchError(`unexpected kind: ${op}`);
  }
}

/** A value of its own, so that a later operation on one of the two does not change the other. */
function copied(value: unknown, progress: Progress): unknown {
  const text = JSON.stringify(orNull(value));
  progress.copiedBytes += Buffer.byteLength(text);
  if (progress.copiedBytes > MOST_COPIED_BYTES) throw new JsonPatchError(`copy: more than ${MOST_COPIED_BYTES} bytes are copied`);
  return JSON.parse(text) as unknown;
}

/** An absent value counts as null. */
const orNull = (value: unknown): unknown => value ?? null;

function tokensOf(path: string | undefined): readonly string[] {
  if (path === undefined || (path !== '' && !path.startsWith('/'))) throw new JsonPatchError(`not a pointer: ${String(path)}`);
  if (path === '') return [];
  const tokens = path
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (tokens.length > DEEPEST_JSON) throw new JsonPatchError(`more than ${DEEPEST_JSON} levels`);
  return tokens;
}

/** Changes one member of a container, which is a copy already. */
type Edit = (container: Record<string, unknown> | unknown[], token: string) => void;

interface Editing {
  readonly own: WeakSet<object>;
  readonly change: Edit;
}

/** Copies the way down to the container of the last token, where the patch has not done so yet, and edits that. */
function edit(document: unknown, tokens: readonly string[], { own, change }: Editing): unknown {
  const [token, ...rest] = tokens;
  if (token === undefined) {
    const whole: Record<string, unknown> = { document };
    change(whole, 'document');
    return whole.document;
  }
  const container = ownCopy(document, own);
  if (rest.length === 0) change(container, token);
  else put(container, token, edit(read(document, [token]), rest, { own, change }));
  return container;
}

function ownCopy(value: unknown, own: WeakSet<object>): Record<string, unknown> | unknown[] {
  if (!Array.isArray(value) && !isObject(value)) throw new JsonPatchError('no such path');
  if (own.has(value)) return value as Record<string, unknown> | unknown[];
  const copy = Array.isArray(value) ? [...(value as readonly unknown[])] : { ...value };
  own.add(copy);
  return copy;
}

function put(container: Record<string, unknown> | unknown[], token: string, value: unknown): void {
  if (Array.isArray(container)) container[indexIn(container, token)] = value;
  else setMember(container, token, value);
}

const add =
  (value: unknown): Edit =>
  (container, token) => {
    if (!Array.isArray(container)) setMember(container, token, value);
    else if (token === '-') container.push(value);
    else container.splice(token === String(container.length) ? container.length : indexIn(container, token), 0, value);
  };

const replace =
  (value: unknown): Edit =>
  (container, token) =>
    put(container, token, value);

const remove: Edit = (container, token) => {
  if (Array.isArray(container)) container.splice(indexIn(container, token), 1);
  else if (Object.hasOwn(container, token)) delete container[token];
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
    else if (isObject(at)) at = Object.hasOwn(at, token) ? at[token] : undefined;
    else throw new JsonPatchError(`no such path: /${tokens.join('/')}`);
  }
  return at;
}
