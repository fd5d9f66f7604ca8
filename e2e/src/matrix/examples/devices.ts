import { createECDH, randomBytes } from 'node:crypto'
import type { Example, Examples, Making } from '../example.ts'
import { requireAs } from '../owners.ts'
import { personsOnly } from './company-connections.ts'
import { deviceOf } from './security.ts'

const answers: Example['answers'] = personsOnly

export const deviceExamples: Examples = {
  'hints.stream': { answers },
  'push.subscribe': {
    make: async (making) => ({ params: { id: await deviceOf(making) }, body: subscription() }),
    answers,
  },
  'push.list': { make: async (making) => ({ params: { id: await deviceOf(making) } }), answers },
  'push.unsubscribe': { make: async (making) => ({ params: await subscribed(making) }), answers },
}

/** Companies have devices and no subscriptions. */
async function subscribed(making: Making): Promise<Readonly<Record<string, string>>> {
  const id = await deviceOf(making)
  if (making.owner.type === 'company') return { id, subscriptionId: id }
  const made = await requireAs(making.owner, 'POST', `/api/account/trusted-devices/${id}/push`, subscription())
  return { id, subscriptionId: String(made['id']) }
}

function subscription(): Readonly<Record<string, unknown>> {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return { endpoint: 'https://push.example.com/made-for-a-cell', keys }
}
