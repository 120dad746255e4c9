import { request } from 'undici';

/** Posts a webhook the way Alertmanager does. */
export async function postSignal(url: string, webhook: object): Promise<{ readonly code: number; readonly body: unknown }> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(webhook),
  });
  return { code: statusCode, body: await body.json() };
}
