import type { ApiRequest } from '../../kube/client/transport.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Stored } from '../object.ts';
import { presenter, type Present } from '../routes/present.ts';
import type { Server } from '../server.ts';
import { includeObjectOf, kindColumns, tableOf } from '../tables/index.ts';

/** The form of the objects in a watch's lines. Only the first table contains the column definitions. */
export function watchPresenter(server: Server, kind: Kind, request: ApiRequest): Present {
  if (request.accept !== 'table') return presenter(request);
  const includeObject = includeObjectOf(request.query?.['includeObject']);
  const columns = kindColumns(kind);
  let headers = true;
  return (object) => {
    const { resourceVersion } = object.metadata;
    const table = tableOf([object], { resourceVersion }, { columns, includeObject, now: server.clock.now(), headers });
    headers = false;
    return table as Stored;
  };
}
