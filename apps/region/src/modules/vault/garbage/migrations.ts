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
  '1011_vault_garbage_superseded': sqlMigration(`
    -- Set when a newer version has replaced the object: backups of the database still refer to it.
    alter table vault.garbage add column superseded_at timestamptz;
    -- The value that the object was a version of: when it is deleted, so are its versions.
    alter table vault.garbage add column subject_id uuid;
    alter table vault.garbage add column part_id uuid;
    -- Removed in a bucket with versioning, which keeps its bytes until due_at.
    alter table vault.garbage add column is_hidden boolean not null default false;
    create index garbage_subject on vault.garbage (subject_id, part_id) where subject_id is not null;
    create index garbage_visible on vault.garbage (superseded_at) where superseded_at is not null and not is_hidden;
  `),
}
