import { ApiProblem } from '../api/api-problem.ts';
import { TOPICS } from '../contract/changes.ts';
import type { Access, Topic } from '../contract/index.ts';
import type { Caller } from './caller.ts';
import { demandAccess } from './demand-access.ts';

type TopicAccess = Exclude<Access, 'user'>;

const accessTo = (topic: Topic): TopicAccess => (topic === 'machines' || topic === 'machine-checks' ? 'machines' : 'remediations');

/** The topics that are asked for, separated by commas, or all that the user may read when none are. */
export async function readableTopics(caller: Caller, wanted: string | undefined, namespace: string): Promise<ReadonlySet<Topic>> {
  if (wanted !== undefined) {
    const topics = new Set(wanted.split(',').map((word) => topicNamed(word.trim())));
    await demandTopics(caller, topics, namespace);
    return topics;
  }
  const readable = {
    remediations: await mayRead(caller, 'remediations', namespace),
    machines: await mayRead(caller, 'machines', namespace),
  };
  const topics = TOPICS.filter((topic) => readable[accessTo(topic)]);
  if (topics.length === 0) await demandAccess(caller, 'remediations', namespace);
  return new Set(topics);
}

/** Refuses a user who may not read one of the topics. */
export async function demandTopics(caller: Caller, topics: ReadonlySet<Topic>, namespace: string): Promise<void> {
  const needed = new Set([...topics].map(accessTo));
  await Promise.all([...needed].map((access) => demandAccess(caller, access, namespace)));
}

async function mayRead(caller: Caller, access: TopicAccess, namespace: string): Promise<boolean> {
  try {
    await demandAccess(caller, access, namespace);
    return true;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 403) return false;
    throw error;
  }
}

function topicNamed(word: string): Topic {
  const topic = TOPICS.find((known) => known === word);
  if (!topic) throw new ApiProblem(400, `topic ${JSON.stringify(word.slice(0, 64))} is unknown: known are ${TOPICS.join(', ')}`);
  return topic;
}
