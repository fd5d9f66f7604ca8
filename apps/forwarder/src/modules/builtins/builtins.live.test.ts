import { expect, test } from 'vitest'
import { makeKeys } from '../../testing/plugin-server.ts'
import { ask, openSite, post } from '../../testing/site.ts'

const site = await openSite()
const forwarder = await site.start()
const country = { field_type: 'country', block: 'country' }

async function openBuiltin() {
  const plugin = site.plugin({ builtinKey: 'iso_lists' })
  const registry = await site.pass({ kind: 'registry', plugins: [plugin] })
  const answer = await post(forwarder, '/registry', { pass: registry, plugin_id: plugin })
  expect(answer).toMatchObject({ status: 200, body: { plugin: { name: 'ISO lists' } } })
  const publicKey = site.region.plugins.get(plugin)?.publicKey ?? ''
  const pass = await site.pass({ plugins: [plugin] })
  return async (members: object) => {
    const { request, open } = await ask(publicKey, { ...country, ...members })
    const { status, body } = await post(forwarder, '/call', { pass, plugin_id: plugin, request })
    return { status, opened: await open(body['reply']) }
  }
}

test('a described built-in answers options itself, and says when the list was cut [FWD-05]', async () => {
  const send = await openBuiltin()
  const found = { options: [{ id: 'AT', label: 'Austria' }], more: false }
  expect(await send({ query: 'austri' })).toEqual({ status: 200, opened: found })
  const all = await send({ query: '' })
  expect(all.opened).toMatchObject({ more: true })
  expect(all.opened?.['options']).toHaveLength(50)
})

test('it answers the outputs of a pick, or that the picks are invalid, sealed alike [FWD-06]', async () => {
  const send = await openBuiltin()
  const outputs = (code: string) => send({ op: 'outputs', picks: { country: code } })
  expect(await outputs('AT')).toEqual({ status: 200, opened: { outputs: { code: 'AT', name: 'Austria' } } })
  expect(await outputs('XX')).toEqual({ status: 200, opened: { picks_invalid: true } })
})

test('a question for another key is answered with the present one, and a malformed one with no answer', async () => {
  const plugin = site.plugin({ builtinKey: 'iso_lists', publicKey: 'stored' })
  const pass = await site.pass({ plugins: [plugin] })
  const other = await ask((await makeKeys()).publicKey, country)
  expect(await post(forwarder, '/call', { pass, plugin_id: plugin, request: other.request })).toMatchObject({
    status: 409,
    body: { error_key: 'plugin.key_changed', public_key: site.builtinKeys.publicKey },
  })
  const malformed = await ask(site.builtinKeys.publicKey, { ...country, op: 'drop' })
  expect(await post(forwarder, '/call', { pass, plugin_id: plugin, request: malformed.request })).toMatchObject({
    status: 502,
    body: { error_key: 'plugin.not_responding' },
  })
})
