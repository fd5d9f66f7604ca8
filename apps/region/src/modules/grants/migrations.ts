import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const grantsMigrations: MigrationSet = {
  '0700_grants_create': sqlMigration(`
    create schema grants;

    -- The consent of a user of this region for a client. Its id is the session id (sid) of the access tokens.
    create table grants.grant (
      id text primary key,
      user_id uuid not null,
      client_id text not null,
      used_in text not null,
      payload jsonb not null,
      shared_key_id text,
      shared bytea,
      expires_at timestamptz not null,
      ended_at timestamptz,
      check ((shared_key_id is null) = (shared is null))
    );
    create index grant_user on grants.grant (user_id);
    create index grant_expires on grants.grant (expires_at);
    create index grant_ended on grants.grant (ended_at) where ended_at is not null;

    -- A code or refresh token, by its hash only. A used one stays, so that a second use is detected.
    create table grants.token (
      sha256 bytea primary key,
      kind text not null check (kind in ('code', 'refresh')),
      grant_id text not null references grants.grant (id) on delete cascade,
      user_id uuid not null,
      payload jsonb not null,
      expires_at timestamptz not null,
      consumed_at timestamptz
    );
    create index token_grant on grants.token (grant_id);
    create index token_expires on grants.token (expires_at);

    -- The outcome of a detached request to an app of a company of this region.
    create table grants.result (
      company_id uuid not null,
      client_id text not null,
      state_sha256 bytea not null,
      outcome jsonb,
      taken_at timestamptz,
      lapses_at timestamptz not null,
      forgotten_at timestamptz not null,
      primary key (company_id, client_id, state_sha256)
    );
    create index result_forgotten on grants.result (forgotten_at);
  `),
}
