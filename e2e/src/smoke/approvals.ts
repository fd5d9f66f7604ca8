import { randomBytes } from 'node:crypto'
import { call, type Installation, northwind } from '@sealpost/testkit'
import { addPasskey } from '../documents/sign-with.ts'
import { all } from '../sharing/parties.ts'
import type { Sharing } from './sharing.ts'

/** Short, so that one can expire: the apps run by the real clock. */
export const CHALLENGE_SECONDS = { TWOFA_TTL_SECONDS: '15' }

/** Ana in us approves logins at the clinic in eu, and both write to each other. */
export async function checkApprovals(sharing: Sharing, installation: Installation): Promise<void> {
  const { checks, company, person } = sharing
  await company.account.services.changeNumberMatching(company.serviceId, true)
  const enrolled = await enroll(installation, person.session.token)
  checks.check('she enrols for logins of the clinic through consent, detached', enrolled)
  const device = await addPasskey({
    authVerifier: person.user.authVerifier,
    calls: (method, path, sent) => call(person.session, method, path, sent),
  })
  if (device.method !== 'biometric') throw new Error('no passkey')
  const { assertion } = device

  const approved = await logIn(sharing, 'approve', async (id, matchingDigits) => {
    await person.app.twofa.approve(id, { assertion, matchingDigits })
  })
  checks.check('she approves a login with the digits of its page', approved === 'approved')
  const denied = await logIn(sharing, 'deny', async (id) => {
    await person.app.twofa.deny(id)
  })
  checks.check('she denies another', denied === 'denied')
  checks.check('a third expires', (await logIn(sharing, 'expire', async () => {})) === 'expired')
  await checkMessages(sharing)
}

async function enroll({ frontDoor }: Installation, token: string): Promise<boolean> {
  const state = randomBytes(32).toString('base64url')
  const query = { client_id: northwind.clientId, mode: '2fa_enroll', response_mode: 'detached', state }
  await fetch(`${frontDoor.url}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify({ ...query, decision: 'approve' }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
  const form = { client_id: northwind.clientId, client_secret: northwind.clientSecret, state }
  const result = await fetch(`${frontDoor.url}/oauth2/result`, { method: 'POST', body: new URLSearchParams(form) })
  return result.status === 200 && JSON.stringify(await result.json()).includes('"enrolled":true')
}

/** The clinic asks; `answer` is called once, when the card has arrived in us. */
async function logIn(
  { checks, company, person }: Sharing,
  name: string,
  answer: (id: string, digits: string) => Promise<void>,
): Promise<string> {
  let digits = ''
  const login = company.service.twofa.approveLogin({
    shareCode: person.user.shareCode,
    idempotencyKey: `smoke-${name}-${randomBytes(8).toString('hex')}`,
    context: `Login to ${name}`,
    pollSeconds: 1,
    onProgress(step) {
      if (step.kind === 'raised') digits = step.matchingDigits ?? ''
    },
  })
  let id = ''
  await checks.await(`the card to ${name} arrives in us`, async () => {
    const cards = await all(person.app.twofa.list())
    id = cards.find(({ context }) => context === `Login to ${name}`)?.id ?? ''
    return id !== ''
  })
  await answer(id, digits)
  const outcome = await login
  return outcome.isApproved ? 'approved' : outcome.reason
}

async function checkMessages({ checks, company: { service, key }, person: { app }, connectionId }: Sharing) {
  const sent = await service.messages.send(connectionId, 'Your results are in', key)
  const inbox = async () => all(app.messages.list(connectionId))
  await checks.await('a message of the clinic arrives in us', async () =>
    (await inbox()).some(({ message_id: id }) => id === sent.message_id),
  )
  const [received] = await inbox()
  const text = received === undefined ? null : await app.messages.open(received)
  checks.check('she reads it', text === 'Your results are in')
  await app.messages.acknowledge(connectionId, sent.message_id)
  await checks.await('the clinic sees that she has read it', async () =>
    (await all(service.messages.list(connectionId))).some(
      (item) => item.message_id === sent.message_id && item.read_at !== null,
    ),
  )
  const reply = await app.messages.send(connectionId, 'Thank you')
  await checks.await('her reply arrives in eu', async () =>
    (await all(service.messages.list(connectionId))).some(({ message_id: id }) => id === reply.message_id),
  )
  await service.messages.acknowledge(connectionId, reply.message_id)
  await checks.await('she sees that the clinic has read it', async () =>
    (await inbox()).some((item) => item.message_id === reply.message_id && item.read_at !== null),
  )
}
