/** How something comes to its end. */
export interface Ending {
  /** A clause: "when …". */
  readonly when: string
  /** The routes that do it, by the ids of their operations. */
  readonly operations: readonly string[]
  /** The commands and periodic chores that do it, or complete it. */
  readonly others: readonly string[]
}

/** Every way in which records of more than one kind come to their end. */
export const endings = {
  run_cancelled: {
    when: 'a run is cancelled, by any party or with one of its documents',
    operations: [
      'flow_runs.cancel',
      'service_runs.cancel',
      'customer_runs.cancel',
      'customer_runs.decline',
      'owner_documents.decline',
      'customer_documents.decline',
      'customer_documents.cancel',
    ],
    others: [],
  },
  disconnected: {
    when: 'the customer ends the connection',
    operations: ['company_connections.disconnect'],
    others: [],
  },
  dismissed: { when: 'the company ends the connection', operations: ['connections.end'], others: [] },
  customer_erased: {
    when: "the customer's account is deleted",
    operations: ['account_security.confirm_deletion'],
    others: [],
  },
  service_deleted: {
    when: 'the company deletes the service',
    operations: ['services.delete'],
    others: ['pending changes of clients'],
  },
  company_erased: {
    when: "the company's account is deleted",
    operations: ['account_security.confirm_deletion'],
    others: ['pending changes of clients'],
  },
  level_lowered: {
    when: 'the company has been on the level free for 7 days, or on one without flows for 30',
    operations: [],
    others: ['account:set-level', 'data of runs whose company has no flows any more'],
  },
  aged: {
    when: '91 days have passed, and the connection goes on',
    operations: [],
    others: [
      'logs of services',
      'connections of customers',
      'connections of services',
      'logins',
      'the log of deliveries',
      'change feeds',
      'challenges of services',
      'cards of challenges',
      'hints to devices',
    ],
  },
  long_closed: {
    when: '731 days have passed since the connection ended',
    operations: [],
    others: ['messages of ended connections', "customers' messages of ended connections"],
  },
} as const satisfies Readonly<Record<string, Ending>>

export type EndingName = keyof typeof endings
export const endingNames: readonly EndingName[] = Object.keys(endings).filter(isEnding)

function isEnding(name: string): name is EndingName {
  return Object.hasOwn(endings, name)
}

/** Operations that end one record, which their caller names, and nothing of another kind. */
export const endsOfOneRecord: Readonly<Record<string, string>> = {
  'delegates.delete': 'the access of one delegate',
  'account_clients.delete': 'one account client with its tokens',
  'services.delete_client': 'the data client with its tokens',
  'oauth_apps.delete': 'one sign-in app with its grants',
  'account_security.disable_second_factor': 'the second factor',
  'account_security.request_deletion': 'nothing yet: it mails a code',
  'account_security.end_session': 'one session',
  'account_security.remove_device': 'one device with its sessions and push subscriptions',
  'registry.delete_field': 'one contact field with its value, which live slots lose',
  'photos.delete': 'one photo',
  'contact_data.delete': 'one value, which live slots lose',
  'verifications.drop': 'the attestation of one value',
  'company_connections.decline_consent': 'one consent, declined',
  'connect_requests.reject': 'one request, answered',
  'services.remove_share_photo': 'one photo of the card',
  'webhooks.delete': 'one webhook with its backlog',
  'oauth.revoke_token': 'one grant with its tokens',
  'session.close': 'one session',
  'documents.delete': 'one document, on both sides unless it has ended',
  'messages.delete': "the company's copies of one thread",
  'customer_messages.delete': "the customer's copies of one thread",
  'push.unsubscribe': 'one push subscription',
  'customer_twofa.deny': 'one challenge, answered',
  'customer_twofa.report': 'one challenge, answered',
  'customer_twofa.revoke_enrollment': 'one enrolment with its challenges',
  'flows.delete': 'one flow; runs keep the version that they pinned',
  'flows.delete_asset': 'one file of a draft; versions keep theirs',
  'flow_links.delete': 'one link of a flow field',
  'portal_documents.delete': 'one kept document of a deleted service',
  'portal_runs.delete': 'one kept run of a deleted service, with its documents',
  'plugins.delete': 'one plugin that nothing uses',
}

/** Chores that end nothing which an account has: they complete, send, count or collect what an ending has let go. */
export const choresWithoutEnding: readonly string[] = [
  'grants',
  'mails without a job',
  'delegates of an earlier release',
  'values of fields',
  'counters of stored bytes',
  'objects that were replaced',
  'objects that nothing refers to',
  'webhook queues with old backlogs',
  'quarantined events',
  'mails about the deletion of runs',
  'files of runs',
  "customers' files of runs",
  'documents without their file',
  'documents whose cancellation takes effect',
  'codes to sign with',
]
