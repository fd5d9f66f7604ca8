import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const serviceSideMigrations: MigrationSet = {
  '1920_flows_service_runs': sqlMigration(`
    create table flows_service.run (
      service_id uuid not null,
      id uuid not null,
      company_id uuid not null,
      flow_id uuid not null,
      flow_version integer not null,
      status text not null,
      current_node text not null,
      -- Whether the awaited party is the company.
      awaits_owner boolean not null,
      output_mode text not null check (output_mode in ('data_only', 'document')),
      reference_date text not null,
      -- Of the primary counterparty.
      connection_id uuid not null,
      owner_tag_values text,
      -- Sealed to the service.
      tag_values text,
      private_slugs text[] not null,
      rev bigint not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      cancelled_at timestamptz,
      cancelled_by text,
      cancel_reason text,
      data_deleted_at timestamptz,
      primary key (service_id, id)
    );
    create index run_of_flow on flows_service.run (service_id, flow_id, id);
    create index run_with_data on flows_service.run (company_id, created_at) where data_deleted_at is null;

    create table flows_service.participant (
      service_id uuid not null,
      run_id uuid not null,
      place integer not null,
      party_key text not null,
      user_id uuid not null,
      -- Null for the company.
      connection_id uuid,
      region text,
      public_key text,
      share_code text,
      is_erased boolean not null default false,
      primary key (service_id, run_id, party_key),
      foreign key (service_id, run_id) references flows_service.run (service_id, id) on delete cascade
    );
    create index participant_user on flows_service.participant (service_id, user_id);
    create index participant_connection on flows_service.participant (service_id, connection_id);

    -- The company's copies of the answers.
    create table flows_service.answer (
      service_id uuid not null,
      run_id uuid not null,
      slug text not null,
      party_key text not null,
      -- A wrapper string, or the JSON text of a reference to a file.
      value text not null,
      is_private boolean not null,
      is_linked boolean not null,
      attested jsonb,
      file_id text,
      at timestamptz not null,
      primary key (service_id, run_id, slug),
      foreign key (service_id, run_id) references flows_service.run (service_id, id) on delete cascade
    );

    -- Copies of file answers in this region: the company's, and those of others until they are sent on.
    create table flows_service.answer_file (
      service_id uuid not null,
      id text not null,
      run_id uuid not null,
      slug text not null,
      for_user_id uuid not null,
      object_key text not null,
      content_sha256 text not null,
      bytes bigint not null,
      is_used boolean not null default false,
      created_at timestamptz not null,
      primary key (service_id, id),
      foreign key (service_id, run_id) references flows_service.run (service_id, id)
    );
    create index answer_file_run on flows_service.answer_file (service_id, run_id);
    create index answer_file_age on flows_service.answer_file (created_at) where not is_used;
    create index answer_file_object on flows_service.answer_file (object_key);

    -- Copies of shared files; the bytes rest in the region of the customer who shared them.
    create table flows_service.source_file (
      service_id uuid not null,
      id text not null,
      flow_id uuid not null,
      source_user_id uuid not null,
      connection_id uuid not null,
      region text not null,
      created_at timestamptz not null,
      -- Null until a run uses it.
      run_id uuid,
      source_key text,
      for_user_id uuid,
      primary key (service_id, id),
      foreign key (service_id, run_id) references flows_service.run (service_id, id) on delete cascade
    );
    create index source_file_run on flows_service.source_file (service_id, run_id);
    create index source_file_age on flows_service.source_file (created_at) where run_id is null;

    -- Companies whose level no longer includes flows, and when the data of their runs is deleted.
    create table flows_service.deletion (
      company_id uuid primary key,
      due_at timestamptz not null,
      -- The second mail is queued.
      is_reminded boolean not null default false
    );
    create index deletion_due on flows_service.deletion (due_at);
  `),
  // For what waits for staff.
  '2421_flows_service_awaits_owner': sqlMigration(`
    create index run_awaits_owner on flows_service.run (service_id, updated_at) where awaits_owner;
  `),
}
