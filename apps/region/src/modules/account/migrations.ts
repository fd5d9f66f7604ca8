import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const accountMigrations: MigrationSet = {
  '0200_account_create': sqlMigration(`
    create schema account;

    create table account.company (
      id uuid primary key,
      display_name text not null,
      level text not null check (level in ('free', 'basic', 'pro', 'enterprise')),
      created_at timestamptz not null
    );
  `),
}
