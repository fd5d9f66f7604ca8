import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

/** A claim's id is a hash: method, path and key together can exceed the size of an index entry. */
export const idempotencyMigrations: MigrationSet = {
  '0050_idempotency_create': sqlMigration(`
    create schema idempotency;
    create table idempotency.claim (
      caller text not null,
      id bytea not null,
      body_hash bytea not null,
      token uuid not null,
      lease_until timestamptz not null,
      expires_at timestamptz not null,
      status smallint,
      headers jsonb,
      body text,
      primary key (caller, id)
    );
    create index claim_expires_at on idempotency.claim (expires_at);
  `),
}
