import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const mailMigrations: MigrationSet = {
  '0800_mail_create': sqlMigration(`
    create schema mail;

    -- A mail until the server has accepted it; address and text are sealed.
    create table mail.outbox (
      id uuid primary key,
      key_id text not null,
      sealed bytea not null,
      queued_at timestamptz not null,
      due_at timestamptz not null,
      attempts integer not null default 0,
      lease_until timestamptz
    );
    create index outbox_due on mail.outbox (due_at);
  `),
}
