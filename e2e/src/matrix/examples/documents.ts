import { waitUntil } from '@sealpost/testkit'
import { isKnown } from '../callers.ts'
import type { Example, Examples, Making, Parts } from '../example.ts'
import { callAs, requestToken, type WorldOwner } from '../owners.ts'
import { membersOf, send } from '../send.ts'
import type { World } from '../world.ts'
import { connectionOf, hostOf } from './company-connections.ts'

const DOCUMENTS = '/api/company-data/documents'
const DEADLINE_MS = 15_000
const DIGEST = 'ab'.repeat(32)
const NOTICE = { name: 'Made for a cell', payload_kind: 'json', value: { title: 'A notice' } }

/** A broadcast: a customer's document would need the customer's key. */
const ofDocument = {
  make: async ({ world, owner }) => ({ params: { id: await broadcast(world, owner) } }),
} satisfies Example

/** The same in the portal, by the id of the service. */
const inPortal = {
  make: async ({ world, owner }) => ({
    params: { id: owner.serviceId ?? '', docId: await broadcast(world, owner) },
  }),
} satisfies Example

/** A broadcast is the same object for all customers of a service. */
const received = { ofAccount: true, notObjects: ['docId'] } as const satisfies Example

/** A broadcast takes no acts: the refusal proves that the caller passed the gates. */
const acts = (body: Parts['body']): Example => ({
  ...received,
  make: async (making) => ({ ...(await withReceived(making)), ...(body === undefined ? {} : { body }) }),
  answers: () => ({ status: 404, key: 'documents.not_found' }),
})

const humanActs = (body: Parts['body']): Example => ({
  ...acts(body),
  answers: ({ caller }) =>
    isKnown(caller) && caller.is.some((who) => who.startsWith('account'))
      ? { status: 403, key: 'documents.human_required' }
      : { status: 404, key: 'documents.not_found' },
})

export const documentExamples: Examples = {
  'documents.create': { make: () => ({ body: NOTICE }) },
  'documents.read': ofDocument,
  'documents.change': { make: async (making) => ({ ...(await ofDocument.make(making)), body: { name: 'Renamed' } }) },
  'documents.delete': ofDocument,
  'documents.upload_file': {
    make: async (making) => ({ ...(await ofDocument.make(making)), body: {} }),
    answers: () => ({ status: 400, key: 'documents.invalid_payload' }),
  },
  'documents.read_file': { ...ofDocument, answers: () => ({ status: 404, key: 'company_data.file_not_found' }) },

  'portal_documents.list': { make: ({ owner }) => ({ params: { id: owner.serviceId ?? '' } }) },
  'portal_documents.read': inPortal,
  'portal_documents.read_file': { ...inPortal, answers: () => ({ status: 404, key: 'company_data.file_not_found' }) },
  'portal_documents.delete': inPortal,

  'customer_documents.list': {
    ofAccount: true,
    make: async (making) => ({ params: { id: await connectionOf(making) } }),
  },
  'customer_documents.read': { ...received, make: withReceived },
  'customer_documents.read_file': {
    ...received,
    make: withReceived,
    answers: () => ({ status: 404, key: 'company_data.file_not_found' }),
  },
  'customer_documents.send_code': humanActs({}),
  'customer_documents.sign': humanActs({ method: 'custodian', content_sha256: DIGEST }),
  'customer_documents.accept': humanActs({ content_sha256: DIGEST }),
  'customer_documents.decline': acts({}),
  'customer_documents.cancel': acts({}),
}

async function broadcast({ sites }: World, owner: WorldOwner): Promise<string> {
  const token = await requestToken(sites, owner)
  const answer = await send({
    method: 'POST',
    url: `${owner.session.apiUrl}${DOCUMENTS}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(NOTICE),
  })
  if (answer.status !== 201) throw new Error(`no document was made: ${answer.status} ${answer.text}`)
  return String(membersOf(answer)['id'])
}

/** A broadcast of the host, once it has arrived at its customer. */
async function withReceived(making: Making): Promise<Parts & { readonly params: Readonly<Record<string, string>> }> {
  const id = await connectionOf(making)
  const docId = await broadcast(making.world, hostOf(making))
  await waitUntil('the broadcast has arrived', DEADLINE_MS, async () => {
    const path = `/api/company-connections/${id}/documents/${docId}`
    return (await callAs(making.owner, 'GET', path)).status === 200
  })
  return { params: { id, docId } }
}
