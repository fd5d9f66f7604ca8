/** The side that has rows or reads them: the company and its service, the customer, or the platform alone. */
export const sides = ['company', 'customer', 'platform'] as const
export type Side = (typeof sides)[number]

/** Rows of a table: `schema.table where condition`. The condition names rows of the fixture: `:service`, `:connection`. */
export type Rows = `${string}.${string} where ${string}`

/** Something that Sealpost keeps, as a reader of the documents knows it. */
export interface RecordKind {
  /** Completes the sentence "… is kept". */
  readonly about: string
  readonly rows: Readonly<Partial<Record<Side, readonly Rows[]>>>
  /** Only between a service and a person. */
  readonly isOfPersons?: true
}

/** Every kind of record between a company, its service and a customer, in the order of the page. */
export const records = {
  connection: {
    about: 'the connection of a customer to a service',
    rows: {
      company: ['connections_service.connection where id = :connection'],
      customer: ['connections_customer.connection where id = :connection'],
    },
  },
  values: {
    about: 'values that a customer shares, sealed to the service',
    rows: {
      company: ['connections_service.slot where connection_id = :connection and value is not null'],
      customer: ['connections_customer.mapping where connection_id = :connection'],
    },
  },
  files: {
    about: 'files that a customer shares, sealed to the service; one that is shared once has an end',
    rows: { company: ['connections_service.slot where connection_id = :connection and value is null'] },
  },
  plain_documents: {
    about: 'documents for one customer that ask for no signature and no acceptance',
    rows: {
      company: ['documents_service.document where id = :letter'],
      customer: ['documents_customer.copy where id = :letter'],
    },
  },
  offers: {
    about: 'documents that wait for a signature or an acceptance',
    rows: {
      company: ['documents_service.document where id = :offer'],
      customer: ['documents_customer.copy where id = :offer'],
    },
  },
  contracts: {
    about: 'signed or accepted documents, with their signatures and the copies of both sides',
    rows: {
      company: [
        'documents_service.document where id = :contract',
        'documents_service.signature where document_id = :contract',
      ],
      customer: ['documents_customer.copy where id = :contract'],
    },
  },
  broadcast_documents: {
    about: 'documents for all customers of a service',
    rows: {
      company: ['documents_service.document where id = :notice'],
      customer: ['documents_customer.broadcast where id = :notice'],
    },
  },
  open_runs: {
    about: 'runs that have not come to their end, and their participants',
    rows: {
      company: ['flows_service.run where id = :open', 'flows_service.participant where run_id = :open'],
      customer: ['flows_customer.run where id = :open'],
    },
  },
  answers: {
    about: "answers of runs, every party's copy with its files",
    rows: {
      company: ['flows_service.answer where run_id = :open', 'flows_service.answer_file where run_id = :open'],
      customer: ['flows_customer.answer where run_id = :open', 'flows_customer.file where run_id = :open'],
    },
  },
  completed_runs: {
    about: 'completed runs, and their participants',
    rows: {
      company: ['flows_service.run where id = :done', 'flows_service.participant where run_id = :done'],
      customer: ['flows_customer.run where id = :done'],
    },
  },
  run_documents: {
    about: 'the output documents of completed runs, with their signatures',
    rows: {
      company: [
        'documents_service.document where run_id = :done',
        'documents_service.signature where document_id = :output',
      ],
      customer: ['documents_customer.copy where id = :output'],
    },
  },
  messages: {
    about: 'messages between a service and a customer, a sealed copy for each side',
    rows: {
      company: ['messages_service.message where connection_id = :connection'],
      customer: ['messages_customer.message where connection_id = :connection'],
    },
  },
  threads: {
    about: 'the frame of a thread: its numbers and when it was closed, no text',
    rows: {
      company: ['messages_service.thread where connection_id = :connection'],
      customer: ['messages_customer.thread where connection_id = :connection'],
    },
  },
  broadcasts: {
    about: 'messages of a service to all its customers',
    rows: {
      company: ['messages_service.broadcast where service_id = :service'],
      customer: ['messages_customer.broadcast where service_id = :service'],
    },
  },
  enrolments: {
    about: 'the consent of a person to approve logins of a service',
    isOfPersons: true,
    rows: {
      company: ['twofa_service.enrollment where service_id = :service and customer_id = :customer and is_active'],
      customer: ['twofa_customer.enrollment where service_id = :service and account_id = :customer and is_active'],
    },
  },
  challenges: {
    about: 'approvals of logins that wait for an answer',
    isOfPersons: true,
    rows: {
      company: ['twofa_service.challenge where id = :challenge'],
      customer: ['twofa_customer.card where id = :challenge and status is null'],
    },
  },
  connect_requests: {
    about: 'requests of a service to connect, which wait for an answer',
    rows: {
      company: ['connections_service.connect_request where id = :request'],
      customer: ['connections_customer.connect_request where id = :request'],
    },
  },
  service: {
    about: 'a service with its request fields and its card',
    rows: {
      company: [
        'services.service where id = :service',
        'services.request_row where service_id = :service',
        'services.share_field where service_id = :service',
        'services.share_photo where service_id = :service',
        'services.log_head where service_id = :service',
      ],
      customer: ['connections_customer.service_card where service_id = :service and not is_ended'],
    },
  },
  logs: {
    about: 'the log of a service',
    rows: { company: ['services.log where service_id = :service'] },
  },
  deleted_services: {
    about: 'the name and the wrapped key of a deleted service, for what stays of it',
    rows: { company: ['services.deleted_service where id = :service'] },
  },
  service_key: {
    about: 'the key of a service, wrapped by its passphrase, and the recovery copy of the passphrase',
    rows: { company: ['account.recovery_copy where ref_id = :service'] },
  },
  webhooks: {
    about: 'webhooks of a service with their secrets, backlogs and the log of deliveries',
    rows: {
      company: ['webhooks.endpoint where service_id = :service', 'webhooks.roster where service_id = :service'],
      platform: ["webhooks.delivery where service_id = :service and event = 'connection_created'"],
    },
  },
  feed: {
    about: 'events of a service that were not drained',
    rows: {
      company: ['feed.channel where owner_id = :service'],
      platform: ["feed.event where owner_id = :service and kind = 'connection_created'"],
    },
  },
  data_client: {
    about: 'the data client of a service',
    rows: {
      company: ['clients.client where service_id = :service', 'access.client where service_id = :service'],
    },
  },
  flows: {
    about: 'flows with their templates and pictures',
    rows: {
      company: [
        'flows_service.flow where id = :flow',
        'flows_service.asset where flow_id = :flow',
        'flows_service.version_asset where flow_id = :flow',
      ],
    },
  },
  flow_versions: {
    about: 'published versions of flows, which runs have pinned',
    rows: { company: ['flows_service.version where flow_id = :flow'] },
  },
  delegates: {
    about: 'the access of a delegate to a service, with the sealed passphrase',
    rows: {
      company: ['account.delegate_service where service_id = :service'],
      platform: [
        'account.delegate where company_id = :company',
        'account.delegate_name where company_id = :company',
        'account.membership where company_id = :company',
      ],
    },
  },
  plugins: {
    about: 'plugins of a company',
    rows: { company: ['plugins.plugin where company_id = :company'] },
  },
  company_profile: {
    about: 'the card and the photos of a company',
    rows: { company: ['vault.value where account_id = :company', 'vault.photo where account_id = :company'] },
  },
  company_account: {
    about: "the company's account: keys, password, audit log",
    rows: {
      company: [
        'account.account where id = :company',
        'account.audit where company_id = :company and seq = 1',
        'account.audit_head where company_id = :company',
        'login.credential where user_id = :company',
      ],
      platform: ['directory.account where user_id = :company'],
    },
  },
  own_values: {
    about: 'what a customer keeps in its own account, sealed to itself',
    rows: { customer: ['vault.value where account_id = :customer'] },
  },
  customer_account: {
    about: "the customer's account: keys and password",
    rows: {
      customer: ['account.account where id = :customer', 'login.credential where user_id = :customer'],
      platform: ['directory.account where user_id = :customer'],
    },
  },
  sessions: {
    about: "a customer's sessions, with device and shortened address; their tokens as hashes",
    rows: {
      customer: ['login.session_family where user_id = :customer and user_agent is not null'],
      platform: ['login.session_family where user_id = :customer', 'login.session_token where user_id = :customer'],
    },
  },
  devices: {
    about: "a person's devices and their keys",
    isOfPersons: true,
    rows: {
      customer: [
        'login.device where user_id = :customer',
        'login.device_key where user_id = :customer',
        'devices.head where account_id = :customer',
      ],
    },
  },
  erasures: {
    about: 'that a connection ended with the account of its customer',
    rows: { platform: ['connections_service.erased_connection where connection_id = :connection'] },
  },
} as const satisfies Readonly<Record<string, RecordKind>>

export type RecordName = keyof typeof records
export const recordNames: readonly RecordName[] = Object.keys(records).filter(isRecord)

function isRecord(name: string): name is RecordName {
  return Object.hasOwn(records, name)
}
