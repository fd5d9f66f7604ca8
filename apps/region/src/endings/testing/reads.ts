import { type Calls, listOf, membersOf } from '@sealpost/testkit'
import { copyPath, DOCUMENTS } from '../../modules/documents/testing/documents.ts'
import { ownPath, sentPath } from '../../modules/messages/testing/messages.ts'
import { RUNS } from '../../modules/runs/testing/runs.ts'
import { CARDS, ENROLLMENTS, RAISE } from '../../modules/twofa/testing/approvals.ts'
import type { RecordName } from '../records.ts'
import type { Stage } from './stage.ts'

/** What a side reads of a kind of record, as a short text; null when it is refused or finds none. */
type Read = (stage: Stage) => Promise<string | null>

interface Reads {
  readonly company?: Read
  readonly customer?: Read
}

type Body = Readonly<Record<string, unknown>>

type Shown = (body: Body) => unknown

/** A side that has no login any more reads nothing. */
async function read(calls: Calls, path: string, shown: Shown): Promise<string | null> {
  const answer = await calls('GET', path).catch(() => null)
  return answer === null ? null : textOf(answer, shown)
}

/** 410 is the answer for a file that has expired; its digest stays. */
function textOf({ status, body }: { readonly status: number; readonly body: Body }, shown: Shown): string | null {
  const text = status === 200 || status === 410 ? shown(body) : null
  if (typeof text === 'number') return `${text}`
  return typeof text === 'string' && text !== '' ? text : null
}

const status = ({ status: now }: Body) => now
const count = (name: string) => (body: Body) => {
  const { length } = listOf(body[name])
  return length === 0 ? null : `${length}`
}

/** The company reads by its data client while it has one, and in the portal when the service is deleted. */
function company(path: string, shown: Shown): Read {
  return async ({ company: owner, service }) => {
    const answer = await service.data('GET', path).catch(() => null)
    if (answer !== null && answer.status !== 401) return textOf(answer, shown)
    const portal = path.replace('/api/company-data/', `/api/portal/services/${service.serviceId}/`)
    return read(owner.portal, portal, shown)
  }
}

const document = (name: 'letter' | 'offer' | 'contract' | 'notice', shown = status): Reads => ({
  company: (stage) => company(`${DOCUMENTS}/${stage.ids[name]}`, shown)(stage),
  customer: ({ customer, connectionId, ids }) => read(customer.calls, copyPath(connectionId, ids[name] ?? ''), shown),
})

const withSignatures = (body: Body) => `${String(body['status'])}, ${listOf(body['signatures']).length} signatures`
const withAnswers = (body: Body) => count('answers')(body)

const run = (name: 'open' | 'done', shown: Shown): Reads => ({
  company: (stage) => company(`${RUNS}/${stage.ids[name]}`, shown)(stage),
  customer: ({ customer, connectionId, ids }) =>
    read(customer.calls, `/api/company-connections/${connectionId}/flow-runs/${ids[name]}`, shown),
})

const itemsWhere = (wanted: (item: Body) => boolean) => (body: Body) => {
  const { length } = listOf(body['items']).filter(wanted)
  return length === 0 ? null : `${length}`
}
const thread = (isBroadcast: boolean): Reads => {
  const shown = itemsWhere(({ broadcast }) => (broadcast === true) === isBroadcast)
  return {
    company: (stage) => company(sentPath(stage.connectionId), shown)(stage),
    customer: ({ customer, connectionId }) => read(customer.calls, ownPath(connectionId), shown),
  }
}
const fileOrDigest = (body: Body) => ('expired_at' in body ? 'its digest' : 'the file')
const outputFile = (body: Body) => (typeof body['value'] === 'string' ? 'the sealed file' : null)

export const reads: Readonly<Partial<Record<RecordName, Reads>>> = {
  connection: {
    company: (stage) => company(`/api/company-data/connections/${stage.connectionId}`, status)(stage),
    customer: ({ customer, connectionId }) =>
      read(customer.calls, `/api/company-connections/${connectionId}`, ({ id }) =>
        id === connectionId ? 'connected' : null,
      ),
  },
  values: {
    company: (stage) =>
      company(
        `/api/company-data/connections/${stage.connectionId}`,
        ({ values }) => Object.keys(membersOf(values)).length,
      )(stage),
    customer: ({ customer, connectionId }) =>
      read(customer.calls, `/api/company-connections/${connectionId}`, ({ services }) =>
        count('mappings')(membersOf(listOf(services)[0])),
      ),
  },
  files: { company: (stage) => company(stage.scanUrl, fileOrDigest)(stage) },
  plain_documents: document('letter'),
  offers: document('offer'),
  contracts: document('contract', withSignatures),
  broadcast_documents: document('notice'),
  open_runs: run('open', status),
  answers: run('open', withAnswers),
  completed_runs: run('done', status),
  run_documents: {
    company: (stage) => company(`${RUNS}/${stage.ids['done']}/documents/contract/file`, outputFile)(stage),
    customer: ({ customer, connectionId, ids }) =>
      read(
        customer.calls,
        `/api/company-connections/${connectionId}/flow-runs/${ids['done']}/documents/contract/file`,
        outputFile,
      ),
  },
  messages: thread(false),
  broadcasts: thread(true),
  enrolments: {
    customer: ({ customer, ids }) => read(customer.calls, `${ENROLLMENTS}/${ids['service']}`, () => 'enrolled'),
  },
  challenges: {
    company: ({ service, ids }) => read(service.data, `${RAISE}/${ids['challenge']}`, status),
    customer: ({ customer }) => read(customer.calls, CARDS, count('challenges')),
  },
  connect_requests: {
    customer: ({ visitor }) => read(visitor.calls, '/api/customer/connect-requests', count('connect_requests')),
  },
  service: {
    company: ({ company: { portal }, service }) => read(portal, service.path, () => 'listed'),
    customer: ({ visitor, service }) =>
      read(visitor.calls, `/api/company-connections/lookup/${service.code}`, () => 'found'),
  },
  service_key: {
    company: ({ company: { portal }, service }) => read(portal, `${service.path}/private-key`, () => 'the wrapped key'),
  },
  webhooks: {
    company: ({ company: { portal }, service }) => read(portal, `${service.path}/webhooks`, count('items')),
  },
  data_client: {
    company: async ({ service }) => {
      const token = await service.token().catch(() => null)
      return token === null ? null : 'a token'
    },
  },
  flows: {
    company: ({ company: { portal }, service, flowId }) =>
      read(portal, `/api/portal/services/${service.serviceId}/flows/${flowId}`, ({ id }) =>
        id === flowId ? 'the flow' : null,
      ),
  },
  delegates: {
    company: ({ company: { portal }, ids }) =>
      read(portal, '/api/delegates', ({ items }) =>
        listOf(items).some(({ services }) => JSON.stringify(services).includes(ids['service'] ?? ''))
          ? 'with the service'
          : null,
      ),
    customer: ({ visitor, ids }) =>
      read(visitor.calls, '/api/companies', (body) =>
        JSON.stringify(body).includes(ids['service'] ?? '') ? 'with the service' : null,
      ),
  },
  plugins: { company: ({ company: { portal } }) => read(portal, '/api/account/plugins', count('plugins')) },
  company_profile: {
    company: ({ company: owner }) =>
      read(owner.portal, `/api/contact-data/${owner.field('website')}`, ({ value }) => value),
  },
  company_account: { company: ({ company: { portal } }) => read(portal, '/api/account', () => 'the account') },
  own_values: {
    customer: ({ customer }) =>
      read(
        customer.calls,
        `/api/contact-data/${customer.field(customer.userType === 'person' ? 'first_name' : 'website')}`,
        () => 'the value',
      ),
  },
  customer_account: { customer: ({ customer }) => read(customer.calls, '/api/account', () => 'the account') },
  devices: { customer: ({ customer }) => read(customer.calls, '/api/account/trusted-devices', count('items')) },
}
