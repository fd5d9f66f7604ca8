import { type MigrationSet, sqlMigration } from '@sealpost/postgres'
import { securityMigrations } from './security/migrations.ts'

export const loginMigrations: MigrationSet = {
  ...securityMigrations,
  '0500_login_create': sqlMigration(`
    create schema login;

    create table login.credential (
      user_id uuid primary key,
      salt bytea not null,
      key_id text not null,
      sealed bytea not null,
      changed_at timestamptz not null
    );

    -- Browsers that may leave out the one-time code, and other devices of a user.
    create table login.device (
      user_id uuid not null,
      id uuid not null,
      kind text not null,
      name text not null,
      token_hash bytea unique,
      created_at timestamptz not null,
      seen_at timestamptz not null,
      expires_at timestamptz,
      primary key (user_id, id)
    );
    create index device_expires on login.device (expires_at) where expires_at is not null;

    -- One login and all tokens refreshed from it; the id is the \`sid\` of its access tokens.
    create table login.session_family (
      user_id uuid not null,
      id uuid not null unique,
      user_type text not null check (user_type in ('person', 'company')),
      device_id uuid,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      ends_at timestamptz not null,
      acting_regions text[] not null default '{}',
      revoked_at timestamptz,
      is_revoked_everywhere boolean not null default false,
      primary key (user_id, id)
    );
    create index session_family_unfinished on login.session_family (revoked_at)
      where revoked_at is not null and not is_revoked_everywhere;
    create index session_family_expires on login.session_family (expires_at);

    -- Rotated tokens stay until they would have expired: a repeated one means theft.
    create table login.session_token (
      hash bytea primary key,
      user_id uuid not null,
      family_id uuid not null,
      made_at timestamptz not null,
      replaced_at timestamptz,
      successor_key_id text,
      foreign key (user_id, family_id) references login.session_family (user_id, id) on delete cascade
    );
    create index session_token_family on login.session_token (user_id, family_id);
    create index session_token_replaced on login.session_token (replaced_at) where replaced_at is not null;

    -- One registration that waits for its code. Several may wait for one address: a code confirms only its own.
    create table login.registration (
      token_hash bytea primary key,
      email_hash text not null,
      user_id uuid not null,
      user_type text not null check (user_type in ('person', 'company')),
      is_taken boolean not null,
      email text not null,
      details jsonb not null,
      salt bytea not null,
      key_id text not null,
      sealed bytea not null,
      code_key_id text not null,
      code_hash bytea not null,
      tries integer not null default 0,
      expires_at timestamptz not null,
      confirmed_at timestamptz,
      share_code text
    );
    create index registration_expires on login.registration (expires_at);
  `),
  '1520_login_session_second_factor': sqlMigration(`
    alter table login.session_family add column has_second_factor boolean not null default false;
  `),
  '2120_login_session_devices': sqlMigration(`
    -- Devices with a key on which the session is used; \`device_id\` is the trusted browser of its login.
    alter table login.session_family add column signing_device_ids uuid[] not null default '{}';
  `),
  '2130_login_session_list': sqlMigration(`
    -- What the owner sees of a session; the address is shortened before it gets here. Absent on sessions of before.
    alter table login.session_family
      add column user_agent text, add column address text, add column last_used_at timestamptz;
  `),
}
