import { expect, test } from 'vitest'
import { type DeskOptions, openDesk, reasonOf, service } from '../../test/plugin-desk.ts'
import { COMPANY, copyFor, field, postedTo, RUN } from '../../test/stub-run.ts'
import { memoryPins } from '../keys/pins.ts'

const fields = [field('fee', { field_type: 'number' })]

/** The company answers `fee`; answers what it has sealed for itself. */
async function sealFee(desk: DeskOptions, isPrivate: boolean): Promise<string> {
  await using first = await openDesk(desk)
  const answers = { amount: { value: 9 }, fee: { value: 12_345, private: isPrivate } }
  await first.stub.client.flows.answer(RUN, answers, service.key)
  const [submitted] = postedTo(first.stub.region.received, '/answers')
  return copyFor(submitted, 'fee', COMPANY)
}

test.each(['income', 'family'])(
  'a value that was private when this side sealed it goes to no plugin, though the server shows it as the public %s',
  async (slug) => {
    for (const isPrivate of [false, true]) {
      const known = { pins: memoryPins(), inputs: { amount: slug }, fields, isRequired: false }
      const own = await sealFee(known, isPrivate)
      const laid = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(own) as object).toReversed()), null, 2)
      const answers = [{ slug, for_user_id: COMPANY, value: laid }]
      await using desk = await openDesk({ ...known, run: { answers, private_slugs: [] } })
      const offer = await desk.open()
      expect(offer.problem).toEqual(
        isPrivate ? expect.objectContaining({ inputs: { amount: 'other_party_private' } }) : null,
      )
      if (isPrivate) expect(await reasonOf(offer.options('product'))).toMatchObject({ reason: 'inputs_missing' })
      expect(desk.forwarder.received).toEqual([])
    }
  },
)

test('a run that was not asked for is refused, so that no definition is pinned anew under its id', async () => {
  await using desk = await openDesk({ run: { id: '0196a8c4-5e6f-7a10-8b2c-3d4e5f607888' } })
  expect(await reasonOf(desk.open())).toMatchObject({ name: 'UntrustedAnswerError', reason: 'other_run' })
})
