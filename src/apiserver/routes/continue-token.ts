import { isObject } from '../../base/index.ts';
import { badRequest } from '../status-errors.ts';

/** Where the next page starts, and the resource version at which the whole list is read; -1 reads the newest. */
export interface ContinueToken {
  readonly revision: number;
  /** The last key of the previous page. */
  readonly after: string;
}

const FORMAT = 'list/1';

/** Opaque to clients. */
export const writeContinueToken = ({ revision, after }: ContinueToken): string =>
  Buffer.from(JSON.stringify({ v: FORMAT, rv: revision, after })).toString('base64url');

/** Reads a token back; throws 400 for a token that this server did not write. */
export function readContinueToken(text: string): ContinueToken {
  const value = parse(Buffer.from(text, 'base64url').toString());
  if (!isObject(value) || value.v !== FORMAT || typeof value.rv !== 'number' || typeof value.after !== 'string') {
    throw badRequest('invalid continue token: continue key is not valid');
  }
  return { revision: value.rv, after: value.after };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
