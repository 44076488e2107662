import pg from 'pg';

/** The embedded engine's log as it was when `position` was its newest: as after a restored snapshot, or a replica that lagged. */
export async function putBack({ url }: { readonly url: string }, position: bigint): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `begin; alter table event_store.events disable trigger events_are_facts;
       delete from event_store.events where position > ${position}; update event_store.head set position = ${position};
       alter table event_store.events enable always trigger events_are_facts; commit`,
    );
  } finally {
    await client.end();
  }
}
