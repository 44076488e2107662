import { EventStoreDBEventStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDBServer } from '../support/eventstoredb-server.js';
import { eventStoreContract } from './event-store.contract.js';

const realServer = process.env['EVENTSTORE_URL'];

eventStoreContract(realServer === undefined ? 'the EventStoreDB engine' : 'the EventStoreDB engine on a real server', async () => {
  const server = realServer === undefined ? await EventStoreDBServer.start() : undefined;
  const [store, other] = [0, 1].map(() => new EventStoreDBEventStore({ url: realServer ?? server!.url }));
  return {
    store: store!,
    other: other!,
    async dispose() {
      await Promise.all([store!.close(), other!.close()]);
      await server?.stop();
    },
  };
});
