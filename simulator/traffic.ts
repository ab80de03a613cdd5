/** Counts what was asked of the API server, by user, verb and resource, so that tests can say "zero patches" and benchmarks "bytes a minute". */

export interface Count {
  requests: number;
  /** Bytes of the answers, bodies and watch events; only a transport with bytes adds to it. */
  bytes: number;
}

export interface TrafficQuery {
  user?: string;
  verb?: string;
  resource?: string;
}

export interface Traffic {
  request(user: string, verb: string, resource: string): void;
  sent(user: string, verb: string, resource: string, bytes: number): void;
  /** The sum over everything that matches. */
  total(query?: TrafficQuery): Count;
  /** Every line there is, for a table. */
  lines(): (Required<TrafficQuery> & Count)[];
  reset(): void;
}

export function createTraffic(): Traffic {
  const lines = new Map<string, Required<TrafficQuery> & Count>();

  function line(user: string, verb: string, resource: string): Count {
    const key = `${user} ${verb} ${resource}`;
    const known = lines.get(key) ?? { user, verb, resource, requests: 0, bytes: 0 };
    lines.set(key, known);
    return known;
  }

  return {
    request(user, verb, resource) {
      line(user, verb, resource).requests += 1;
    },
    sent(user, verb, resource, bytes) {
      line(user, verb, resource).bytes += bytes;
    },
    total({ user, verb, resource } = {}) {
      const total = { requests: 0, bytes: 0 };
      for (const one of lines.values()) {
        if ((user ?? one.user) !== one.user || (verb ?? one.verb) !== one.verb) continue;
        if ((resource ?? one.resource) !== one.resource) continue;
        total.requests += one.requests;
        total.bytes += one.bytes;
      }
      return total;
    },
    lines: () => [...lines.values()],
    reset() {
      lines.clear();
    },
  };
}
