/** Ends a request with this answer; thrown where it is decided. */
export class AwxAnswer extends Error {
  readonly code: number;
  readonly body: unknown;

  constructor(code: number, body?: unknown) {
    super(`answered ${code}`);
    this.code = code;
    this.body = body;
  }
}

export const notFound = (): AwxAnswer => new AwxAnswer(404, { detail: 'Not found.' });

export const bad = (field: string, message: string): AwxAnswer => new AwxAnswer(400, { [field]: [message] });
