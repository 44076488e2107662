import {
  EventStoreDBClient,
  type ChannelCredentialOptions,
  type DNSClusterOptions,
  type EndPoint,
  type GossipClusterOptions,
} from '@eventstore/db-client';

export type ClusterOptions = DNSClusterOptions | GossipClusterOptions;

/** Exposes the client library's search for the leader, which is protected. The client itself makes no other call. */
class LeaderSearch extends EventStoreDBClient {
  /** @throws Error when no node answers */
  async leader(): Promise<EndPoint> {
    const uri = await this.resolveUri();
    const colon = uri.lastIndexOf(':');
    return { address: uri.slice(0, colon), port: Number(uri.slice(colon + 1)) };
  }
}

/**
 * Returns the leader that the gossip of any node names.
 * @param failed is asked only when no other node answers: a silent node costs a gossip time-out
 * @throws Error when no node answers
 */
export async function discoverLeader(options: ClusterOptions, credentials: ChannelCredentialOptions, failed?: EndPoint): Promise<EndPoint> {
  const others = 'endpoints' in options ? options.endpoints.filter((node) => !isSame(node, failed)) : [];
  if (failed && others.length > 0) {
    const firstTry = { ...options, endpoints: others, maxDiscoverAttempts: 1 };
    const leader = await new LeaderSearch(firstTry, credentials).leader().catch(() => undefined);
    if (leader) return leader;
  }
  return new LeaderSearch(options as GossipClusterOptions, credentials).leader();
}

function isSame(node: EndPoint, other: EndPoint | undefined): boolean {
  return node.address === other?.address && node.port === other.port;
}
