import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const mailMigrations: MigrationSet = {
  '0800_mail_create': sqlMigration(`
    create schema mail;

    -- A mail until the server has accepted it; address and text are sealed. A job sends it.
    create table mail.outbox (
      id uuid primary key,
      key_id text not null,
      sealed bytea not null,
      queued_at timestamptz not null
    );
    create index outbox_queued on mail.outbox (queued_at);
  `),
}
