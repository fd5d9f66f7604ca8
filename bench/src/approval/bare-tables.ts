/** The rows of an approved login without the product: as many, with the same members and indexes. */
export const BARE_TABLES = `
create schema bench;
create table bench.connection (share_code text primary key, id uuid not null, customer_id uuid not null);
create table bench.challenge (
  service_id uuid, id uuid, customer_id uuid not null, connection_id uuid not null, share_code text,
  created_at timestamptz not null, expires_at timestamptz not null, status text, completed_at timestamptz,
  consumed_at timestamptz, primary key (service_id, id));
create index on bench.challenge (service_id, customer_id) where status is null;
create index on bench.challenge (expires_at);
create table bench.card (
  account_id uuid, id uuid, connection_id uuid not null, context text, created_at timestamptz not null,
  expires_at timestamptz not null, status text, completed_at timestamptz, primary key (account_id, id));
create index on bench.card (expires_at);
create table bench.head (account_id uuid primary key, last_seq bigint not null);
create table bench.hint (
  account_id uuid, seq bigint, kind text not null, object_id uuid not null, at timestamptz not null,
  primary key (account_id, seq));
create table bench.event (
  owner_id uuid, no bigint generated always as identity, id uuid not null, kind text not null, payload jsonb not null,
  at timestamptz not null, primary key (owner_id, no));
create table bench.outbox (id bigint generated always as identity primary key, body jsonb not null, done_at timestamptz);
create table bench.inbox (lane uuid primary key, applied bigint not null)`
