import { request } from 'undici';
import { steadyClock, type Instant } from '../../src/base/index.ts';
import { httpServer } from '../../src/kube/testing/http-server.ts';

/** One alert of a webhook, and what Sickbay answered about it. */
export interface SeenAlert {
  readonly at: Instant;
  readonly code: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly state: string;
  /** Sickbay's verdict, and its message. */
  readonly verdict: string;
  readonly message: string;
}

/** Stands between Alertmanager and Sickbay, passes webhooks on and keeps the verdicts. */
export interface WebhookTap {
  readonly url: string;
  readonly seen: readonly SeenAlert[];
  /** Where webhooks go from now on. */
  passTo(url: string): void;
  close(): Promise<void>;
}

interface Webhook {
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>>; readonly status: string }[];
}

interface Verdict {
  readonly status?: string;
  readonly message?: string;
  readonly detail?: string;
}

interface Answer extends Verdict {
  readonly results?: readonly Verdict[];
}

export async function startWebhookTap(): Promise<WebhookTap> {
  const seen: SeenAlert[] = [];
  let signalsUrl: string | undefined;
  const server = await httpServer((arrived, response) => {
    if (signalsUrl === undefined) return void response.writeHead(503).end();
    pass(signalsUrl, arrived.body).then(
      ({ code, text }) => {
        seen.push(...verdictsIn(arrived.body, code, text));
        response.writeHead(code, { 'content-type': 'application/json' }).end(text);
      },
      () => response.writeHead(502).end(),
    );
  });
  return { url: server.url, seen, passTo: (url) => void (signalsUrl = url), close: () => server.close() };
}

async function pass(url: string, body: string): Promise<{ readonly code: number; readonly text: string }> {
  const answer = await request(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return { code: answer.statusCode, text: await answer.body.text() };
}

/** Each alert of a webhook with its own verdict; of a single one the whole answer is the verdict. */
export function verdictsIn(body: string, code: number, text: string): readonly SeenAlert[] {
  const { alerts } = JSON.parse(body) as Webhook;
  const answer = parsed(text);
  return alerts.map(({ labels, status }, i) => {
    const { status: verdict, message, detail } = answer.results?.[i] ?? answer;
    return { at: steadyClock.now(), code, labels, state: status, verdict: String(verdict ?? code), message: message ?? detail ?? '' };
  });
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
