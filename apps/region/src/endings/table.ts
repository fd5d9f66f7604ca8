import type { HintKind, SubscribableEventKind } from '@sealpost/protocol'
import type { EndingName } from './endings.ts'
import type { RecordName, Side } from './records.ts'

/** Of the rows of a side: all stay, none stays, some stay, or an ending has made the first one. */
export type RowsFate = 'kept' | 'gone' | 'changed' | 'made'

/**
 * What a side has of a kind of record after an ending. A word is about what it reads and about the rows. `reads` is what
 * it reads now, `gone` for nothing; `rows` what became of the rows, kept unless told.
 */
export type Fate = RowsFate | { readonly reads: string; readonly rows?: RowsFate }

export interface Cell extends Readonly<Partial<Record<Side, Fate>>> {
  /** In the feed of the service, once. */
  readonly event?: SubscribableEventKind
  /** To the devices of a person; a company as customer has an event of the same name in its own feed. */
  readonly hint?: HintKind
  /** A rule of docs/requirements.tsv, a paragraph of the protocol (G-…), or a decision by its number. */
  readonly rule: string
}

/** What stays of each kind of record after each ending. A side that a cell does not name keeps what it has. */
export type Table = Readonly<Record<RecordName, Readonly<Record<EndingName, Cell>>>>

function keep<const Names extends readonly EndingName[]>(...names: Names): Record<Names[number], Cell> {
  return all(names, { rule: '0035' })
}

function all<const Names extends readonly EndingName[]>(names: Names, cell: Cell): Record<Names[number], Cell> {
  const cells: Partial<Record<EndingName, Cell>> = {}
  for (const name of names) cells[name] = cell
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of the names has just been set
  return cells as Record<Names[number], Cell>
}

const UNREADABLE = { reads: 'gone' } as const
const BOTH_GONE = { company: 'gone', customer: 'gone' } as const
/** What ends the connection, and what ends it with a whole service. */
const OF_CUSTOMER = ['disconnected', 'dismissed'] as const
const OF_SERVICE = ['service_deleted', 'company_erased'] as const
/** What has nothing to do with a company's service. */
const WITHOUT_SERVICE = ['run_cancelled', ...OF_CUSTOMER, ...OF_SERVICE] as const
const BY_TIME = ['level_lowered', 'aged', 'long_closed'] as const

export const table = {
  connection: {
    ...keep('run_cancelled', ...BY_TIME),
    disconnected: { ...BOTH_GONE, event: 'connection_deleted', hint: 'connection_deleted', rule: 'EVENT-04' },
    dismissed: { ...BOTH_GONE, event: 'connection_deleted', hint: 'connection_deleted', rule: 'CONN-15' },
    customer_erased: { ...BOTH_GONE, event: 'connection_deleted', rule: 'G-022' },
    ...all(OF_SERVICE, { ...BOTH_GONE, hint: 'connection_deleted', rule: 'G-032' }),
  },
  values: {
    ...keep('run_cancelled', ...BY_TIME),
    ...all([...OF_CUSTOMER, 'customer_erased', ...OF_SERVICE], { ...BOTH_GONE, rule: 'G-090' }),
  },
  files: {
    ...keep('run_cancelled', 'level_lowered', 'long_closed'),
    ...all([...OF_CUSTOMER, 'customer_erased', ...OF_SERVICE], { company: 'gone', rule: 'G-090' }),
    aged: { company: { reads: 'its digest' }, rule: 'G-069' },
  },
  plain_documents: {
    ...keep('run_cancelled', ...BY_TIME),
    ...all(OF_CUSTOMER, { customer: 'gone', rule: '0035' }),
    customer_erased: { customer: 'gone', rule: 'G-022' },
    ...all(OF_SERVICE, { ...BOTH_GONE, rule: 'G-032' }),
  },
  offers: {
    ...keep('run_cancelled', ...BY_TIME),
    disconnected: { company: { reads: 'ended' }, customer: 'gone', event: 'document_status_changed', rule: '0035' },
    dismissed: { company: { reads: 'ended' }, customer: 'gone', event: 'document_updated', rule: 'G-088' },
    customer_erased: { company: { reads: 'ended' }, customer: 'gone', event: 'document_status_changed', rule: 'G-022' },
    ...all(OF_SERVICE, { ...BOTH_GONE, rule: 'G-032' }),
  },
  contracts: {
    ...keep('run_cancelled', ...OF_CUSTOMER, ...BY_TIME),
    customer_erased: { customer: 'gone', rule: 'G-022' },
    service_deleted: { rule: 'G-032' },
    company_erased: { company: 'gone', rule: 'G-032' },
  },
  broadcast_documents: {
    ...keep('run_cancelled', ...BY_TIME),
    ...all([...OF_CUSTOMER, 'customer_erased'], { customer: UNREADABLE, rule: '0035' }),
    ...all(OF_SERVICE, { ...BOTH_GONE, rule: 'G-032' }),
  },
  open_runs: {
    ...keep('aged', 'long_closed'),
    run_cancelled: { ...now('cancelled'), event: 'flow_cancelled', hint: 'flow_cancelled', rule: 'EVENT-32' },
    ...all(OF_CUSTOMER, { ...now('cancelled'), event: 'flow_cancelled', hint: 'flow_cancelled', rule: 'RUN-57' }),
    customer_erased: { company: { reads: 'cancelled' }, customer: 'gone', event: 'flow_cancelled', rule: 'RUN-57' },
    service_deleted: { ...now('cancelled'), hint: 'flow_cancelled', rule: 'RETAIN-07' },
    company_erased: { company: 'gone', customer: { reads: 'cancelled' }, hint: 'flow_cancelled', rule: 'RUN-57' },
    level_lowered: { ...now('cancelled'), event: 'flow_cancelled', hint: 'flow_cancelled', rule: 'RETAIN-07' },
  },
  answers: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'aged', 'long_closed'),
    customer_erased: { customer: 'gone', rule: 'RUN-49' },
    ...all(OF_SERVICE, { ...BOTH_GONE, rule: 'RETAIN-03' }),
    level_lowered: { ...BOTH_GONE, rule: 'RETAIN-02' },
  },
  completed_runs: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'aged', 'long_closed'),
    customer_erased: { customer: 'gone', rule: 'G-022' },
    service_deleted: { rule: 'RETAIN-05' },
    company_erased: { company: 'gone', rule: 'G-032' },
    level_lowered: { rule: 'RETAIN-05' },
  },
  run_documents: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'aged', 'long_closed'),
    customer_erased: { customer: 'gone', rule: 'G-022' },
    service_deleted: { rule: 'RETAIN-05' },
    company_erased: { company: 'gone', rule: 'G-032' },
    level_lowered: { rule: 'RETAIN-05' },
  },
  messages: {
    ...keep('run_cancelled', 'level_lowered', 'aged'),
    ...all(OF_CUSTOMER, { rule: 'G-098' }),
    customer_erased: { customer: 'gone', rule: 'G-098' },
    ...all(OF_SERVICE, { company: 'gone', rule: '0035' }),
    long_closed: { ...BOTH_GONE, rule: 'G-098' },
  },
  threads: {
    ...keep('run_cancelled', ...OF_CUSTOMER, ...BY_TIME),
    customer_erased: { customer: 'gone', rule: 'G-022' },
    ...all(OF_SERVICE, { company: 'gone', rule: '0035' }),
  },
  broadcasts: {
    ...keep('run_cancelled', 'level_lowered', 'aged'),
    ...all(OF_CUSTOMER, { rule: 'G-098' }),
    customer_erased: { customer: UNREADABLE, rule: 'G-022' },
    ...all(OF_SERVICE, { company: 'gone', rule: '0035' }),
    long_closed: { company: UNREADABLE, customer: UNREADABLE, rule: 'G-098' },
  },
  enrolments: {
    ...keep('run_cancelled', ...BY_TIME),
    ...all([...OF_CUSTOMER, 'customer_erased', ...OF_SERVICE], { ...BOTH_GONE, rule: 'G-051' }),
  },
  challenges: {
    ...keep('run_cancelled'),
    ...all(OF_CUSTOMER, {
      company: { reads: 'revoked' },
      customer: 'gone',
      event: '2fa_challenge_completed',
      hint: 'challenge_closed',
      rule: 'G-051',
    }),
    customer_erased: {
      company: { reads: 'revoked' },
      customer: 'gone',
      event: '2fa_challenge_completed',
      rule: 'G-051',
    },
    ...all(OF_SERVICE, { ...BOTH_GONE, hint: 'challenge_closed', rule: 'G-051' }),
    ...all(['level_lowered', 'aged'], { ...BOTH_GONE, rule: 'G-054' }),
    long_closed: { company: 'gone', rule: 'G-054' },
  },
  connect_requests: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'level_lowered'),
    customer_erased: { customer: 'gone', rule: '0035' },
    ...all(OF_SERVICE, { ...BOTH_GONE, rule: '0035' }),
    ...all(['aged', 'long_closed'], { ...BOTH_GONE, rule: 'G-099' }),
  },
  service: {
    ...keep('run_cancelled', ...OF_CUSTOMER, ...BY_TIME),
    customer_erased: { customer: UNREADABLE, rule: 'G-022' },
    ...all(OF_SERVICE, { ...BOTH_GONE, rule: 'G-032' }),
  },
  logs: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', 'level_lowered'),
    ...all(OF_SERVICE, { company: 'gone', rule: '0035' }),
    ...all(['aged', 'long_closed'], { company: 'gone', rule: 'G-063' }),
  },
  deleted_services: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', 'company_erased', ...BY_TIME),
    service_deleted: { company: 'made', rule: 'G-032' },
  },
  service_key: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', ...BY_TIME),
    service_deleted: { rule: 'G-032' },
    company_erased: { company: 'gone', rule: 'G-022' },
  },
  webhooks: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased'),
    ...all(OF_SERVICE, { company: 'gone', rule: 'G-032' }),
    ...all(BY_TIME, { platform: 'gone', rule: 'G-077' }),
  },
  feed: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased'),
    ...all(OF_SERVICE, { company: 'gone', rule: '0035' }),
    ...all(BY_TIME, { platform: 'gone', rule: 'FEED-04' }),
  },
  data_client: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', ...BY_TIME),
    ...all(OF_SERVICE, { company: 'gone', rule: 'G-032' }),
  },
  flows: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', ...BY_TIME),
    ...all(OF_SERVICE, { company: 'gone', rule: '0035' }),
  },
  flow_versions: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', ...BY_TIME),
    service_deleted: { rule: 'RETAIN-05' },
    company_erased: { company: 'gone', rule: 'G-032' },
  },
  delegates: {
    ...keep('run_cancelled', ...OF_CUSTOMER, ...BY_TIME),
    customer_erased: { ...BOTH_GONE, platform: 'gone', rule: '0035' },
    service_deleted: { ...BOTH_GONE, rule: 'G-151' },
    company_erased: { ...BOTH_GONE, platform: 'gone', rule: 'G-022' },
  },
  plugins: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', 'service_deleted', ...BY_TIME),
    company_erased: { company: 'gone', rule: 'G-022' },
  },
  company_profile: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', 'service_deleted', ...BY_TIME),
    company_erased: { company: 'gone', rule: 'G-022' },
  },
  company_account: {
    ...keep('run_cancelled', ...OF_CUSTOMER, 'customer_erased', 'service_deleted', ...BY_TIME),
    company_erased: { company: 'gone', rule: 'G-022' },
  },
  own_values: {
    ...keep(...WITHOUT_SERVICE, ...BY_TIME),
    customer_erased: { customer: 'gone', rule: 'G-022' },
  },
  customer_account: {
    ...keep(...WITHOUT_SERVICE, ...BY_TIME),
    customer_erased: { customer: 'gone', rule: 'G-022' },
  },
  sessions: {
    ...keep(...WITHOUT_SERVICE, 'level_lowered'),
    customer_erased: { customer: 'gone', rule: 'G-022' },
    ...all(['aged', 'long_closed'], { customer: 'gone', platform: 'gone', rule: 'G-016' }),
  },
  devices: {
    ...keep(...WITHOUT_SERVICE, ...BY_TIME),
    customer_erased: { customer: 'gone', rule: 'G-022' },
  },
  erasures: {
    ...keep(...WITHOUT_SERVICE, ...BY_TIME),
    customer_erased: { platform: 'made', rule: '0035' },
  },
} as const satisfies Table

/** Both sides read this status; the rows stay. */
function now<const Text extends string>(reads: Text) {
  return { company: { reads }, customer: { reads } } as const
}

export function cellOf(kind: RecordName, ending: EndingName): Cell {
  return table[kind][ending]
}
