import { problemSchema } from '../contract/parts.ts';
import { routes, type RouteContract } from '../contract/index.ts';

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = `What Sickbay knows about remediations, and the decisions of people about them. Everything is read from caches of the Kubernetes API and
from the audit trail; what is written goes to the Kubernetes API with the rights of the caller.`;

const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'A parameter is unknown or not valid.',
  401: 'Who sends the request is not known.',
  403: 'The user may not do this.',
  404: 'There is no such object.',
  409: 'The object is in another state.',
  422: 'The body is not valid.',
  503: 'The Kubernetes API, or what is read from it, cannot be reached now.',
};

/** Answers that only some routes give. */
const OF_WRITES: readonly string[] = ['409', '422'];

/** The OpenAPI 3.1 document of the API, made from the contract. */
export function openApiDocument(version: string): Json {
  const schemas = new Map<string, Json>();
  const schema = (value: unknown): unknown => referring(value, schemas);
  const problem = schema(problemSchema);
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, route] of Object.entries(routes) as [string, RouteContract][])
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(id, route, { schema, problem });
  return {
    openapi: '3.1.1',
    info: { title: 'Sickbay', version, description: DESCRIPTION, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(routes).map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of a Kubernetes user or ServiceAccount.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sickbay-session',
          description: 'Set by the link that a local Sickbay prints when it starts; the port of the server is part of its name.',
        },
      },
    },
  };
}

interface Writer {
  readonly schema: (value: unknown) => unknown;
  readonly problem: unknown;
}

function operationOf(id: string, route: RouteContract, { schema, problem }: Writer): Json {
  const { tag, summary, description, body, answer, mediaType = 'application/json' } = route;
  const refused = Object.entries(PROBLEMS).filter(([status]) => body !== undefined || !OF_WRITES.includes(status));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: [...parametersOf(route.params, 'path', schema), ...parametersOf(route.query, 'query', schema)],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schema(body) } } } }),
    responses: {
      200: { description: 'The answer.', content: { [mediaType]: { schema: schema(answer) } } },
      ...Object.fromEntries(
        refused.map(([status, why]) => [status, { description: why, content: { 'application/problem+json': { schema: problem } } }]),
      ),
    },
  };
}

function parametersOf(group: RouteContract['query'], place: 'path' | 'query', schema: Writer['schema']): readonly Json[] {
  const required: readonly string[] = group?.required ?? [];
  return Object.entries(group?.properties ?? {}).map(([name, member]) => {
    const { description, ...rest } = member as { readonly description?: string };
    return { name, in: place, required: required.includes(name), description, schema: schema(rest) };
  });
}

/** A schema whose named parts are references; members that only Kubernetes knows are left out. */
function referring(value: unknown, schemas: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => referring(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { title, description } = value as { readonly title?: unknown; readonly description?: string };
  if (typeof title !== 'string') return plain(value, schemas);
  if (!schemas.has(title)) {
    // Set first: a schema may hold itself.
    schemas.set(title, {});
    schemas.set(title, plain(value, schemas));
  }
  const reference = { $ref: `#/components/schemas/${title}` };
  return description === schemas.get(title)?.['description'] ? reference : { ...reference, description };
}

const plain = (value: object, schemas: Map<string, Json>): Json =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith('x-kubernetes-') && name !== 'title')
      .map(([name, member]) => [name, referring(member, schemas)]),
  );
