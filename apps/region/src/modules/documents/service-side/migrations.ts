import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const serviceSideMigrations: MigrationSet = {
  '1600_documents_service_create': sqlMigration(`
    create schema documents_service;

    create table documents_service.document (
      service_id uuid not null,
      id uuid not null,
      company_id uuid not null,
      -- \`owner\`: the company's own copy of a run's output.
      recipient text not null check (recipient in ('customer', 'broadcast', 'owner')),
      connection_id uuid,
      customer_id uuid,
      customer_region text,
      -- Null once the customer's account is deleted.
      share_code text,
      name text not null,
      description text,
      kind text not null check (kind in ('document', 'agreement', 'subscription')),
      payload_kind text not null check (payload_kind in ('json', 'file')),
      is_private boolean not null,
      requires_signature boolean not null,
      requires_acceptance boolean not null,
      status text not null
        check (status in ('waiting', 'offering', 'ready_to_sign', 'active', 'active_but_ending', 'ended')),
      metadata jsonb not null,
      cancel_effective_date date,
      -- The file is not uploaded yet: no event and no tell has named the document.
      is_pending boolean not null,
      -- JSON: a wrapper string, or the text of a broadcast.
      value text,
      -- The SHA-256 of the sealed text; null for a broadcast.
      content_sha256 text,
      plain_sha256 text,
      sealed_at timestamptz,
      -- Broadcasts only: the file as uploaded, and the answer for customers. A sealed file is kept by its reader's region.
      raw_file jsonb,
      answer_file jsonb,
      -- Of the run that made it, and the output that it is a copy of; null for a standalone document.
      run_id uuid,
      output_key text,
      -- The party of the run whose copy it is, and its place in the signing line; null for a party that only receives it.
      party_key text,
      position integer,
      rev bigint not null,
      content_rev bigint not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (service_id, id),
      check ((recipient = 'customer') = (connection_id is not null and customer_id is not null)),
      check ((run_id is null) = (output_key is null)),
      check ((run_id is null) = (party_key is null)),
      check (recipient <> 'owner' or run_id is not null)
    );
    create index document_connection on documents_service.document (service_id, connection_id, id);
    create index document_customer on documents_service.document (service_id, customer_id, id);
    create index document_status on documents_service.document (service_id, status, id);
    create index document_broadcast on documents_service.document (service_id, id) where recipient = 'broadcast';
    create unique index document_run on documents_service.document (service_id, run_id, output_key, party_key)
      where run_id is not null;
    create index document_pending on documents_service.document (created_at) where is_pending;
    create index document_ending on documents_service.document (cancel_effective_date)
      where status = 'active_but_ending';

    create index document_raw_object on documents_service.document ((raw_file->>'objectKey')) where raw_file is not null;
    create index document_answer_object on documents_service.document ((answer_file->>'objectKey'))
      where answer_file is not null;

    -- The acts that were recorded on a document, in their order.
    create table documents_service.signature (
      service_id uuid not null,
      document_id uuid not null,
      no integer not null,
      action text not null check (action in ('signed', 'accepted')),
      method text check (method in ('biometric', 'twofa', 'email', 'custodian')),
      content_sha256 text not null,
      plain_sha256 text,
      signer_id uuid not null,
      signer_first_name text,
      signer_last_name text,
      signer_name_verified boolean not null,
      ip text,
      user_agent text,
      created_at timestamptz not null,
      primary key (service_id, document_id, no),
      foreign key (service_id, document_id) references documents_service.document (service_id, id) on delete cascade
    );

    -- How many documents of a service have a status or a recipient; \`name\` is empty for all of them.
    create table documents_service.counter (
      service_id uuid not null,
      name text not null,
      documents bigint not null,
      primary key (service_id, name)
    );

    -- A sealed PDF whose act is not recorded yet. Its object is garbage until then.
    create table documents_service.prepared_seal (
      service_id uuid not null,
      id uuid not null,
      document_id uuid not null,
      object_key text not null,
      object_sha256 text not null,
      bytes bigint not null,
      content_sha256 text not null,
      plain_sha256 text not null,
      -- The content and the acts that it was made from.
      content_rev bigint not null,
      acts integer not null,
      act_sha256 text not null,
      -- The same PDF, encrypted to the other participants of a run.
      copies jsonb not null,
      sealed_at timestamptz not null,
      primary key (service_id, id)
    );
    create index prepared_seal_age on documents_service.prepared_seal (sealed_at);
  `),
  // The side that set the date of an ending. A customer could cancel none of the rows that are updated here.
  '2210_documents_service_cancel_set_by': sqlMigration(`
    alter table documents_service.document
      add column cancel_set_by text check (cancel_set_by in ('company', 'customer')),
      add column customer_cancel_date date;
    update documents_service.document set cancel_set_by = 'company'
      where status = 'active_but_ending' and (kind = 'document' or metadata->>'can_be_cancelled_in_app' = 'false');
  `),
  // For what waits for staff.
  '2422_documents_service_owner_acts': sqlMigration(`
    create index document_owner_acts on documents_service.document (service_id, updated_at)
      where recipient = 'owner' and status in ('offering', 'ready_to_sign');
  `),
}
