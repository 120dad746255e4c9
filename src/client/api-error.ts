/** A failure as the server answers it, in the form of RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
}

/** The server refused a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Absent where the answer came from something else than Sickbay, e.g. a proxy. */
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.detail ?? `the server answered ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The problem that an answer holds; undefined where it came from something else than Sickbay. */
export async function problemIn(response: Response): Promise<Problem | undefined> {
  if (!(response.headers.get('content-type') ?? '').startsWith('application/problem+json')) return undefined;
  return (await response.json()) as Problem;
}
