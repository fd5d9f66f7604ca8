import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const customerSideMigrations: MigrationSet = {
  '1801_twofa_customer_create': sqlMigration(`
    create schema twofa_customer;

    -- Deleted with the connection.
    create table twofa_customer.enrollment (
      account_id uuid not null,
      service_id uuid not null,
      connection_id uuid not null,
      -- Rises with every enrolment and revocation.
      rev bigint not null,
      is_active boolean not null,
      enrolled_at timestamptz,
      primary key (account_id, service_id)
    );

    -- The card of a challenge on the devices of the person.
    create table twofa_customer.card (
      account_id uuid not null,
      id uuid not null,
      connection_id uuid not null,
      context text,
      has_digits boolean not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      status text check (status in ('approved', 'denied', 'expired', 'revoked')),
      completed_at timestamptz,
      primary key (account_id, id)
    );
    create index on twofa_customer.card (account_id, connection_id);
    create index on twofa_customer.card (expires_at);
  `),
}
