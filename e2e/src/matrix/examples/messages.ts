import type { Example, Examples, Making, Parts } from '../example.ts'
import { connectionOf } from './company-connections.ts'
import { withConnection } from './connections.ts'

const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64')
/** Of the form of a wrapper, which is all that the platform can check. */
const SEALED = JSON.stringify({ _enc: 1, k: base64(256), iv: base64(12), d: base64(20) })
const MISSING = '019a0000-0000-7000-8000-00000000dead'

/** No message of the other side has this id: the refusal proves that the caller passed the gates. */
const boundary = {
  answers: () => ({ status: 400, key: 'company_data.ack_boundary_invalid' }),
} satisfies Example

export const messageExamples: Examples = {
  'messages.send': { make: async (making) => ({ ...(await withConnection(making)), body: { body: SEALED } }) },
  'messages.list': { make: withConnection },
  'messages.read': {
    ...boundary,
    make: async (making) => ({ ...(await withConnection(making)), body: { message_id: MISSING } }),
  },
  'messages.delete': { make: withConnection },
  'messages.broadcast': { make: () => ({ body: { body: 'Made for a cell' } }) },

  'customer_messages.send': {
    ofAccount: true,
    make: async (making) => ({ ...(await withOwn(making)), body: { body: SEALED } }),
  },
  'customer_messages.list': { ofAccount: true, make: withOwn },
  'customer_messages.delete': { ofAccount: true, make: withOwn },
  'customer_messages.read': {
    ...boundary,
    ofAccount: true,
    make: async (making) => ({ ...(await withOwn(making)), body: { message_id: MISSING } }),
  },
}

async function withOwn(making: Making): Promise<Parts> {
  return { params: { id: await connectionOf(making) } }
}
