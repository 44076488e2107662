import { accountSnapshotsMigrations } from '../domain/accounts/account-snapshots.migrations.js';
import { chainMigrations } from '../transparency-log/chain.migrations.js';
import { railDueMigrations } from '../domain/charges/remote/rail-due.migrations.js';
import { customerKeysMigrations } from '../domain/customers/customer-keys.migrations.js';
import { evidenceMigrations } from '../domain/charges/disputes/evidence.migrations.js';
import { embeddedEventStoreMigrations } from '../platform/event-store/embedded/embedded-event-store.migrations.js';
import type { Migration } from '../platform/postgres/migrations.js';
import { projectorMigrations } from '../platform/projector/projector.migrations.js';
import { operatorKeysMigrations } from '../domain/operators/operator-keys.migrations.js';
import { remittanceSignaturesMigrations } from '../domain/balances/remittance-signatures.migrations.js';
import { railsMigrations } from '../rails/settings/rails.migrations.js';
import { payoutClaimsMigrations } from '../domain/payouts/payout-claims.migrations.js';
import { railInboxMigrations } from '../rails/inbox/rail-inbox.migrations.js';
import { railReferencesMigrations } from '../domain/payouts/transfer/rail-references.migrations.js';
import { statementPeopleMigrations } from '../domain/reconciliation/statements/statement-people.migrations.js';
import { momentsMigrations } from '../point-in-time/moments.migrations.js';
import { simulatorJournalMigrations } from '../rails/simulator/simulator-journal.migrations.js';
import { serviceSecretMigrations } from './service-secret.migrations.js';
import { settlementStopsMigrations } from '../domain/settlements/settlement-stops.migrations.js';
import { deliveriesMigrations } from '../domain/webhooks/deliveries.migrations.js';

/** All steps of the database's schema, except read models: the projector creates and replaces those. */
export const MIGRATIONS: readonly Migration[] = [
  ...embeddedEventStoreMigrations,
  ...projectorMigrations,
  ...accountSnapshotsMigrations,
  ...customerKeysMigrations,
  ...serviceSecretMigrations,
  ...deliveriesMigrations,
  ...settlementStopsMigrations,
  ...payoutClaimsMigrations,
  ...evidenceMigrations,
  ...railsMigrations,
  ...railReferencesMigrations,
  ...railDueMigrations,
  ...railInboxMigrations,
  ...operatorKeysMigrations,
  ...remittanceSignaturesMigrations,
  ...chainMigrations,
  ...statementPeopleMigrations,
  ...simulatorJournalMigrations,
  ...momentsMigrations,
];
