import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const serviceSideMigrations: MigrationSet = {
  '1800_twofa_service_create': sqlMigration(`
    create schema twofa_service;

    -- Written under the lock of the connection, and deleted with it.
    create table twofa_service.enrollment (
      service_id uuid not null,
      customer_id uuid not null,
      company_id uuid not null,
      connection_id uuid not null,
      share_code text not null,
      -- A message with a lower number is outdated; a revoked row stays to know it.
      rev bigint not null,
      is_active boolean not null,
      enrolled_at timestamptz not null,
      muted_until timestamptz,
      primary key (service_id, customer_id)
    );
    create unique index on twofa_service.enrollment (service_id, share_code);

    -- The fact that a challenge was raised, and its outcome. Digits and texts are in Redis and on the card.
    create table twofa_service.challenge (
      service_id uuid not null,
      id uuid not null,
      company_id uuid not null,
      customer_id uuid not null,
      connection_id uuid not null,
      share_code text,
      has_digits boolean not null,
      wrong_digits integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      status text check (status in ('approved', 'denied', 'expired', 'revoked')),
      completed_at timestamptz,
      consumed_at timestamptz,
      primary key (service_id, id),
      check ((status is null) = (completed_at is null)),
      check (consumed_at is null or status is not null)
    );
    create index on twofa_service.challenge (service_id, customer_id) where status is null;
    create index on twofa_service.challenge (expires_at);
  `),
}
