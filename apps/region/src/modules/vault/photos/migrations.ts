import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const photoMigrations: MigrationSet = {
  '1020_vault_photos_create': sqlMigration(`
    create schema if not exists vault;

    create table vault.photo (
      account_id uuid not null,
      id uuid not null,
      full_key text not null,
      full_sha256 text not null,
      full_bytes integer not null,
      full_width integer not null,
      full_height integer not null,
      card_key text not null,
      card_sha256 text not null,
      card_bytes integer not null,
      card_width integer not null,
      card_height integer not null,
      created_at timestamptz not null,
      primary key (account_id, id)
    );
  `),
  // To compare the rows with the object store after a restore.
  '1021_vault_photo_objects': sqlMigration(`
    create index photo_full on vault.photo (full_key);
    create index photo_card on vault.photo (card_key);
  `),
}
