import type { Answer } from '@sealpost/testkit'
import type { Customer, Reader } from './parties.ts'
import { copyFor, readersOf, type Run, RUNS, valueOf } from './runs.ts'
import type { Act, Field } from './script.ts'

export function pathAt({ connectionId }: Customer, run: Run): string {
  return `/api/company-connections/${connectionId}/flow-runs/${run.id}`
}

/** The customer that sends an act; null for the company. */
export function senderOf(act: Act, { customer, partner }: Run): Customer | null {
  switch (act) {
    case 'start':
    case 'ask':
    case 'cancelByOwner':
      return null
    case 'confirm':
    case 'cancelByPartner':
      return partner
    case 'tell':
    case 'tellMore':
    case 'prove':
    case 'uploadForOwner':
    case 'uploadForCustomer':
    case 'uploadForPartner':
    case 'cancelByCustomer':
      return customer
  }
}

/** The same body and key for each repetition. */
export async function send(run: Run, act: Act): Promise<Answer> {
  const key = `${run.key}-${act}`
  switch (act) {
    case 'start':
      return start(run, key)
    case 'ask':
      return answer(run, act, 'amount', { next_node: 'tell' })
    case 'tell':
      return answer(run, act, 'nick', { next_node: 'confirm' })
    case 'tellMore':
      return answer(run, act, 'nick', { next_node: 'prove' })
    case 'prove':
      return answer(run, act, 'proof', { next_node: 'confirm' })
    case 'confirm':
      return answer(run, act, 'reference', { leaf: true })
    case 'uploadForOwner':
      return upload(run, run.owner, key)
    case 'uploadForCustomer':
      return upload(run, run.customer, key)
    case 'uploadForPartner':
      return upload(run, run.partner, key)
    case 'cancelByOwner':
      return run.owner.calls('POST', `${RUNS}/${run.id}/cancel`, { body: {}, key })
    case 'cancelByCustomer':
      return run.customer.calls('POST', `${pathAt(run.customer, run)}/cancel`, { body: {}, key })
    case 'cancelByPartner':
      return run.partner.calls('POST', `${pathAt(run.partner, run)}/decline`, { body: { reason: 'no' }, key })
  }
}

function start({ owner, flow, customer, partner }: Run, key: string): Promise<Answer> {
  const targets = {
    customer: { connection_id: customer.connectionId },
    partner: { connection_id: partner.connectionId },
  }
  return owner.calls('POST', `/api/company-data/flows/${flow.flowId}/runs`, { body: { targets }, key })
}

async function answer(run: Run, act: Act, field: Field, to: object): Promise<Answer> {
  const values: object[] = []
  for (const reader of readersOf(run))
    values.push({ for_user_id: reader.userId, value: await valueOf(run, field, reader) })
  const said = { slug: run.flow.slugs[field], values, ...(field === 'proof' ? { source_private: true } : {}) }
  const sender = senderOf(act, run)
  const path = sender === null ? `${RUNS}/${run.id}` : pathAt(sender, run)
  const calls = sender === null ? run.owner.calls : sender.calls
  return calls('POST', `${path}/answers`, { body: { answers: [said], ...to }, key: `${run.key}-${act}` })
}

/** Without a key each call stores another copy. */
export async function upload(run: Run, reader: Reader, key?: string): Promise<Answer> {
  const value = await copyFor(run, 'proof', reader)
  const body = { slug: run.flow.slugs.proof, for_user_id: reader.userId, value }
  const path = `${pathAt(run.customer, run)}/answer-files`
  const answered = await run.customer.calls('POST', path, key === undefined ? { body } : { body, key })
  if (key !== undefined && answered.status === 201) run.files.set(reader.userId, String(answered.body['file']))
  return answered
}
