import type { CustomerClient } from '@sealpost/sdk'
import { waitUntil, type World } from '@sealpost/testkit'
import { contractPdf, type Office, SOON_MS } from './office.ts'

/** The ids of the papers. */
export interface DemoPapers {
  readonly toSign: string
  readonly signed: string
  readonly letter: string
}

function fileOf(title: string, originalName: string) {
  return { bytes: contractPdf(title, 1), originalName }
}

/** A contract to sign, one that was signed and sealed, a letter, and a conversation. */
export async function sendPapers(world: World, client: CustomerClient, office: Office): Promise<DemoPapers> {
  const { client: clinic, connectionId, target } = office
  const contract = { target, kind: 'agreement', requires_signature: true } as const
  const arrived = async (id: string) => {
    const isThere = () =>
      client.documents.get(connectionId, id).then(
        () => true,
        () => false,
      )
    await waitUntil('the paper has arrived', SOON_MS, isThere)
    return client.documents.open(connectionId, id)
  }
  const metadata = {
    can_be_cancelled_in_app: true,
    cancel_notice_days: 30,
    plan_name: 'Standard care',
    price: '49',
    currency: 'EUR',
  }
  const signed = await clinic.documents.send({
    ...contract,
    metadata,
    name: 'Care plan',
    file: fileOf('Care plan', 'care-plan.pdf'),
  })
  const opened = await arrived(signed.id)
  await client.documents.requestSignCode(opened.document)
  const code = await world.mail.waitForCode('mara.lind@persons.example', 'sign')
  const done = await client.documents.sign(opened, { method: 'email', code })
  const sealed = async () => (await client.documents.get(connectionId, signed.id)).plain_sha256 === done.plain_sha256
  await waitUntil('the sealed copy has arrived', SOON_MS, sealed)
  const toSign = await clinic.documents.send({
    ...contract,
    name: 'Treatment agreement',
    description: 'For your treatment from January on.',
    file: fileOf('Treatment agreement', 'treatment.pdf'),
  })
  const value = {
    title: 'Before your first visit',
    sections: [{ heading: 'Bring along', text: 'Your insurance card, and a list of what you take.' }],
    fields: [
      { label: 'Where', value: 'Storgatan 2, second floor' },
      { label: 'When', value: 'Monday, 9.30' },
    ],
  }
  const letter = await clinic.documents.send({ target, name: 'Your first visit', value })
  await arrived(toSign.id)
  await arrived(letter.id)
  await talk(world, client, office)
  return { toSign: toSign.id, signed: signed.id, letter: letter.id }
}

async function talk(
  world: World,
  client: CustomerClient,
  { client: clinic, key, connectionId }: Office,
): Promise<void> {
  const { message_id: question } = await client.messages.send(connectionId, 'May I come half an hour later on Monday?')
  await waitUntil(
    'the question has arrived',
    SOON_MS,
    async () => (await clinic.messages.countUnread(connectionId)) === 1,
  )
  await clinic.messages.acknowledge(connectionId, question)
  world.clock.advance(1_000)
  await clinic.messages.send(
    connectionId,
    'Of course. We have moved you to ten o’clock.\nPlease use the side entrance.',
    key,
  )
  await waitUntil('the reply has arrived', SOON_MS, async () => (await client.messages.countUnread(connectionId)) === 1)
}
