import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const sessionMigrations: MigrationSet = {
  '0150_sessions_create': sqlMigration(`
    create schema sessions;

    -- Which regions have mailed a code to an address lately; only those regions have the code.
    create table sessions.registration (
      email_hash text not null,
      region text not null,
      expires_at timestamptz not null,
      primary key (email_hash, region)
    );
    create index registration_expires on sessions.registration (expires_at);
  `),
}
