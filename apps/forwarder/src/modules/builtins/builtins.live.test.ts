import { expect, test } from 'vitest'
import { makeKeys } from '../../testing/plugin-server.ts'
import { ask, openSite, post } from '../../testing/site.ts'

const site = await openSite()
const forwarder = await site.start()
const country = { field_type: 'country', block: 'country' }

test('a built-in is described at a registry call and answers sealed questions itself [FWD-05] [FWD-06]', async () => {
  const plugin = site.plugin({ builtinKey: 'iso_lists' })
  const registry = await site.pass({ kind: 'registry', plugins: [plugin] })
  expect(await post(forwarder, '/registry', { pass: registry, plugin_id: plugin })).toMatchObject({
    status: 200,
    body: { plugin: { name: 'ISO lists' } },
  })
  const publicKey = site.region.plugins.get(plugin)?.publicKey ?? ''
  const pass = await site.pass({ plugins: [plugin] })
  const send = async (members: object) => {
    const { request, open } = await ask(publicKey, { ...country, ...members })
    const answer = await post(forwarder, '/call', { pass, plugin_id: plugin, request })
    return { status: answer.status, opened: await open(answer.body['reply']) }
  }
  expect(await send({ query: 'austri' })).toEqual({
    status: 200,
    opened: { options: [{ id: 'AT', label: 'Austria' }], more: false },
  })
  const all = await send({ query: '' })
  expect(all.opened).toMatchObject({ more: true })
  expect(all.opened?.['options']).toHaveLength(50)
  expect(await send({ op: 'outputs', picks: { country: 'AT' } })).toMatchObject({
    opened: { outputs: { code: 'AT', name: 'Austria' } },
  })
  expect(await send({ op: 'outputs', picks: { country: 'XX' } })).toMatchObject({
    status: 200,
    opened: { picks_invalid: true },
  })
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
