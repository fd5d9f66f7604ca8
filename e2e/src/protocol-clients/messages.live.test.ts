import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { openBackend } from './backend.ts'
import { open, privateKeyOf, seal } from './crypto.ts'
import { listOf, type Members, membersOf, must, type Reply, refusalOf } from './http.ts'
import { connectCompany, connectPerson, type Customer } from './parties.ts'
import { send } from './raw-request.ts'

const UNKNOWN = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld()
const backend = await openBackend(world, [])
const { data, key } = backend
const person = await connectPerson(backend, await world.person())
const company = await connectCompany(world, backend)

const sentTo = ({ connectionId }: Customer): string => `/api/company-data/connections/${connectionId}/messages`
const ownPath = ({ connectionId }: Customer): string => `/api/company-connections/${connectionId}/messages`

function json(members: object): string {
  return `\nContent-Type: application/json\n\n${JSON.stringify(members)}`
}

/** A message to a customer, with the company's copy unless told. */
function write(to: Customer, text: string, withCopy = true): Promise<Reply> {
  const copy = withCopy ? { sender_body: seal(key.members.public_key, text) } : {}
  return send(data, `POST ${sentTo(to)}${json({ body: seal(to.publicKey, text), ...copy })}`)
}

/** A message of a customer; answers its id. */
async function writeBack(from: Customer, text: string): Promise<string> {
  const body = { body: seal(key.members.public_key, text), sender_body: seal(from.publicKey, text) }
  return String((await must(201, send(from.access, `POST ${ownPath(from)}${json(body)}`)))['message_id'])
}

async function received(count: number): Promise<readonly Members[]> {
  const events: Members[] = []
  const poll = async (): Promise<number> => {
    const { body } = await send(data, 'GET /api/company-data/changes')
    return events.push(...listOf(body['changes']).filter(({ event }) => event === 'message_received'))
  }
  await expect.poll(poll).toBe(count)
  return events
}

/** A message as the company lists it. */
async function itemOf(customer: Customer, id: unknown): Promise<Members | undefined> {
  const { body } = await send(data, `GET ${sentTo(customer)}`)
  return listOf(body['items']).find((item) => item['message_id'] === id)
}

const read = (from: Customer, members: object): Promise<Reply> =>
  send(data, `POST ${sentTo(from)}/read${json(members)}`)

describe('a message to a customer', () => {
  test('is sealed to it, and to the service where the sender keeps a copy', async () => {
    for (const to of [person, company]) {
      const made = await write(to, 'Your order is ready')
      const { id } = made.body
      expect(made).toMatchObject({ status: 201, body: { message_id: id, created_at: expect.any(String) } })
      const own = await itemOf(to, id)
      expect(own).toMatchObject({ message_id: id, id, from: 'company', read_at: null })
      expect(open(key.privateKey, own?.['body'])).toBe('Your order is ready')
      const theirs = async () => listOf((await send(to.access, `GET ${ownPath(to)}`)).body['items'])[0]
      await expect.poll(async () => (await theirs())?.['message_id']).toBe(id)
      expect(open(privateKeyOf(to.privateKeyBytes), (await theirs())?.['body'])).toBe('Your order is ready')
    }
    const { body } = await write(person, 'Without a copy', false)
    expect(await itemOf(person, body['id'])).toMatchObject({ body: null })
  })

  test('is never plaintext, and needs a connection', async () => {
    const wrapper = seal(person.publicKey, 'x')
    for (const body of ['"Hello"', wrapper, 'null', '""']) {
      const refused = await send(data, `POST ${sentTo(person)}\nContent-Type: application/json\n\n{"body": ${body}}`)
      expect([body, ...refusalOf(refused)]).toEqual([body, 400, 'contact_data.encryption_required'])
    }
    const nowhere = sentTo({ ...person, connectionId: UNKNOWN })
    expect(refusalOf(await send(data, `POST ${nowhere}${json({ body: wrapper })}`))).toEqual([
      404,
      'company_data.connection_not_found',
    ])
  })

  test('is acknowledged by the customer, once', async () => {
    const { id } = (await write(person, 'Please confirm')).body
    const unread = async () => (await send(person.access, `GET ${ownPath(person)}`)).body['unread_count']
    await expect.poll(unread).toBeGreaterThan(0)
    const seen = () => send(person.access, `POST ${ownPath(person)}/read${json({ message_id: id })}`)
    await expect.poll(async () => (await seen()).body).toEqual({ acknowledged_up_to: id, unread_count: 0 })
    await expect.poll(async () => (await itemOf(person, id))?.['read_at']).toEqual(expect.any(String))
  })
})

describe('a message of a customer', () => {
  test('is an event with the key that the answer is sealed to [MSG-04]', async () => {
    await received(0)
    for (const from of [person, company]) {
      const id = await writeBack(from, 'When does it arrive?')
      const [event] = await received(1)
      expect(event).toMatchObject({
        event: 'message_received',
        connection_id: from.connectionId,
        message_id: id,
        person_user_id: from.userId,
        share_code: from.shareCode,
        person_public_key: from.publicKey,
        created_at: expect.any(String),
      })
      for (const absent of ['value', 'slug', 'value_url']) expect(event).not.toHaveProperty(absent)
      expect(open(key.privateKey, event?.['body'])).toBe('When does it arrive?')
      expect(await itemOf(from, id)).toMatchObject({ from: 'person', body: event?.['body'] })
      const answer = { body: seal(String(event?.['person_public_key']), 'On Monday') }
      const sent = `POST /api/company-data/connections/${String(event?.['connection_id'])}/messages${json(answer)}`
      const { message_id } = await must(201, send(data, sent))
      const theirs = async () => {
        const { body } = await send(from.access, `GET ${ownPath(from)}`)
        return listOf(body['items']).find((item) => item['message_id'] === message_id)?.['body']
      }
      await expect.poll(theirs).toBe(answer.body)
      expect(open(privateKeyOf(from.privateKeyBytes), await theirs())).toBe('On Monday')
    }
  })

  test('is acknowledged up to a message, under either name of the boundary', async () => {
    const sent = [await writeBack(person, 'one'), await writeBack(person, 'two'), await writeBack(person, 'three')]
    await received(3)
    const mine = String((await write(person, 'mine')).body['id'])
    for (const [boundary, left] of [
      [{ message_id: sent[0] }, 2],
      [{ up_to_message_id: sent[1] }, 1],
      [{ message_id: sent[0] }, 1],
      [{ message_id: sent[2] }, 0],
      [{ message_id: sent[2] }, 0],
    ] as const) {
      const answer = await read(person, boundary)
      expect([answer.status, answer.body['unread_count']]).toEqual([200, left])
    }
    for (const boundary of [{ message_id: mine }, { message_id: UNKNOWN }, { up_to_message_id: UNKNOWN }]) {
      expect(refusalOf(await read(person, boundary))).toEqual([400, 'company_data.ack_boundary_invalid'])
    }
    expect(refusalOf(await read(company, { message_id: sent[2] }))).toEqual([400, 'company_data.ack_boundary_invalid'])
  })
})

test('a broadcast is in the clear, stands in every thread, and raises no event of the service', async () => {
  await received(0)
  const told = await send(data, `POST /api/company-data/broadcast${json({ body: 'We move on Monday' })}`)
  expect(told).toMatchObject({ status: 202, body: { broadcast_id: expect.any(String), recipients: 2 } })
  const first = async (by: () => Promise<Reply>) => listOf((await by()).body['items'])[0]
  const item = { broadcast: true, body: 'We move on Monday', from: 'company' }
  for (const customer of [person, company]) {
    await expect.poll(() => first(() => send(customer.access, `GET ${ownPath(customer)}`))).toMatchObject(item)
    await expect.poll(() => first(() => send(data, `GET ${sentTo(customer)}`))).toMatchObject(item)
  }
  await received(0)
})

test('a thread is read as XML: wrappers are text', async () => {
  await write(person, 'As XML')
  const { body } = await send(data, `GET ${sentTo(person)}`)
  const inXml = membersOf((await send(data, `GET ${sentTo(person)}\nAccept: application/xml`)).xml())
  expect(inXml['total']).toBe(String(body['total']))
  const textsOf = (items: unknown) => listOf(items).map(({ message_id, body: text }) => [message_id, text ?? ''])
  expect(textsOf(inXml['items'])).toEqual(textsOf(body['items']))
})
