/**
 * OpenAPI v3: the shape of everything that is served, for `kubectl explain`, for validation and patches by clients.
 *
 * - Start at `documents.ts`: `openApiDocuments` makes one document per group and version, and their index.
 * - `operations.ts` writes the paths, `components.ts` the schemas: a CRD's own, or for built-in kinds those of a real kube-apiserver.
 * - Only JSON is served; there is no OpenAPI v2, which kubectl asks for only where v3 is missing.
 */
export { openApiDocuments } from './documents.ts';
