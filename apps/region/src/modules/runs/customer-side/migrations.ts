import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const customerSideMigrations: MigrationSet = {
  '1922_flows_customer_create': sqlMigration(`
    create schema flows_customer;

    -- A run that the account takes part in.
    create table flows_customer.run (
      account_id uuid not null,
      id uuid not null,
      user_type text not null check (user_type in ('person', 'company')),
      connection_id uuid not null,
      company_id uuid not null,
      company_region text not null,
      service_id uuid not null,
      company_code text,
      service_code text not null,
      -- JSON text as the service's region told it: jsonb would change the order of members.
      start text not null,
      state jsonb not null,
      rev bigint not null,
      primary key (account_id, id)
    );
    create index run_connection on flows_customer.run (account_id, connection_id, id);

    -- The account's copies of the answers.
    create table flows_customer.answer (
      account_id uuid not null,
      run_id uuid not null,
      slug text not null,
      -- The revision of the run that brought it, and its place there.
      rev bigint not null,
      place integer not null,
      value text not null,
      attested jsonb,
      primary key (account_id, run_id, slug),
      foreign key (account_id, run_id) references flows_customer.run (account_id, id) on delete cascade
    );

    -- The keys of the other customers in the runs of the account.
    create table flows_customer.party_key (
      account_id uuid not null,
      user_id uuid not null,
      public_key text not null,
      primary key (account_id, user_id)
    );

    -- Files of runs in this region: the account's own copies, and staged copies of what the account shared.
    create table flows_customer.file (
      account_id uuid not null,
      id text not null,
      service_id uuid not null,
      run_id uuid,
      slug text,
      object_key text not null,
      content_sha256 text not null,
      bytes bigint not null,
      is_used boolean not null,
      created_at timestamptz not null,
      primary key (account_id, id)
    );
    create index file_run on flows_customer.file (account_id, run_id);
    create index file_age on flows_customer.file (created_at) where not is_used;
    create index file_object on flows_customer.file (object_key);
  `),
}
