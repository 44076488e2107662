import { accountSnapshotsMigrations } from '../accounts/account-snapshots.migrations.js';
import { chainMigrations } from '../audit/chain.migrations.js';
import { railDueMigrations } from '../charges/rail-due.migrations.js';
import { customerKeysMigrations } from '../customers/customer-keys.migrations.js';
import { evidenceMigrations } from '../disputes/evidence.migrations.js';
import { embeddedEventStoreMigrations } from '../platform/event-store/embedded/embedded-event-store.migrations.js';
import type { Migration } from '../platform/postgres/migrations.js';
import { projectorMigrations } from '../platform/projector/projector.migrations.js';
import { personKeysMigrations } from '../merchants/person-keys.migrations.js';
import { remittanceSignaturesMigrations } from '../books/remittance-signatures.migrations.js';
import { railsMigrations } from '../rails/rails.migrations.js';
import { payoutClaimsMigrations } from '../payouts/payout-claims.migrations.js';
import { railInboxMigrations } from '../rails/rail-inbox.migrations.js';
import { railReferencesMigrations } from '../payouts/rail-references.migrations.js';
import { statementPeopleMigrations } from '../recon/statement-people.migrations.js';
import { simulatorJournalMigrations } from '../providers/simulator-journal.migrations.js';
import { serviceSecretMigrations } from './service-secret.migrations.js';
import { settlementStopsMigrations } from '../settlements/settlement-stops.migrations.js';
import { deliveriesMigrations } from '../webhooks/deliveries.migrations.js';

/** Every step of the database's schema. Read models are not among them: the projector makes and remakes those. */
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
  ...personKeysMigrations,
  ...remittanceSignaturesMigrations,
  ...chainMigrations,
  ...statementPeopleMigrations,
  ...simulatorJournalMigrations,
];
