import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const sessionMigrations: MigrationSet = {
  '0150_sessions_create': sqlMigration(`
    create schema sessions;

    -- The registrations that wait for their code, and the region that mailed it; that region has everything else.
    create table sessions.registration (
      token_hash bytea primary key,
      email_hash text not null,
      region text not null,
      -- The keyed hash of the address that the call came from.
      source text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index registration_email on sessions.registration (email_hash);
    create index registration_expires on sessions.registration (expires_at);
  `),
}
