import { bodyOf, openWorld, type Person, startDemoVerifier } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { tidyVault } from './operations/tidy.ts'

const HOUR_MS = 3_600_000
const NUMBER = '800101-1234'
const NOT_ATTESTED = {
  verified_hash: null,
  verified_salt: null,
  verified_at: null,
  verified_expires_at: null,
  verified_method: null,
  verified_provider: null,
  verification_id: null,
}

const demo = await startDemoVerifier({ now: (): number => world.clock.now(), validDays: 1 / 24 })
const world = await openWorld({ settings: { VERIFIERS: demo.setting } })
world.onEnd(() => demo.close())
const service = await world.service([
  { slug: 'mail', type: 'email', verified: true },
  { slug: 'number', type: 'personal_number', verified: true },
])

/** The provider attests the person's number for an hour. */
async function attestNumber(person: Person): Promise<string> {
  const path = `/api/contact-data/${person.field('personal_number')}/verifications`
  const begun = await bodyOf(person.calls('POST', path, { body: { provider: 'demo_id' } }), 201)
  const verification_id = String(begun['verification_id'])
  const { statement } = await demo.attest({
    verification_id,
    challenge: String(begun['challenge']),
    field_type: 'personal_number',
    evidence: NUMBER,
  })
  await bodyOf(person.calls('POST', `${path}/${verification_id}/confirm`, { body: { statement } }))
  return verification_id
}

async function shown(connectionId: string, slug: string): Promise<unknown> {
  const values = (await service.read(connectionId))?.['values'] as Readonly<Record<string, unknown>> | undefined
  return values?.[slug]
}

test('an edit without attestation keeps the value in a verified row, with null members and an update [EVENT-06]', async () => {
  const person = await world.person()
  expect(await person.put('email', person.email)).toMatchObject({ status: 200 })
  await person.verifyEmail()
  const linked = { slug: 'mail', kind: 'linked', text: person.email, source: 'email' } as const
  const connectionId = await person.connected(service, [linked])
  expect(await shown(connectionId, 'mail')).toMatchObject({ verified_method: 'email_code' })
  await service.drain()
  const shares = [{ service, connectionId, slug: 'mail' }]
  expect(await person.put('email', 'other@mara.example', shares)).toMatchObject({ status: 200 })
  const [edited] = await service.events(1)
  expect(edited).toMatchObject({ event: 'field_updated', slug: 'mail', live: true, ...NOT_ATTESTED })
  expect(await service.open(edited?.['value'])).toBe('other@mara.example')
  expect(await shown(connectionId, 'mail')).toMatchObject({ value: edited?.['value'], ...NOT_ATTESTED })
})

test('an expired attestation is not shown from its end on, and its end is an update of a live slot [EVENT-06]', async () => {
  const person = await world.person()
  expect(await person.put('personal_number', NUMBER)).toMatchObject({ status: 200 })
  await attestNumber(person)
  const linked = { slug: 'number', kind: 'linked', text: NUMBER, source: 'personal_number' } as const
  const connectionId = await person.connected(service, [linked])
  await service.drain()
  const verification_id = await attestNumber(person)
  await expect.poll(() => shown(connectionId, 'number')).toMatchObject({ verification_id })
  world.clock.advance(HOUR_MS)
  const value = expect.any(String)
  expect(await shown(connectionId, 'number')).toMatchObject({ value, live: true, ...NOT_ATTESTED })
  const update = { event: 'field_updated', slug: 'number', value, ...NOT_ATTESTED }
  expect(await service.events(1)).toEqual([expect.objectContaining(update)])
  await tidyVault(world.us.modules.vault)
  expect(await service.events(1)).toEqual([expect.objectContaining(update)])
  expect(await shown(connectionId, 'number')).toMatchObject({ value, live: true, ...NOT_ATTESTED })
})
