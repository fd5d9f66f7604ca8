import { bodyOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld({ settings: { ACCEPT_OBJECT_ANSWERS: 'true' } })

test('an installation that accepts objects as answers stores and answers their text', async () => {
  const runs = await openRuns(world)
  const { customer, partner, service } = runs
  const { id } = await runs.begun()
  const asObjects = async (slug: string, text: string, more: object = {}) => {
    const copies = await runs.copies(text)
    const values = copies.map((copy) => ({ ...copy, value: { ...(JSON.parse(copy.value) as object), ...more } }))
    return { copies, answers: [{ slug, values }] }
  }
  const post = (body: object) => service.data('POST', `${RUNS}/${id}/answers`, { body })
  const wrong = await asObjects('amount', '5', { more: 1 })
  expect(await post({ answers: wrong.answers, next_node: 'tell' })).toMatchObject({
    status: 400,
    body: { error_key: 'contact_data.encryption_required', error: expect.stringContaining('travels as text') },
  })
  const ours = await asObjects('amount', '250')
  const taken = await bodyOf(post({ answers: ours.answers, next_node: 'tell' }))
  expect(taken['answers']).toMatchObject([{ slug: 'amount', ...ours.copies[0] }])
  await expect.poll(async () => (await runs.readAs(customer, id)).body['status']).toBe('awaiting_customer')
  const theirs = await asObjects('nick', 'Mara')
  const body = { answers: theirs.answers, next_node: 'prove' }
  const answered = await bodyOf(customer.calls('POST', `${pathOf(customer, id)}/answers`, { body }))
  expect(answered['answers']).toMatchObject([
    { slug: 'amount', ...ours.copies[1] },
    { slug: 'nick', ...theirs.copies[1] },
  ])
  const read = await runs.read(id)
  expect(read['answers']).toContainEqual(expect.objectContaining({ slug: 'nick', ...theirs.copies[0] }))
  await expect
    .poll(async () => (await runs.readAs(partner, id)).body['answers'])
    .toMatchObject([
      { slug: 'amount', ...ours.copies[2] },
      { slug: 'nick', ...theirs.copies[2] },
    ])
})
