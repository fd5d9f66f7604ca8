import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const garbageMigrations: MigrationSet = {
  '1010_vault_garbage_create': sqlMigration(`
    create schema if not exists vault;

    -- Objects that no row refers to: not yet, or not any more.
    create table vault.garbage (
      object_key text primary key,
      due_at timestamptz not null,
      -- A worker is removing it: it cannot be kept any more.
      is_taken boolean not null default false
    );
    create index garbage_due_at on vault.garbage (due_at);
  `),
}
