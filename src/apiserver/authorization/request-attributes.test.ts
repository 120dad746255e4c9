import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { requestAttributes } from './request-attributes.ts';

type Query = Readonly<Record<string, string>>;

/** `verb group/resource/subresource namespace name`, or `verb path`. */
function shown(method: ApiRequest['method'], path: string, query?: Query): string {
  const asked = requestAttributes({ method, path, ...(query && { query }) });
  if (asked.kind === 'path') return `${asked.verb} ${asked.path}`;
  return [asked.verb, `${asked.group}|${asked.resource}|${asked.subresource}`, asked.namespace || '-', asked.name || '-'].join(' ');
}

describe('what a request wants', () => {
  test.each<[ApiRequest['method'], string, string]>([
    ['GET', '/api/v1/namespaces/a/pods/x', 'get |pods| a x'],
    ['GET', '/api/v1/namespaces/a/pods', 'list |pods| a -'],
    ['GET', '/api/v1/pods', 'list |pods| - -'],
    ['POST', '/api/v1/namespaces/a/pods', 'create |pods| a -'],
    ['PUT', '/apis/apps/v1/namespaces/a/deployments/x', 'update apps|deployments| a x'],
    ['PATCH', '/apis/apps/v1/namespaces/a/deployments/x/status', 'patch apps|deployments|status a x'],
    ['PUT', '/apis/apps/v1/namespaces/a/deployments/x/scale', 'update apps|deployments|scale a x'],
    ['GET', '/api/v1/namespaces/a/pods/x/log', 'get |pods|log a x'],
    ['POST', '/api/v1/namespaces/a/serviceaccounts/x/token', 'create |serviceaccounts|token a x'],
    ['DELETE', '/api/v1/namespaces/a/pods/x', 'delete |pods| a x'],
    ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection |pods| a -'],
    ['GET', '/api/v1/namespaces', 'list |namespaces| - -'],
    ['GET', '/api/v1/namespaces/a', 'get |namespaces| a a'],
    ['PUT', '/api/v1/namespaces/a/finalize', 'update |namespaces|finalize a a'],
    ['PATCH', '/api/v1/namespaces/a/status', 'patch |namespaces|status a a'],
    ['GET', '/api/v1/nodes/x', 'get |nodes| - x'],
    ['GET', '/apis/example.com/v1/widgets', 'list example.com|widgets| - -'],
    ['GET', '/api', 'get /api'],
    ['GET', '/api/v1', 'get /api/v1'],
    ['GET', '/apis/apps/v1', 'get /apis/apps/v1'],
    ['GET', '/openapi/v3/apis/apps/v1', 'get /openapi/v3/apis/apps/v1'],
    ['POST', '/metrics', 'post /metrics'],
    ['GET', '/', 'get /'],
    ['GET', '/API/v1/pods', 'get /API/v1/pods'],
  ])('%s %s', (method, path, want) => {
    expect(shown(method, path)).toBe(want);
  });

  test.each([
    ['/api/v1//namespaces/a/pods', 'list |pods| a -'],
    ['//api/v1/namespaces/a/pods', 'list |pods| a -'],
    ['/api/v1/namespaces/a//secrets/x/', 'get |secrets| a x'],
    ['/api/v1/namespaces/a/../b/secrets', 'get |..|secrets a b'],
  ])('a path is cut as the router cuts it: %s', (path, want) => {
    expect(shown('GET', path)).toBe(want);
  });

  test.each<[Query, string]>([
    [{ watch: 'true' }, 'watch |pods| a -'],
    [{ watch: '1' }, 'watch |pods| a -'],
    [{ watch: '' }, 'watch |pods| a -'],
    [{ watch: 'false' }, 'list |pods| a -'],
    [{ watch: '0' }, 'list |pods| a -'],
    [{ fieldSelector: 'metadata.name=x' }, 'list |pods| a x'],
    [{ fieldSelector: 'status.phase=Running,metadata.name=x', watch: 'true' }, 'watch |pods| a x'],
    [{ fieldSelector: 'metadata.name!=x' }, 'list |pods| a -'],
    [{ fieldSelector: 'metadata.name' }, 'list |pods| a -'],
  ])('a list with %j', (query, want) => {
    expect(shown('GET', '/api/v1/namespaces/a/pods', query)).toBe(want);
  });

  test('a watch of one object by its path is a get, as on kube-apiserver', () => {
    expect(shown('GET', '/api/v1/namespaces/a/pods/x', { watch: 'true' })).toBe('get |pods| a x');
  });
});
