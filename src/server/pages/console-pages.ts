import { readFileSync, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newSecret } from '../../base/index.ts';
import { urlOf, PLAIN_TEXT } from '../http-server.ts';

/** Types of the files that a build makes. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
  '.txt': PLAIN_TEXT,
};

/** In index.html: stands for a value that is new for every answer, which allows the style elements that carry it. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Only files of this server, and no page around it. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const NOT_BUILT = 'The console is not built. Build it with npm run console; the API works without it, see /openapi.json.\n';

interface KeptFile {
  readonly bytes: Buffer;
  readonly encoded: readonly { readonly encoding: string; readonly bytes: Buffer }[];
  readonly changed: number;
}

/** What a build compresses files with, the smallest first, and the ending of such a file. */
const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

/** The encodings that a browser takes. */
const takenBy = ({ headers }: FastifyRequest): readonly string[] =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim().replace(/;q=0?\.[1-9]\d*$|;q=1(\.0+)?$/, ''));

/**
 * The built console: its files, and its page for every other address, since the page itself tells which view an address means. Files are read
 * once; those whose names hold a digest may be kept by browsers.
 */
export class ConsolePages {
  readonly #folder: string;
  readonly #files = new Map<string, KeptFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Answers a request that no route answered; false when it means no page. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean {
    const path = pagePath(request);
    if (path === undefined) return false;
    if (path !== '/index.html' && extname(path) !== '') return this.#file(path, request, reply);
    const page = this.#read('/index.html');
    if (!page) void reply.code(404).type(PLAIN_TEXT).send(NOT_BUILT);
    else sendPage(page.bytes.toString(), reply);
    return true;
  }

  #file(path: string, request: FastifyRequest, reply: FastifyReply): boolean {
    const type = TYPES[extname(path)];
    const file = type === undefined ? undefined : this.#read(path);
    if (!file || type === undefined) return false;
    const taken = takenBy(request);
    const encoded = file.encoded.find(({ encoding }) => taken.includes(encoding));
    reply.type(type).headers({
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
      ...(encoded && { 'content-encoding': encoded.encoding }),
    });
    void reply.send((encoded ?? file).bytes);
    return true;
  }

  /** A build replaces the folder: a file that changed is read again. */
  #read(path: string): KeptFile | undefined {
    const file = join(this.#folder, normalize(path));
    if (!file.startsWith(this.#folder + sep)) return undefined;
    const changed = changeOf(file);
    if (changed === undefined) return undefined;
    const known = this.#files.get(path);
    if (known?.changed === changed) return known;
    const encoded = ENCODINGS.flatMap(({ encoding, ending }) =>
      changeOf(file + ending) === undefined ? [] : [{ encoding, bytes: readFileSync(file + ending) }],
    );
    const read = { bytes: readFileSync(file), encoded, changed };
    this.#files.set(path, read);
    return read;
  }
}

function sendPage(text: string, reply: FastifyReply): void {
  const nonce = newSecret();
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': policy(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
  void reply.send(text.replaceAll(NONCE_PLACEHOLDER, nonce));
}

function changeOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? found.mtimeMs : undefined;
}

/** Addresses that are not pages, whatever answers them. */
const NO_PAGE = /^\/(api|auth|healthz|livez|readyz|metrics)(\/|$)/;

/** The path, where a request may mean a page. */
function pagePath(request: FastifyRequest): string | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const path = decoded(urlOf(request)?.pathname ?? '/');
  return path === undefined || NO_PAGE.test(path) ? undefined : path;
}

function decoded(path: string): string | undefined {
  try {
    const text = decodeURIComponent(path);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
