import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const customerSideMigrations: MigrationSet = {
  '1601_documents_customer_create': sqlMigration(`
    create schema documents_customer;

    -- A customer's own copy of a document.
    create table documents_customer.copy (
      account_id uuid not null,
      id uuid not null,
      user_type text not null check (user_type in ('person', 'company')),
      connection_id uuid not null,
      company_id uuid not null,
      company_region text not null,
      service_id uuid not null,
      -- As the service's region told it; \`rev\` numbers the states.
      state jsonb not null,
      rev bigint not null,
      is_acted_on boolean not null,
      -- A wrapper string, or null when the content is in the file.
      value text,
      file jsonb,
      content_sha256 text not null,
      plain_sha256 text,
      sealed_at timestamptz,
      content_rev bigint not null,
      primary key (account_id, id),
      check ((value is null) <> (file is null))
    );
    create index copy_object on documents_customer.copy ((file->>'objectKey')) where file is not null;
    create index copy_connection on documents_customer.copy (account_id, connection_id, id);
    create index copy_run on documents_customer.copy (account_id, (state->>'run_id')) where state->>'run_id' is not null;

    -- The broadcasts of services with customers here, once for all of them.
    create table documents_customer.broadcast (
      service_id uuid not null,
      id uuid not null,
      company_id uuid not null,
      company_region text not null,
      facts jsonb not null,
      rev bigint not null,
      -- The copied answer of the file route; null until the first customer reads it.
      file jsonb,
      primary key (service_id, id)
    );
    create index broadcast_object on documents_customer.broadcast ((file->>'objectKey')) where file is not null;

    -- A mailed code to sign one document with.
    create table documents_customer.sign_code (
      account_id uuid not null,
      document_id uuid not null,
      key_id text not null,
      hash bytea not null,
      tries integer not null default 0,
      expires_at timestamptz not null,
      primary key (account_id, document_id)
    );
    create index sign_code_expires_at on documents_customer.sign_code (expires_at);

    -- Wrong codes and assertions of an account, counted per hour.
    create table documents_customer.failed_proof (
      account_id uuid primary key,
      tries integer not null,
      since timestamptz not null
    );
    create index failed_proof_since on documents_customer.failed_proof (since);
  `),
  // The proof of a signer whose signature is not recorded yet; one per document.
  '2211_documents_customer_kept_proof': sqlMigration(`
    create table documents_customer.kept_proof (
      account_id uuid not null,
      document_id uuid not null,
      key_id text not null,
      hash bytea not null,
      -- The device that made it; null for a code.
      device_id uuid,
      given_at timestamptz not null,
      primary key (account_id, document_id)
    );
    create index kept_proof_given_at on documents_customer.kept_proof (given_at);
  `),
}
