import { AwxAnswer } from './awx-answer.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface FakeCredentialType {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly inputs: Fields;
  readonly injectors: Fields;
}

export interface FakeCredential {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly organization: number | null;
  readonly credential_type: number;
  readonly inputs: Fields;
}

export interface FakeTemplate {
  readonly id: number;
  readonly name: string;
  readonly organization: number;
  readonly credentials: readonly number[];
  readonly ask_variables_on_launch: boolean;
  readonly ask_credential_on_launch: boolean;
  readonly inventory_needed_to_start: boolean;
  readonly passwords_needed_to_start: readonly string[];
  readonly variables_needed_to_start: readonly string[];
}

export type JobStatus = 'pending' | 'waiting' | 'running' | 'successful' | 'failed' | 'error' | 'canceled';

export interface FakeJob {
  readonly id: number;
  readonly name: string;
  readonly job_template: number;
  status: JobStatus;
  started: string | null;
  finished: string | null;
  job_explanation: string;
  readonly extra_vars: Fields;
  /** The credentials that are attached to it; one that is deleted goes from here too. */
  readonly credentials: Set<number>;
  /** What its playbook finds in the environment, as it was when the job was launched. */
  readonly environment: Fields;
  stdout: string;
  cancel_flag: boolean;
}

/** What an AWX holds. */
export class AwxState {
  readonly organizations = new Set([1]);
  readonly types = new Map<number, FakeCredentialType>();
  readonly credentials = new Map<number, FakeCredential>();
  readonly templates = new Map<number, FakeTemplate>();
  readonly jobs = new Map<number, FakeJob>();
  #ids = 100;

  nextId(): number {
    return ++this.#ids;
  }

  /** A template with all that makes it fit to be launched, but for what is said. */
  addTemplate(change: Partial<FakeTemplate> & Pick<FakeTemplate, 'name'>): FakeTemplate {
    const template: FakeTemplate = {
      id: this.nextId(),
      organization: 1,
      credentials: [],
      ask_variables_on_launch: true,
      ask_credential_on_launch: true,
      inventory_needed_to_start: false,
      passwords_needed_to_start: [],
      variables_needed_to_start: [],
      ...change,
    };
    this.templates.set(template.id, template);
    return template;
  }

  /** A credential of another AWX user, with a type of its own. */
  addCredential(name: string): FakeCredential {
    const type = { id: this.nextId(), name: `type of ${name}`, kind: 'cloud', inputs: {}, injectors: {} };
    this.types.set(type.id, type);
    const credential = { id: this.nextId(), name, description: '', organization: 1, credential_type: type.id, inputs: {} };
    this.credentials.set(credential.id, credential);
    return credential;
  }

  /** Everything that refers to it forgets it, as the database sees to. */
  removeCredential(id: number): boolean {
    for (const job of this.jobs.values()) job.credentials.delete(id);
    return this.credentials.delete(id);
  }

  typeOf({ credential_type }: FakeCredential): FakeCredentialType {
    const type = this.types.get(credential_type);
    if (!type) throw new AwxAnswer(500, { detail: 'A server error has occurred.' });
    return type;
  }
}

/** What a job's playbook finds in its environment, as the injectors of its credentials say. */
export function environmentOf(state: AwxState, credentials: Iterable<number>): Fields {
  const parts = [...credentials].flatMap((id) => {
    const credential = state.credentials.get(id);
    if (!credential) return [];
    const { injectors } = state.typeOf(credential);
    const file = (injectors['file'] as Readonly<Record<string, string>> | undefined)?.['template'] ?? '';
    const inputs = { ...credential.inputs, 'tower.filename': filled(file, credential.inputs) };
    return Object.entries((injectors['env'] ?? {}) as Readonly<Record<string, string>>).map(([name, text]) => [name, filled(text, inputs)]);
  });
  return Object.fromEntries(parts) as Fields;
}

const filled = (text: string, inputs: Fields): string =>
  text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const value = inputs[name];
    return typeof value === 'string' ? value : '';
  });
