import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const securityMigrations: MigrationSet = {
  '0510_login_security_create': sqlMigration(`
    -- The authenticator's secret and the backup codes, sealed together. Not in force until it is confirmed.
    create table login.second_factor (
      user_id uuid primary key,
      key_id text not null,
      sealed bytea not null,
      -- The newest 30-second step whose code was used: a code is valid once.
      last_step bigint not null default 0,
      begun_at timestamptz not null,
      confirmed_at timestamptz
    );

    -- The key of a device. A passkey is found by the id that its authenticator gave it.
    create table login.device_key (
      user_id uuid not null,
      device_id uuid not null,
      credential_id bytea unique,
      public_key bytea not null,
      sign_count bigint not null default 0,
      transports text[] not null default '{}',
      primary key (user_id, device_id),
      foreign key (user_id, device_id) references login.device (user_id, id) on delete cascade
    );

    create table login.device_challenge (
      user_id uuid not null,
      challenge text not null,
      kind text not null check (kind in ('passkey', 'device_key', 'approval')),
      expires_at timestamptz not null,
      primary key (user_id, challenge)
    );
    create index device_challenge_expires on login.device_challenge (expires_at);

    -- One code per account and purpose; \`confirmed_at\` when the right code was given, \`done_at\` when the change is complete.
    create table login.mailed_code (
      user_id uuid not null,
      purpose text not null check (purpose in ('email', 'delete', 'recover')),
      key_id text not null,
      hash bytea not null,
      tries integer not null default 0,
      email text,
      expires_at timestamptz not null,
      confirmed_at timestamptz,
      done_at timestamptz,
      primary key (user_id, purpose)
    );
    create index mailed_code_expires on login.mailed_code (expires_at);
  `),
}
