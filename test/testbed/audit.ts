/** The API server's audit log: which requests a user made. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { USERS } from './users.ts';

export interface Request {
  verb: string;
  /** Plural, with its subresource: `daemonsets/status`. Empty for paths that are no resource. */
  resource: string;
  namespace: string;
  name: string;
  code: number;
  /** Asked what would be, and wrote nothing. */
  isDryRun: boolean;
  /** Milliseconds since 1970, when it arrived and when it was answered. */
  at: number;
  done: number;
}

interface AuditEvent {
  verb: string;
  requestURI: string;
  user: { username: string };
  objectRef?: { resource?: string; subresource?: string; namespace?: string; name?: string };
  responseStatus?: { code?: number };
  requestReceivedTimestamp: string;
  stageTimestamp: string;
}

/** Requests of the cluster's own parts are not logged, they are most of all; but what nodes say of their pods is. */
export function writeAuditPolicy(folder: string): string {
  const path = join(folder, 'audit-policy.json');
  const quiet = [USERS.system.name, USERS.nodes.name, 'system:apiserver', 'system:anonymous'];
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    rules: [
      {
        level: 'Metadata',
        users: [USERS.nodes.name],
        verbs: ['patch'],
        resources: [{ group: '', resources: ['pods/status'] }],
      },
      { level: 'None', users: quiet },
      { level: 'Metadata' },
    ],
  };
  writeFileSync(path, JSON.stringify(policy));
  return path;
}

/** Requests that were answered, by the name the server knows the user by; a watch counts when it ends. */
export function readAudit(log: string, username: string): Request[] {
  const lines = readFileSync(log, 'utf8').split('\n');
  // A killed server leaves half a line.
  const whole = lines.filter((line) => line.startsWith('{') && line.endsWith('}'));
  const events = whole.map((line) => JSON.parse(line) as AuditEvent);
  return events.filter((event) => event.user.username === username).map(requestOf);
}

function requestOf(event: AuditEvent): Request {
  const { verb, objectRef = {}, responseStatus } = event;
  const { resource = '', subresource, namespace = '', name = '' } = objectRef;
  return {
    verb,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    code: responseStatus?.code ?? 0,
    isDryRun: event.requestURI.includes('dryRun='),
    at: Date.parse(event.requestReceivedTimestamp),
    done: Date.parse(event.stageTimestamp),
  };
}

const READS = ['get', 'list', 'watch'];

export function isWrite({ verb }: Request): boolean {
  return !READS.includes(verb);
}
